import type { CustomResourceDefinition, JSONSchemaProps } from '../../src/api/kinds/apiextensions-v1.ts';
import { customresourcedefinitions, namespaces, statefulsets } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { installAccount, unlessThere } from '../../src/client/install.ts';
import { compositecontrollers, controllerrevisions, decoratorcontrollers, GROUP } from './api.ts';

/** The account that it works as. It may do everything: what the hooks of its users ask for is not known before. */
const SERVICE_ACCOUNT = { namespace: 'metacontroller', name: 'metacontroller' };
/** The image whose program is metacontroller, whoever runs it. */
export const METACONTROLLER_IMAGE = 'ghcr.io/metacontroller/metacontroller';
const VERSION = 'v4.12.5';
const SECURITY_CONTEXT = { allowPrivilegeEscalation: false, runAsNonRoot: true, runAsUser: 1000, capabilities: { drop: ['ALL'] } };

const text: JSONSchemaProps = { type: 'string' };
const free: JSONSchemaProps = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const integer: JSONSchemaProps = { type: 'integer', format: 'int32' };

const rule = (more: Record<string, JSONSchemaProps> = {}): JSONSchemaProps => ({
  type: 'object',
  required: ['apiVersion', 'resource'],
  properties: { apiVersion: text, resource: text, ...more },
});
const service: JSONSchemaProps = {
  type: 'object',
  required: ['name', 'namespace'],
  properties: { name: text, namespace: text, port: integer, protocol: text },
};
const webhook: JSONSchemaProps = { type: 'object', properties: { url: text, timeout: text, path: text, service } };
const hook: JSONSchemaProps = {
  type: 'object',
  properties: { version: { type: 'string', enum: ['v1', 'v2'], default: 'v1' }, webhook },
};
const hooks: JSONSchemaProps = { type: 'object', properties: { sync: hook, finalize: hook, customize: hook } };
const check: JSONSchemaProps = { type: 'object', required: ['type'], properties: { type: text, status: text, reason: text } };
const statusChecks: JSONSchemaProps = { type: 'object', properties: { conditions: { type: 'array', items: check } } };
const children: JSONSchemaProps = {
  type: 'array',
  items: rule({ updateStrategy: { type: 'object', properties: { method: text, statusChecks } } }),
};
const fieldPaths: JSONSchemaProps = { type: 'object', properties: { fieldPaths: { type: 'array', items: text } } };

const composite: JSONSchemaProps = {
  type: 'object',
  required: ['parentResource'],
  properties: {
    parentResource: rule({ revisionHistory: fieldPaths }),
    childResources: children,
    resyncPeriodSeconds: integer,
    generateSelector: { type: 'boolean' },
    hooks,
  },
};
const decorator: JSONSchemaProps = {
  type: 'object',
  required: ['resources'],
  properties: {
    resources: { type: 'array', items: rule({ labelSelector: free, annotationSelector: free }) },
    attachments: children,
    resyncPeriodSeconds: integer,
    hooks,
  },
};
const revisionChildren: JSONSchemaProps = {
  type: 'array',
  items: {
    type: 'object',
    required: ['apiGroup', 'kind', 'names'],
    properties: { apiGroup: text, kind: text, names: { type: 'array', items: text } },
  },
};

function definition(
  {
    resource,
    kind,
    singular,
    shortNames,
    namespaced,
  }: typeof compositecontrollers | typeof controllerrevisions | typeof decoratorcontrollers,
  properties: Record<string, JSONSchemaProps>,
): CustomResourceDefinition {
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, request not yet submitted' };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return {
    metadata: { name: `${resource}.${GROUP}`, annotations },
    spec: {
      group: GROUP,
      names: { kind, listKind: `${kind}List`, plural: resource, singular, ...(shortNames.length ? { shortNames: [...shortNames] } : {}) },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [{ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

const DEFINITIONS: readonly CustomResourceDefinition[] = [
  definition(compositecontrollers, { spec: composite, status: free }),
  definition(controllerrevisions, { parentPatch: free, children: revisionChildren }),
  definition(decoratorcontrollers, { spec: decorator, status: free }),
];

/** Creates its definitions, namespace, account and role, and the StatefulSet that it runs in: manifests/production. What is there already stays. */
export async function installMetacontroller(client: Client): Promise<void> {
  const { namespace, name } = SERVICE_ACCOUNT;
  for (const each of DEFINITIONS) await unlessThere(client.resource(customresourcedefinitions).create(each));
  await unlessThere(client.resource(namespaces).create({ metadata: { name: namespace } }));
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  await installAccount(client, { account: name, namespace, role: name, rules });
  const labels = { 'app.kubernetes.io/name': name };
  const container = { name, image: `${METACONTROLLER_IMAGE}:${VERSION}`, args: ['--zap-log-level=4'], securityContext: SECURITY_CONTEXT };
  const spec = {
    ...{ replicas: 1, serviceName: '', selector: { matchLabels: labels } },
    template: { metadata: { labels }, spec: { serviceAccountName: name, containers: [container] } },
  };
  await unlessThere(client.resource(statefulsets).create({ metadata: { namespace, name, labels }, spec }));
}
