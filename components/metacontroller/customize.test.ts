import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/object.ts';
import { configmaps, namespaces } from '../../src/api/resources.ts';
import { customResource } from '../../src/client/custom-resource.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';
import { compositecontrollers, decoratorcontrollers, type RelatedRule } from './api.ts';

type Names = Record<string, Record<string, KubernetesObject>>;
interface Asked {
  readonly parent: KubernetesObject;
  readonly controller: KubernetesObject;
  readonly related: Names;
}

const NAMES = { Cluster: 'sprinkler', Namespaced: 'mirror' };

/** A cluster with one kind of parents, whose hooks note what they are asked. */
async function clusterWith(scope: keyof typeof NAMES, relatedResources: readonly RelatedRule[]) {
  const [singular, asked] = [NAMES[scope], { customize: [] as Asked[], sync: [] as Asked[] }];
  const cluster = await createTestCluster({
    nodes: 1,
    addons: { metacontroller: {} },
    outbound: ({ url, body = '' }) => {
      const hook = new URL(url).pathname.slice(1) as keyof typeof asked;
      asked[hook].push(JSON.parse(body));
      const answer = hook === 'customize' ? { relatedResources } : { children: [], attachments: [] };
      return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(answer) });
    },
  });
  const kind = `${singular[0]?.toUpperCase()}${singular.slice(1)}`;
  const plural = `${singular}s`;
  await cluster.apply(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.example.com }
spec:
  group: example.com
  names: { kind: ${kind}, plural: ${plural} }
  scope: ${scope}
  versions: [{ name: v1, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }]
`);
  await cluster.settle();
  const resource = customResource<KubernetesObject & { spec: object }>({
    ...{ group: 'example.com', version: 'v1', resource: plural, kind },
    namespaced: scope === 'Namespaced',
  });
  return { cluster, resource, asked, related: () => namesIn(asked.sync.at(-1)?.related ?? {}) };
}

const namesIn = (map: Names): object => Object.fromEntries(Object.entries(map).map(([key, objects]) => [key, Object.keys(objects).sort()]));
const at = (name: string) => ({ webhook: { url: `http://hooks/${name}` } });
const hooks = { sync: at('sync'), customize: at('customize') };
const composite = (resource: string) => ({
  metadata: { name: 'c' },
  spec: { generateSelector: true, parentResource: { apiVersion: 'example.com/v1', resource }, hooks },
});
const config = (name: string, namespace = 'default', labels = {}) => ({ metadata: { name, namespace, labels }, data: { a: '1' } });
const makeNamespace = (cluster: TestCluster, name: string) => cluster.create(namespaces, { metadata: { name } });

describe('a customize hook', () => {
  it('chooses what its hooks are told of, and when they are asked again', async () => {
    const rules = [
      { apiVersion: 'v1', resource: 'configmaps', namespace: 'source', names: ['settings'] },
      { apiVersion: 'v1', resource: 'namespaces', labelSelector: { matchLabels: { team: 'a' } } },
    ];
    const { cluster, resource, asked, related } = await clusterWith('Cluster', rules);
    await makeNamespace(cluster, 'source');
    await cluster.create(configmaps, config('settings', 'source'));
    await cluster.create(configmaps, config('settings'));
    await cluster.create(compositecontrollers, composite(resource.resource));
    await cluster.create(resource, { metadata: { name: 'p' }, spec: {} });
    await cluster.settle();
    expect(related()).toEqual({ 'ConfigMap.v1': ['source/settings'], 'Namespace.v1': [] });
    expect(asked.customize).toHaveLength(1);
    expect(Object.keys(asked.customize[0] ?? {}).sort()).toEqual(['controller', 'parent']);
    const before = asked.sync.length;
    await cluster.create(configmaps, config('other', 'source'));
    await cluster.settle();
    expect(asked.sync.length).toBe(before);
    await cluster.create(namespaces, { metadata: { name: 'one', labels: { team: 'a' } } });
    await cluster.settle();
    expect(related()).toEqual({ 'ConfigMap.v1': ['source/settings'], 'Namespace.v1': ['one'] });
    await cluster.edit(namespaces, 'one', ({ metadata }) => void delete metadata.labels?.['team']);
    await cluster.settle();
    expect(related()).toEqual({ 'ConfigMap.v1': ['source/settings'], 'Namespace.v1': [] });
    expect(asked.customize).toHaveLength(1);
    await cluster.edit(resource, 'p', (draft) => void Object.assign(draft.spec, { more: 1 }));
    await cluster.settle();
    expect(asked.customize).toHaveLength(2);
  });

  it('of a parent in a namespace sees what is in there', async () => {
    const { cluster, resource, related } = await clusterWith('Namespaced', [{ apiVersion: 'v1', resource: 'configmaps', names: ['mine'] }]);
    await makeNamespace(cluster, 'elsewhere');
    for (const namespace of ['default', 'elsewhere']) await cluster.create(configmaps, config('mine', namespace));
    await cluster.create(compositecontrollers, composite(resource.resource));
    await cluster.create(resource, { metadata: { name: 'p', namespace: 'default' }, spec: {} });
    await cluster.settle();
    expect(related()).toEqual({ 'ConfigMap.v1': ['mine'] });
  });

  it.each<[string, RelatedRule]>([
    [
      'related rule cannot have both labelSelector and Namespace/Names specified',
      { apiVersion: 'v1', resource: 'configmaps', labelSelector: {}, names: ['a'] },
    ],
    [
      'requested related object namespace elsewhere differs from parent object namespace default',
      { apiVersion: 'v1', resource: 'configmaps', namespace: 'elsewhere' },
    ],
    ["discovery: can't find resource unknowns in apiVersion v1", { apiVersion: 'v1', resource: 'unknowns' }],
  ])('is refused: %s', async (message, rule) => {
    const { cluster, resource, asked } = await clusterWith('Namespaced', [rule]);
    await cluster.create(compositecontrollers, composite(resource.resource));
    await cluster.create(resource, { metadata: { name: 'p', namespace: 'default' }, spec: {} });
    await cluster.advance(1_000);
    expect((await cluster.eventsOf(resource, 'p')).join('\n')).toContain(`Warning SyncError: Sync error: ${message}`);
    expect(asked.sync).toEqual([]);
  });

  it('serves decorators as well', async () => {
    const { cluster, resource, asked, related } = await clusterWith('Namespaced', [
      { apiVersion: 'v1', resource: 'configmaps', labelSelector: { matchLabels: { app: 'web' } } },
    ]);
    await cluster.create(decoratorcontrollers, {
      metadata: { name: 'd' },
      spec: { resources: [{ apiVersion: 'example.com/v1', resource: resource.resource }], hooks },
    });
    await cluster.create(resource, { metadata: { name: 'p', namespace: 'default' }, spec: {} });
    await cluster.settle();
    await cluster.create(configmaps, config('late', 'default', { app: 'web' }));
    await cluster.settle();
    expect(related()).toEqual({ 'ConfigMap.v1': ['late'] });
    expect(asked.customize[0]?.parent.metadata.name).toBe('p');
  });
});
