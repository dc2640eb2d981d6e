import type { CustomResourceDefinition, JSONSchemaProps } from '../../src/api/kinds/apiextensions-v1.ts';
import { customresourcedefinitions, namespaces } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { installAccount, unlessThere } from '../../src/client/install.ts';
import { compositecontrollers, controllerrevisions, decoratorcontrollers, GROUP } from './api.ts';

/** The account that it works as. It may do everything: what the hooks of its users ask for is not known before. */
export const SERVICE_ACCOUNT = { namespace: 'metacontroller', name: 'metacontroller' };

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

/** Creates what it needs before it can run: definitions, namespace, account, role. What is there already stays. */
export async function installMetacontroller(client: Client): Promise<void> {
  const { namespace, name } = SERVICE_ACCOUNT;
  for (const each of DEFINITIONS) await unlessThere(client.resource(customresourcedefinitions).create(each));
  await unlessThere(client.resource(namespaces).create({ metadata: { name: namespace } }));
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  await installAccount(client, { account: name, namespace, role: name, rules });
}
