import { beforeEach, describe, expect, it } from 'vitest';
import type { ConfigMap } from '../../../src/api/kinds/core-v1.ts';
import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import { configmaps, events } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const NAMESPACE = 'default';
let plane: ControlPlane;

beforeEach(async () => {
  plane = new ControlPlane(['garbage-collector-controller']);
  await plane.simulation.settle();
});

interface Traits {
  readonly owners?: readonly (ConfigMap | OwnerReference)[];
  readonly blocking?: boolean;
  readonly finalizers?: string[];
  readonly namespace?: string;
}

async function create(
  name: string,
  { owners = [], blocking = false, finalizers = [], namespace = NAMESPACE }: Traits = {},
): Promise<ConfigMap> {
  const ownerReferences = owners.map((owner): OwnerReference => {
    if (!('metadata' in owner)) return owner;
    const { name: ownerName = '', uid = '' } = owner.metadata;
    return { apiVersion: 'v1', kind: 'ConfigMap', name: ownerName, uid, ...(blocking ? { blockOwnerDeletion: true } : {}) };
  });
  return plane.act((client) => client.resource(configmaps).create({ metadata: { name, namespace, ownerReferences, finalizers } }));
}

async function remove(name: string, propagationPolicy: string): Promise<void> {
  await plane.simulation.settle();
  await plane.act((client) => client.resource(configmaps).delete({ namespace: NAMESPACE, name }, { propagationPolicy }));
  await plane.simulation.settle();
}

/** Names of what is left, with `!` for what is being deleted. */
async function left(): Promise<string[]> {
  const { items } = await plane.act((client) => client.resource(configmaps).list({ namespace: NAMESPACE }));
  return items.map(({ metadata }) => `${metadata.name}${metadata.deletionTimestamp ? '!' : ''}`);
}

async function setFinalizers(name: string, finalizers: string[] | null): Promise<void> {
  await plane.act((client) =>
    client.resource(configmaps).patch({ namespace: NAMESPACE, name }, { metadata: { finalizers } }, { type: 'merge' }),
  );
  await plane.simulation.settle();
}

describe('the garbage collector', () => {
  it('deletes what a deleted object owned, down the chain', async () => {
    const owner = await create('owner');
    const child = await create('child', { owners: [owner] });
    await create('grandchild', { owners: [child] });
    await remove('owner', 'Background');
    expect(await left()).toEqual([]);
  });

  it('deletes in the foreground from the leaves up', async () => {
    const owner = await create('owner');
    const child = await create('child', { owners: [owner], blocking: true });
    await create('leaf', { owners: [child], blocking: true, finalizers: ['example.com/hold'] });
    await remove('owner', 'Foreground');
    expect(await left()).toEqual(['child!', 'leaf!', 'owner!']);
    await setFinalizers('leaf', null);
    expect(await left()).toEqual([]);
    const order = plane.writes('configmaps').flatMap((line) => (line.includes(' delete ') ? [line.split(' ').at(-1)] : []));
    expect(order).toEqual(['leaf', 'child', 'owner']);
  });

  it('does not make the owner wait for dependents that do not block', async () => {
    const owner = await create('owner');
    await create('child', { owners: [owner], finalizers: ['example.com/hold'] });
    await remove('owner', 'Foreground');
    expect(await left()).toEqual(['child!']);
  });

  it('breaks a circle', async () => {
    const a = await create('a');
    const b = await create('b', { owners: [a], blocking: true });
    const back = { apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: b.metadata.uid ?? '', blockOwnerDeletion: true };
    const at = { namespace: NAMESPACE, name: 'a' };
    await plane.act((client) => client.resource(configmaps).patch(at, { metadata: { ownerReferences: [back] } }, { type: 'merge' }));
    await remove('a', 'Foreground');
    expect(await left()).toEqual([]);
  });

  it('takes the reference off what is left behind', async () => {
    const owner = await create('owner');
    await create('child', { owners: [owner] });
    await remove('owner', 'Orphan');
    expect(await left()).toEqual(['child']);
    const child = await plane.act((client) => client.resource(configmaps).get({ namespace: NAMESPACE, name: 'child' }));
    expect(child.metadata.ownerReferences).toBeUndefined();
  });

  it('keeps a dependent for as long as one of its owners lives', async () => {
    const [a, b] = [await create('a'), await create('b')];
    await create('child', { owners: [a, b] });
    await remove('a', 'Background');
    const child = await plane.act((client) => client.resource(configmaps).get({ namespace: NAMESPACE, name: 'child' }));
    expect(child.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['b']);
    await remove('b', 'Background');
    expect(await left()).toEqual([]);
  });

  it('deletes what refers to nothing, or into another namespace, and reports the latter', async () => {
    await create('lost', { owners: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'ghost', uid: '11111111-1111-1111-1111-111111111111' }] });
    const elsewhere = await create('elsewhere', { namespace: 'kube-public' });
    await plane.simulation.settle();
    await create('child', { owners: [elsewhere] });
    await plane.simulation.settle();
    expect(await left()).toEqual([]);
    const { items } = await plane.act((client) => client.resource(events).list({ namespace: NAMESPACE }));
    const reference = `[v1/ConfigMap, namespace: default, name: elsewhere, uid: ${elsewhere.metadata.uid}]`;
    expect(items.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      `OwnerRefInvalidNamespace: ownerRef ${reference} does not exist in namespace "default"`,
    ]);
  });

  it('leaves alone what has an owner of a kind that it does not know, and settles', async () => {
    const uid = '33333333-3333-3333-3333-333333333333';
    await create('child', { owners: [{ apiVersion: 'example.com/v1', kind: 'Ghost', name: 'x', uid }] });
    await plane.simulation.settle();
    await plane.simulation.advance(120_000);
    expect(await left()).toEqual(['child']);
  });
});
