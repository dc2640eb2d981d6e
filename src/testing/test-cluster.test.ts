import { describe, expect, it } from 'vitest';
import type { ConfigMap } from '../api/kinds/core-v1.ts';
import { configmaps, deployments, nodes, pods } from '../api/resources.ts';
import { defineController } from '../client/controller-runtime.ts';
import { crashAfterEachWrite, forEachSeed } from './explore.ts';
import { createTestCluster } from './test-cluster.ts';
import { expectTrace } from './trace-expectations.ts';

/** Copies `data.in` of each ConfigMap to `data.out`, in two writes. */
const copier = defineController({
  name: 'copier',
  for: configmaps,
  reconcile: async (request, { client, reader, recorder }) => {
    const map = await reader.get(configmaps, request);
    if (map?.data?.in === undefined || map.data.out === map.data.in) return;
    await client.resource(configmaps).patch(request, { data: { out: map.data.in } }, { type: 'merge' });
    recorder.event(map, 'Normal', 'Copied', `Copied ${map.data.in}`);
  },
});
const map = (value: string): ConfigMap => ({ metadata: { name: 'a' }, data: { in: value } });
const bare = { nodes: 0, components: [], userControllers: [copier] } as const;

describe('objects', () => {
  it('are created, read, edited, listed and deleted', async () => {
    const cluster = await createTestCluster(bare);
    expect(await cluster.get(configmaps, 'a')).toBeUndefined();
    await cluster.create(configmaps, map('1'));
    await cluster.settle();
    expect((await cluster.get(configmaps, 'a'))?.data).toEqual({ in: '1', out: '1' });
    await cluster.edit(configmaps, 'a', (draft) => {
      draft.data = { in: '2' };
    });
    await cluster.settle();
    expect((await cluster.list(configmaps, { namespace: 'default' })).find(({ metadata }) => metadata.name === 'a')?.data?.out).toBe('2');
    await cluster.delete(configmaps, { namespace: 'default', name: 'a' });
    expect(await cluster.get(configmaps, 'a')).toBeUndefined();
  });

  it('are applied from a manifest; a refusal is an error', async () => {
    const cluster = await createTestCluster(bare);
    await cluster.apply('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  in: x\n');
    await cluster.settle();
    expect((await cluster.get(configmaps, 'a'))?.data?.out).toBe('x');
    await expect(cluster.apply('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: A_B\n')).rejects.toThrow(
      'metadata.name: Invalid value: "A_B"',
    );
  });
});

describe('waiting', () => {
  it('takes virtual time only', async () => {
    const cluster = await createTestCluster({ nodes: 2 });
    await cluster.kubectl(['create', 'deployment', 'web', '--image=nginx', '--replicas=3']);
    const web = await cluster.waitUntilReady(deployments, 'web');
    expect(web.status?.availableReplicas).toBe(3);
    await cluster.expectEvents(deployments, 'web', ['Normal ScalingReplicaSet: Scaled up replica set web-* from 0 to 3']);
    await cluster.delete(deployments, 'web');
    await cluster.waitUntilGone(deployments, 'web');
    await cluster.eventually(async () => (await cluster.list(pods, { namespace: 'default' })).length === 0);
  });

  it('says what was not so', async () => {
    const cluster = await createTestCluster(bare);
    await expect(cluster.waitUntilReady(configmaps, 'b', { withinMs: 500 })).rejects.toThrow(
      'not so within 500 ms of virtual time: ConfigMap b does not exist',
    );
    await cluster.create(configmaps, map('1'));
    await expect(cluster.expectEvents(configmaps, 'a', ['Normal Moved: x'])).rejects.toThrow(
      'expected the event "Normal Moved: x" of ConfigMap a; there were:\n',
    );
    await cluster.consistently(async () => expect(await cluster.get(configmaps, 'b')).toBeUndefined(), 2_000);
    await expect(cluster.consistently(() => cluster.simulation.now < 3_000, 5_000)).rejects.toThrow('not so any more at');
  });
});

describe('faults', () => {
  it('stop a controller, which catches up when it is back', async () => {
    const cluster = await createTestCluster(bare);
    cluster.crash('copier');
    await cluster.create(configmaps, map('1'));
    await cluster.settle();
    expect((await cluster.get(configmaps, 'a'))?.data?.out).toBeUndefined();
    cluster.restart('copier');
    await cluster.settle();
    expect((await cluster.get(configmaps, 'a'))?.data?.out).toBe('1');
    expect(() => cluster.crash('nobody')).toThrow('there is no component "nobody"');
  });

  it('may be that a controller comes late', async () => {
    const cluster = await createTestCluster({ nodes: 0, components: [] });
    await cluster.create(configmaps, map('1'));
    cluster.runController(copier);
    await cluster.settle();
    expect((await cluster.get(configmaps, 'a'))?.data?.out).toBe('1');
  });

  it('keep kube-apiserver away for a while', async () => {
    const cluster = await createTestCluster(bare);
    cluster.crash('kube-apiserver');
    await cluster.settle();
    await cluster.advance(60_000);
    cluster.restart('kube-apiserver');
    await cluster.create(configmaps, map('1'));
    await cluster.settle();
    expect((await cluster.get(configmaps, 'a'))?.data?.out).toBe('1');
  });

  it.each([500, 409, 429, 'reset'] as const)('make a request fail with %s; the controller tries again', async (status) => {
    const cluster = await createTestCluster(bare);
    cluster.failNext('copier', { verb: 'patch', resource: configmaps, status, carriedOut: status === 'reset' });
    await cluster.create(configmaps, map('1'));
    await cluster.settle();
    expect((await cluster.get(configmaps, 'a'))?.data?.out).toBe('1');
    expectTrace(cluster).happened({ trace: 'reconcile', by: 'controller/copier' });
  });

  it('cut a controller off, or make it see things late', async () => {
    const cluster = await createTestCluster(bare);
    cluster.partition('copier');
    await cluster.create(configmaps, map('1'));
    await cluster.settle();
    await cluster.advance(30_000);
    cluster.heal('copier');
    await cluster.settle();
    expect((await cluster.get(configmaps, 'a'))?.data?.out).toBe('1');
    cluster.delayWatch('copier', 5_000);
    await cluster.edit(configmaps, 'a', (draft) => {
      draft.data = { in: '2' };
    });
    const before = cluster.simulation.now;
    await cluster.settle();
    expect(cluster.simulation.now - before).toBeGreaterThanOrEqual(4_900);
  });
});

describe('expectTrace', () => {
  it('answers questions of order and time', async () => {
    const cluster = await createTestCluster(bare);
    await cluster.create(configmaps, map('1'));
    await cluster.settle();
    const created = { verb: 'create', kind: 'ConfigMap', name: 'a', by: 'kubernetes-admin' };
    const copied = { verb: 'update', kind: 'ConfigMap', name: 'a', by: 'copier', field: 'data.out', equals: '1' };
    expectTrace(cluster).happened(copied, { after: created });
    expectTrace(cluster).before(created, copied);
    expectTrace(cluster).within(100, copied, { after: created });
    expectTrace(cluster).never({ kind: 'Secret', by: 'copier' });
    expect(() => expectTrace(cluster).never(copied)).toThrow(/^expected no .*"by":"copier".*, but it happened at \d+\.\d{3}s/);
    expect(() => expectTrace(cluster).before(copied, created)).toThrow('but at');
  });
});

describe('exploration', () => {
  it('crashes a controller after each of its writes', async () => {
    const writes = await crashAfterEachWrite({
      cluster: bare,
      controller: 'copier',
      act: async (cluster) => void (await cluster.create(configmaps, map('1'))),
      check: async (cluster) => expect((await cluster.get(configmaps, 'a'))?.data?.out).toBe('1'),
    });
    expect(writes).toBe(2);
  });

  it('names the crash that a controller did not survive', async () => {
    const forgetful = defineController({
      name: 'forgetful',
      for: configmaps,
      reconcile: async (request, { client, reader }) => {
        const { data } = (await reader.get(configmaps, request)) ?? {};
        if (data?.in === undefined || data.begun) return;
        await client.resource(configmaps).patch(request, { data: { begun: 'yes' } }, { type: 'merge' });
        await client.resource(configmaps).patch(request, { data: { out: data.in } }, { type: 'merge' });
      },
    });
    const run = crashAfterEachWrite({
      cluster: { ...bare, userControllers: [forgetful] },
      controller: 'forgetful',
      act: async (cluster) => void (await cluster.create(configmaps, map('1'))),
      check: async (cluster) => expect((await cluster.get(configmaps, 'a'))?.data?.out).toBe('1'),
    });
    await expect(run).rejects.toThrow('crash of forgetful after its write 1 of 2: ');
  });

  it('names the seed that fails', async () => {
    const seen: string[] = [];
    const run = forEachSeed({ seeds: 5, cluster: bare }, async (cluster) => {
      seen.push(cluster.simulation.seed);
      if (seen.length === 3) throw new Error('unlucky');
    });
    await expect(run).rejects.toThrow('seed "3": unlucky');
    expect(seen).toEqual(['1', '2', '3']);
  });
});

it('does the same again with the same seed, crashes and permuted order included', async () => {
  const digest = async (seed: string) => {
    const cluster = await createTestCluster({ nodes: 2, userControllers: [copier], digest: true, ties: 'shuffle', seed });
    await cluster.create(configmaps, map('1'));
    cluster.crash('copier');
    await cluster.kubectl(['create', 'deployment', 'web', '--image=nginx', '--replicas=3']);
    await cluster.advance(5_000);
    cluster.restart('copier');
    await cluster.settle();
    return cluster.simulation.trace.digest();
  };
  const [first, again, other] = [await digest('7'), await digest('7'), await digest('8')];
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

it('has ready nodes from the start', async () => {
  const cluster = await createTestCluster({ nodes: 2 });
  for (const name of ['n1', 'n2']) await cluster.waitUntilReady(nodes, name, { withinMs: 0 });
});

it('names a controller that never comes to rest, soon', async () => {
  let writes = 0;
  const restless = defineController({
    name: 'restless',
    for: configmaps,
    reconcile: async (request, { client }) => {
      if (request.name !== 'a') return;
      await client.resource(configmaps).patch(request, { data: { writes: String(writes++) } }, { type: 'merge' });
    },
  });
  const making = createTestCluster({ ...bare, userControllers: [restless] }).then(async (cluster) => {
    await cluster.create(configmaps, { metadata: { name: 'a' } });
    await cluster.settle({ maxEvents: 1_000 });
  });
  await expect(making).rejects.toThrow(/^not settled within 1000 events; kept busy by .*controller\/restless/);
});

it('takes custom objects as they are written down', async () => {
  const cluster = await createTestCluster({ nodes: 0 });
  const refused = cluster.apply({ apiVersion: 'example.com/v1', kind: 'Backup', metadata: { name: 'b' }, spec: { volume: 'data' } });
  await expect(refused).rejects.toThrow('no matches for kind "Backup" in version "example.com/v1"');
});
