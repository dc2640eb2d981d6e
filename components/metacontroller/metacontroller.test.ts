import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { Outbound } from '../../src/api/outbound.ts';
import { configmaps, pods, services } from '../../src/api/resources.ts';
import { customResource } from '../../src/client/custom-resource.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';
import {
  type CompositeController,
  compositecontrollers,
  controllerrevisions,
  type DecoratorController,
  decoratorcontrollers,
  type UpdateMethod,
} from './api.ts';

type Hook = (request: {
  parent: KubernetesObject;
  object: KubernetesObject;
  finalizing: boolean;
  children: object;
  attachments: object;
}) => object;

/** A cluster whose hooks are outside of it, at `http://hooks/NAME`. */
async function clusterWith(hooks: Readonly<Record<string, Hook>>): Promise<TestCluster> {
  const outbound: Outbound = ({ url, body = '' }) => {
    const hook = hooks[new URL(url).pathname.slice(1)];
    return Promise.resolve(
      hook
        ? { status: 200, headers: {}, body: JSON.stringify(hook(JSON.parse(body))) }
        : { status: 500, headers: {}, body: 'no such hook' },
    );
  };
  const cluster = await createTestCluster({ nodes: 1, addons: { metacontroller: {} }, outbound });
  await cluster.apply(definition('Mirror', 'mirrors'));
  await cluster.settle();
  return cluster;
}

const definition = (kind: string, plural: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.example.com }
spec:
  group: example.com
  names: { kind: ${kind}, plural: ${plural} }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const mirrors = customResource<KubernetesObject & { spec: object; status?: object }>({
  group: 'example.com',
  version: 'v1',
  resource: 'mirrors',
  kind: 'Mirror',
});

const at = (name: string) => ({ webhook: { url: `http://hooks/${name}` } });
const map = (name: string, data: Record<string, string>, labels?: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...(labels ? { labels } : {}) },
  data,
});

describe('CompositeController', () => {
  const composite = (method?: UpdateMethod): CompositeController => ({
    metadata: { name: 'mirror' },
    spec: {
      generateSelector: true,
      parentResource: { apiVersion: 'example.com/v1', resource: 'mirrors' },
      childResources: [{ apiVersion: 'v1', resource: 'configmaps', ...(method ? { updateStrategy: { method } } : {}) }],
      hooks: { sync: at('sync') },
    },
  });
  const parent = { metadata: { name: 'web', labels: { mirror: 'one' } }, spec: { selector: { matchLabels: { app: 'web' } } } };
  const mirror: Hook = ({ parent }) => ({ children: [map('web-copy', { mirror: parent.metadata.labels?.['mirror'] ?? '' })] });

  it.each([
    [undefined, 'one', true],
    ['OnDelete', 'one', true],
    ['InPlace', 'two', true],
    ['Recreate', 'two', false],
  ] as const)('method %s: a child that differs says %s, the same object: %s', async (method, data, same) => {
    const cluster = await clusterWith({ sync: mirror });
    await cluster.create(compositecontrollers, composite(method));
    await cluster.settle();
    await cluster.create(mirrors, parent);
    await cluster.settle();
    const before = await cluster.get(configmaps, 'web-copy');
    expect(before?.metadata.labels).toEqual({ 'controller-uid': (await cluster.get(mirrors, 'web'))?.metadata.uid });
    await cluster.edit(mirrors, 'web', (draft) => {
      draft.metadata.labels = { mirror: 'two' };
    });
    await cluster.settle();
    const after = await cluster.get(configmaps, 'web-copy');
    expect(after?.data).toEqual({ mirror: data });
    expect(after?.metadata.uid === before?.metadata.uid).toBe(same);
  });

  it('RollingInPlace: one child after another, and remembers only revisions that children are at', async () => {
    const copies: Hook = ({ parent }) => ({
      children: ['a', 'b', 'c'].map((name) => map(name, { text: String((parent as { spec?: { text?: string } }).spec?.text) })),
    });
    const cluster = await clusterWith({ sync: copies });
    await cluster.create(compositecontrollers, composite('RollingInPlace'));
    await cluster.settle();
    await cluster.create(mirrors, { ...parent, spec: { text: 'one' } });
    await cluster.settle();
    await cluster.edit(mirrors, 'web', (draft) => {
      draft.spec = { text: 'two' };
    });
    await cluster.settle();
    for (const name of ['a', 'b', 'c']) expect((await cluster.get(configmaps, name))?.data).toEqual({ text: 'two' });
    const writes = cluster.simulation.trace.entries.filter(
      (entry) => entry.kind === 'write' && entry.object.kind === 'ConfigMap' && entry.verb === 'update',
    );
    expect(writes.map((entry) => (entry.kind === 'write' ? entry.object.name : ''))).toEqual(['a', 'b', 'c']);
    const revisions = await cluster.list(controllerrevisions, { namespace: 'default' });
    expect(revisions.map(({ parentPatch, children }) => ({ parentPatch, children }))).toEqual([
      { parentPatch: { spec: { text: 'two' } }, children: [{ apiGroup: '', kind: 'ConfigMap', names: ['a', 'b', 'c'] }] },
    ]);
  });

  it('deletes children that are not asked for any more, adopts orphans, and lets go what does not match', async () => {
    let wanted = ['a', 'b'];
    const cluster = await clusterWith({ sync: () => ({ children: wanted.map((name) => map(name, {}, { app: 'web' })) }) });
    await cluster.create(configmaps, map('a', {}, { app: 'web' }));
    await cluster.create(compositecontrollers, {
      ...composite('InPlace'),
      spec: { ...composite('InPlace').spec, generateSelector: false },
    });
    await cluster.create(mirrors, parent);
    await cluster.settle();
    for (const name of ['a', 'b']) expect((await cluster.get(configmaps, name))?.metadata.ownerReferences?.[0]?.name, name).toBe('web');
    await cluster.edit(configmaps, 'a', (draft) => {
      draft.metadata.labels = {};
    });
    wanted = ['c'];
    await cluster.settle();
    expect((await cluster.get(configmaps, 'a'))?.metadata.ownerReferences).toBeUndefined();
    expect(await cluster.get(configmaps, 'b')).toBeUndefined();
    expect(await cluster.get(configmaps, 'c')).toBeDefined();
  });

  it('tries again when a hook fails, and says so', async () => {
    const hooks: Record<string, Hook> = {};
    const cluster = await clusterWith(hooks);
    await cluster.create(compositecontrollers, composite());
    await cluster.create(mirrors, parent);
    await cluster.advance(1_000);
    await cluster.expectEvents(mirrors, 'web', [
      'Warning SyncError: Sync error: sync hook failed for Mirror default/web: remote error: no such hook*',
    ]);
    hooks['sync'] = mirror;
    await cluster.advance(5_000);
    expect(await cluster.get(configmaps, 'web-copy')).toBeDefined();
  });

  it('runs in a Pod: while that is away, nobody makes children', async () => {
    const cluster = await clusterWith({ sync: mirror });
    await cluster.create(compositecontrollers, composite());
    await cluster.create(mirrors, parent);
    await cluster.settle();
    const place = { namespace: 'metacontroller', name: 'metacontroller-0' };
    const first = await cluster.get(pods, place);
    expect(first?.status?.phase).toBe('Running');
    await cluster.kubectl(['delete', 'pod', '-n', place.namespace, place.name, '--grace-period=0', '--force']);
    await cluster.delete(configmaps, 'web-copy');
    await cluster.advance(500);
    expect(await cluster.get(configmaps, 'web-copy')).toBeUndefined();
    await cluster.settle();
    expect(await cluster.get(configmaps, 'web-copy')).toBeDefined();
    expect((await cluster.get(pods, place))?.metadata.uid).not.toBe(first?.metadata.uid);
  });

  it('waits until the server knows the resources', async () => {
    const cluster = await clusterWith({});
    const later = { ...composite(), spec: { ...composite().spec, parentResource: { apiVersion: 'example.com/v1', resource: 'laters' } } };
    await cluster.create(compositecontrollers, later);
    await cluster.advance(100);
    const started = async () =>
      (await cluster.eventsOf(compositecontrollers, 'mirror')).filter((line) => line.startsWith('Normal Started'));
    expect(await started()).toEqual([]);
    await cluster.apply(definition('Later', 'laters'));
    await cluster.advance(60_000);
    expect(await started()).toHaveLength(1);
  });
});

describe('DecoratorController', () => {
  const decorator: DecoratorController = {
    metadata: { name: 'expose' },
    spec: {
      resources: [
        {
          apiVersion: 'v1',
          resource: 'configmaps',
          annotationSelector: { matchExpressions: [{ key: 'expose', operator: 'Exists' }] },
        },
      ],
      attachments: [{ apiVersion: 'v1', resource: 'services', updateStrategy: { method: 'InPlace' } }],
      hooks: { sync: at('sync'), finalize: at('finalize') },
    },
  };
  const service = (name: string, port: number) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port }] } });
  const hooks: Record<string, Hook> = {
    sync: ({ object }) => ({
      labels: { exposed: 'true' },
      attachments: [service(`${object.metadata.name}-service`, Number(object.metadata.annotations?.['expose']))],
    }),
    finalize: ({ attachments }) => {
      const left = Object.keys((attachments as Record<string, object>)['Service.v1'] ?? {}).length;
      return { labels: { exposed: null }, attachments: [], finalized: left === 0 };
    },
  };

  it('attaches to what its selectors choose, follows it, and cleans up when it opts out', async () => {
    const cluster = await clusterWith(hooks);
    await cluster.create(decoratorcontrollers, decorator);
    await cluster.create(configmaps, map('other', {}));
    await cluster.create(configmaps, { ...map('a', {}), metadata: { name: 'a', namespace: 'default', annotations: { expose: '80' } } });
    await cluster.settle();
    const attached = await cluster.get(services, 'a-service');
    expect(attached?.spec?.ports?.[0]?.port).toBe(80);
    expect(attached?.metadata.annotations?.['metacontroller.k8s.io/decorator-controller']).toBe('expose');
    expect(attached?.metadata.ownerReferences).toMatchObject([{ kind: 'ConfigMap', name: 'a', controller: false }]);
    expect((await cluster.get(configmaps, 'a'))?.metadata).toMatchObject({
      labels: { exposed: 'true' },
      finalizers: ['metacontroller.io/decoratorcontroller-expose'],
    });
    expect(await cluster.get(services, 'other-service')).toBeUndefined();
    await cluster.edit(configmaps, 'a', (draft) => {
      delete draft.metadata.annotations;
    });
    await cluster.waitUntilGone(services, 'a-service');
    await cluster.settle();
    const left = (await cluster.get(configmaps, 'a'))?.metadata;
    expect(left?.finalizers).toBeUndefined();
    expect(left?.labels ?? {}).toEqual({});
  });

  it('stops when it is deleted', async () => {
    const cluster = await clusterWith(hooks);
    await cluster.create(decoratorcontrollers, decorator);
    await cluster.settle();
    await cluster.delete(decoratorcontrollers, 'expose');
    await cluster.settle();
    await cluster.create(configmaps, { ...map('a', {}), metadata: { name: 'a', namespace: 'default', annotations: { expose: '80' } } });
    await cluster.settle();
    expect(await cluster.get(services, 'a-service')).toBeUndefined();
  });
});
