import { describe, expect, it } from 'vitest';
import { isConditionTrue } from '../../src/api/conditions.ts';
import { events, jobs, leases, services, statefulsets } from '../../src/api/resources.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';
import { type Backup, backups, type Database, databases } from './api.ts';

const database = (more: Partial<Database['spec']> = {}): Database => ({
  apiVersion: 'example.com/v1',
  kind: 'Database',
  metadata: { name: 'orders' },
  spec: { engine: 'postgresql', version: '16', storageSize: '10Gi', ...more },
});
const backup = (source: string): Backup => ({
  apiVersion: 'example.com/v1',
  kind: 'Backup',
  metadata: { name: 'nightly' },
  spec: { source, destination: 's3://bucket' },
});

const nodes = [{ name: 'n1', images: ['postgres:16', 'postgres:17', 'busybox:1.36'] }];
const operatorCluster = (replicas = 1) => createTestCluster({ nodes, addons: { 'database-operator': { replicas } } });

async function expectReady(cluster: TestCluster, replicas: number): Promise<void> {
  const found = await cluster.get(databases, 'orders');
  expect(found?.status).toMatchObject({ phase: 'Ready', readyReplicas: replicas, observedGeneration: found?.metadata.generation });
  expect((await cluster.get(statefulsets, 'orders'))?.status?.readyReplicas).toBe(replicas);
}

describe('a Database', () => {
  it('becomes ready, changes, and goes', async () => {
    const cluster = await operatorCluster();
    await cluster.create(databases, database({ replicas: 2 }));
    await cluster.settle();
    await expectReady(cluster, 2);
    await cluster.expectEvents(databases, 'orders', [
      'Normal ServiceCreated: Created Service orders',
      'Normal StatefulSetCreated: Created StatefulSet orders',
      'Normal Ready: Database is ready',
    ]);
    await cluster.edit(databases, 'orders', (draft) => {
      draft.spec.version = '17';
    });
    await cluster.settle();
    await expectReady(cluster, 2);
    const set = await cluster.get(statefulsets, 'orders');
    expect(set?.spec?.template.spec?.containers[0]?.image).toBe('postgres:17');
    await cluster.advance(60_000);
    await cluster.delete(databases, 'orders');
    await cluster.waitUntilGone(statefulsets, 'orders');
    await cluster.waitUntilGone(services, 'orders');
  });

  it('writes nothing when nothing changed', async () => {
    const cluster = await operatorCluster();
    await cluster.create(databases, database());
    await cluster.settle();
    const { last } = cluster.simulation.trace;
    await cluster.advance(600_000);
    cluster.restart('database-operator-1');
    cluster.crash('database-operator-1');
    cluster.restart('database-operator-1');
    await cluster.settle();
    const written = cluster.simulation.trace.entries.filter(({ seq, kind }) => seq > last && kind === 'write');
    expect(written.filter((entry) => entry.kind === 'write' && entry.user.endsWith(':database-operator'))).toEqual([]);
  });

  const POINTS = [
    { verb: 'update', resource: 'databases' },
    { verb: 'create', resource: 'services' },
    { verb: 'create', resource: 'statefulsets' },
    { verb: 'update', resource: 'databases', subresource: 'status' },
  ] as const;
  it.each(
    POINTS.flatMap((point) => [
      { ...point, when: 'unsent' as const },
      { ...point, when: 'answered' as const },
    ]),
  )('becomes ready when the operator crashes, $when: $verb $resource $subresource', async (point) => {
    const cluster = await operatorCluster();
    cluster.fault({ fault: 'crash-at', component: 'database-operator-1', ...point });
    await cluster.create(databases, database());
    await cluster.settle();
    expect(cluster.simulation.actors.get('database-operator-1')?.state).toBe('crashed');
    cluster.restart('database-operator-1');
    await cluster.settle();
    await expectReady(cluster, 1);
  });
});

describe('a Backup', () => {
  it('waits for its Database, and is carried out once', async () => {
    const cluster = await operatorCluster();
    await cluster.create(backups, backup('database/orders'));
    await cluster.advance(30_000);
    expect((await cluster.get(backups, 'nightly'))?.status?.phase).toBe('Pending');
    await cluster.create(databases, database());
    await cluster.settle();
    const done = await cluster.get(backups, 'nightly');
    expect(done?.status?.phase).toBe('Succeeded');
    expect(isConditionTrue(done?.status?.conditions, 'Complete')).toBe(true);
    expect((await cluster.list(jobs, { namespace: 'default' })).length).toBe(1);
    expect(await cluster.eventsOf(backups, 'nightly')).toEqual([
      'Warning SourceNotFound: Database "orders" does not exist',
      'Normal BackupStarted: Created Job nightly-run',
      'Normal BackupSucceeded: Backup is at s3://bucket',
    ]);
  });

  it('fails with its Job', async () => {
    const cluster = await createTestCluster({
      nodes: [{ name: 'n1' }],
      addons: { 'database-operator': {} },
      images: [{ name: 'busybox', programs: ['sh'], exit: { afterMs: 100, code: 1 } }],
    });
    await cluster.create(backups, backup('/data'));
    await cluster.settle();
    expect((await cluster.get(backups, 'nightly'))?.status?.phase).toBe('Failed');
    await cluster.expectEvents(backups, 'nightly', ['Warning BackupFailed: Job nightly-run failed']);
  });
});

describe('several replicas', () => {
  it('have one leader; the next one takes over when its Lease has run out', async () => {
    const cluster = await operatorCluster(2);
    const lease = { namespace: 'kube-system', name: 'database-operator.example.com' };
    const first = (await cluster.get(leases, lease))?.spec?.holderIdentity ?? '';
    expect(first).toMatch(/^database-operator-\d_[0-9a-f-]{36}$/);
    cluster.crash(first.split('_')[0] ?? '');
    await cluster.create(databases, database());
    await cluster.advance(10_000);
    expect((await cluster.get(databases, 'orders'))?.status).toBeUndefined();
    await cluster.settle();
    await expectReady(cluster, 1);
    expect((await cluster.get(leases, lease))?.spec).toMatchObject({ leaseTransitions: 1, leaseDurationSeconds: 15 });
    const reported = await cluster.list(events, {
      namespace: 'kube-system',
      fieldSelector: 'involvedObject.kind=Lease,reason=LeaderElection',
    });
    expect(reported.map(({ message }) => message).filter((message) => message?.startsWith('database-operator'))).toHaveLength(2);
  });

  it('give the Lease back on a clean end', async () => {
    const cluster = await operatorCluster(2);
    const lease = { namespace: 'kube-system', name: 'database-operator.example.com' };
    const leader = (await cluster.get(leases, lease))?.spec?.holderIdentity?.split('_')[0] ?? '';
    cluster.simulation.actors.get(leader)?.terminate();
    await cluster.advance(5_000);
    expect((await cluster.get(leases, lease))?.spec).toMatchObject({ leaseTransitions: 1 });
  });
});
