import type { CustomResourceDefinition, JSONSchemaProps } from '../../src/api/kinds/apiextensions-v1.ts';
import type { PolicyRule } from '../../src/api/kinds/rbac-v1.ts';
import { customresourcedefinitions } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { installAccount, unlessThere } from '../../src/client/install.ts';
import { backups, databases, GROUP } from './api.ts';

/** The account that the operator works as. */
export const SERVICE_ACCOUNT = { namespace: 'kube-system', name: 'database-operator' };

const CONDITIONS: JSONSchemaProps = { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const text: JSONSchemaProps = { type: 'string' };
const integer: JSONSchemaProps = { type: 'integer' };

function definition(
  { resource, kind, singular, shortNames }: Pick<typeof databases, 'resource' | 'kind' | 'singular' | 'shortNames'>,
  properties: Record<string, JSONSchemaProps>,
): CustomResourceDefinition {
  const columns = [
    { name: 'Status', type: 'string', jsonPath: '.status.phase' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
  return {
    metadata: { name: `${resource}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { kind, listKind: `${kind}List`, plural: resource, singular, shortNames: [...shortNames] },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          ...(kind === 'Backup' ? { additionalPrinterColumns: columns } : {}),
          schema: { openAPIV3Schema: { type: 'object', properties } },
        },
      ],
    },
  };
}

export const DEFINITIONS: readonly CustomResourceDefinition[] = [
  definition(databases, {
    spec: {
      type: 'object',
      required: ['engine', 'version', 'storageSize'],
      properties: {
        engine: { type: 'string', enum: ['mysql', 'postgresql'] },
        version: text,
        storageSize: text,
        replicas: { type: 'integer', minimum: 1 },
      },
    },
    status: {
      type: 'object',
      properties: { phase: text, endpoint: text, observedGeneration: integer, readyReplicas: integer, conditions: CONDITIONS },
    },
  }),
  definition(backups, {
    spec: { type: 'object', required: ['source', 'destination'], properties: { source: text, destination: text, schedule: text } },
    status: {
      type: 'object',
      properties: { phase: text, lastBackupTime: { type: 'string', format: 'date-time' }, conditions: CONDITIONS },
    },
  }),
];

/** What it may do, and no more: it reads no secrets, and changes of what it watches only what it writes. */
const RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: ['databases', 'backups'], verbs: ['get', 'list', 'watch', 'update'] },
  {
    apiGroups: [GROUP],
    resources: ['databases/status', 'backups/status', 'databases/finalizers', 'backups/finalizers'],
    verbs: ['update'],
  },
  { apiGroups: [''], resources: ['services'], verbs: ['get', 'list', 'watch', 'create'] },
  { apiGroups: ['apps'], resources: ['statefulsets'], verbs: ['get', 'list', 'watch', 'create', 'update'] },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list', 'watch', 'create'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
];

/** Creates what the operator needs before it can run: its definitions, its account, its role. What is there already stays. */
export async function installDatabaseOperator(client: Client): Promise<void> {
  for (const each of DEFINITIONS) await unlessThere(client.resource(customresourcedefinitions).create(each));
  const { namespace, name } = SERVICE_ACCOUNT;
  await installAccount(client, { account: name, namespace, role: name, rules: RULES });
}
