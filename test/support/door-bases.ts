// What requests to fuzz are made from: valid objects of several kinds, a custom one among them.

/** What a lookup in a plain object may find though nobody put it there. */
export const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }] },
};

/** Valid objects, the place of their kind, and what is there already. */
export const BASES = [
  {
    path: '/api/v1/namespaces/default/configmaps',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } },
  },
  {
    path: '/api/v1/namespaces/default/secrets',
    object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: 'YQ==' } },
  },
  {
    path: '/api/v1/namespaces/default/services',
    object: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } },
  },
  { path: '/api/v1/namespaces/default/pods', object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: template.spec } },
  {
    path: '/apis/apps/v1/namespaces/default/deployments',
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template },
    },
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'a' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    },
  },
  {
    path: '/apis/fuzz.example.com/v1/namespaces/default/things',
    object: { apiVersion: 'fuzz.example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: { size: 1, open: { a: 1 } } },
  },
] as const;

/** The custom resource among them. */
export const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer' }, open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
                'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size < 10' }],
              },
            },
          },
        },
      },
    ],
  },
};
