// Goal: StatefulSets keep order, names and claims. Method: a control plane with nothing but this controller; the test reports for the pods.
import { beforeEach, describe, expect, it } from 'vitest';
import type { StatefulSet, StatefulSetSpec } from '../../../src/api/kinds/apps-v1.ts';
import type { PersistentVolumeClaim, Pod } from '../../../src/api/kinds/core-v1.ts';
import { controllerrevisions, events, persistentvolumeclaims, pods, serviceaccounts, statefulsets } from '../../../src/api/resources.ts';
import { formatTime } from '../../../src/api/time.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const NAMESPACE = 'default';
const DB = { namespace: NAMESPACE, name: 'db' };
const LABELS = { app: 'db' };
let plane: ControlPlane;

beforeEach(async () => {
  plane = new ControlPlane(['statefulset-controller', 'garbage-collector-controller']);
  await plane.act((client) => client.resource(serviceaccounts).create({ metadata: { namespace: NAMESPACE, name: 'default' } }));
  await plane.simulation.settle();
});

const template = (image: string) => ({
  metadata: { labels: LABELS },
  spec: { schedulerName: 'nobody', containers: [{ name: 'db', image }] },
});
const claimTemplate: PersistentVolumeClaim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

async function create(spec: Partial<StatefulSetSpec>): Promise<void> {
  const object: StatefulSet = {
    metadata: DB,
    spec: { serviceName: 'db', selector: { matchLabels: LABELS }, template: template('db:1'), ...spec },
  };
  await plane.act((client) => client.resource(statefulsets).create(object));
  await plane.simulation.settle();
}

async function change(spec: Partial<StatefulSetSpec>): Promise<void> {
  await plane.act((client) => client.resource(statefulsets).patch(DB, { spec }, { type: 'merge' }));
  await plane.simulation.settle();
}

const current = (): Promise<StatefulSet> => plane.act((client) => client.resource(statefulsets).get(DB));
const all = async (): Promise<Pod[]> => (await plane.act((client) => client.resource(pods).list({ namespace: NAMESPACE }))).items;
/** `name image`, in order. */
const names = async (): Promise<string[]> =>
  (await all()).map(({ metadata, spec }) => `${metadata.name} ${spec?.containers[0]?.image}`).sort();
/** But for those that are being deleted: the finalizer that protects them is another controller's to take off. */
const claims = async (): Promise<PersistentVolumeClaim[]> =>
  (await plane.act((client) => client.resource(persistentvolumeclaims).list({ namespace: NAMESPACE }))).items.filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  );

async function report(name: string, status: object): Promise<void> {
  const at = { namespace: NAMESPACE, name };
  await plane.act((client) => client.resource(pods).patch(at, { status }, { type: 'merge', subresource: 'status' }));
  await plane.simulation.settle();
}

async function makeReady(...ordinals: number[]): Promise<void> {
  const lastTransitionTime = formatTime(plane.simulation.wallTime);
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] };
  for (const ordinal of ordinals) await report(`db-${ordinal}`, status);
}

describe('a StatefulSet', () => {
  it('makes a pod only when the one before it is ready', async () => {
    await create({ replicas: 3 });
    expect(await names()).toEqual(['db-0 db:1']);
    await makeReady(0);
    expect(await names()).toEqual(['db-0 db:1', 'db-1 db:1']);
    await makeReady(1, 2);
    expect((await current()).status).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 3, currentReplicas: 3 });
  });

  it('makes all of them at once when they are parallel', async () => {
    await create({ replicas: 3, podManagementPolicy: 'Parallel' });
    expect(await names()).toHaveLength(3);
    await change({ replicas: 0 });
    expect(await names()).toEqual([]);
  });

  it('begins to count at its first ordinal', async () => {
    await create({ replicas: 2, ordinals: { start: 5 }, podManagementPolicy: 'Parallel' });
    expect(await names()).toEqual(['db-5 db:1', 'db-6 db:1']);
    await change({ ordinals: { start: 6 } });
    await makeReady(6, 7);
    expect(await names()).toEqual(['db-6 db:1', 'db-7 db:1']);
  });

  it('updates from the highest ordinal down to the partition', async () => {
    await create({
      replicas: 3,
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
    });
    await makeReady(0, 1, 2);
    await change({ template: template('db:2') });
    expect(await names()).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:2']);
    await makeReady(2);
    expect(await names()).toEqual(['db-0 db:1', 'db-1 db:2', 'db-2 db:2']);
    await makeReady(1);
    const { status } = await current();
    expect(status).toMatchObject({ currentReplicas: 1, updatedReplicas: 2 });
    expect(status?.currentRevision).not.toBe(status?.updateRevision);
    await plane.act((client) => client.resource(pods).delete({ namespace: NAMESPACE, name: 'db-0' }));
    await plane.simulation.settle();
    expect(await names()).toContain('db-0 db:1');
    await makeReady(0);
    await change({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } });
    await makeReady(0);
    expect(await names()).toEqual(['db-0 db:2', 'db-1 db:2', 'db-2 db:2']);
    const done = (await current()).status;
    expect(done?.currentRevision).toBe(done?.updateRevision);
  });

  it('keeps revisions that are in use, and as many others as its limit says', async () => {
    await create({ replicas: 1, revisionHistoryLimit: 1 });
    for (const image of ['db:2', 'db:3', 'db:4']) {
      await makeReady(0);
      await change({ template: template(image) });
    }
    await makeReady(0);
    const list = await plane.act((client) => client.resource(controllerrevisions).list({ namespace: NAMESPACE }));
    expect(list.items.map(({ revision }) => revision).sort()).toEqual([3, 4]);
  });

  it('makes a pod again that has failed', async () => {
    await create({ replicas: 1 });
    const [before] = await all();
    await report('db-0', { phase: 'Failed' });
    const [after] = await all();
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  });

  it('takes back a pod whose name label was lost', async () => {
    await create({ replicas: 1 });
    await makeReady(0);
    const labels = { 'statefulset.kubernetes.io/pod-name': null };
    await plane.act((client) =>
      client.resource(pods).patch({ namespace: NAMESPACE, name: 'db-0' }, { metadata: { labels } }, { type: 'merge' }),
    );
    await plane.simulation.settle();
    expect((await all())[0]?.metadata.labels).toMatchObject({ 'statefulset.kubernetes.io/pod-name': 'db-0' });
  });

  it('says why a pod cannot be made', async () => {
    await plane.act((client) => client.resource(serviceaccounts).delete({ namespace: NAMESPACE, name: 'default' }));
    await create({ replicas: 1 });
    const list = await plane.act((client) => client.resource(events).list({ namespace: NAMESPACE }));
    expect(list.items.map(({ reason, message }) => `${reason} ${message}`)).toContain(
      'FailedCreate create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: error looking up service account default/default: serviceaccount "default" not found',
    );
  });
});

describe('the status', () => {
  it('is written as a whole: conditions of others go with the next write', async () => {
    await create({ replicas: 1 });
    const status = { conditions: [{ type: 'Scanned', status: 'True' }] };
    await plane.act((client) => client.resource(statefulsets).patch(DB, { status }, { type: 'merge', subresource: 'status' }));
    await plane.simulation.settle();
    expect((await current()).status?.conditions).toHaveLength(1);
    await makeReady(0);
    expect((await current()).status).toMatchObject({ readyReplicas: 1 });
    expect((await current()).status?.conditions).toBeUndefined();
  });
});

describe('minReadySeconds', () => {
  it('is waited for when a pod is ready, and by nobody before', async () => {
    await create({ replicas: 1, minReadySeconds: 10 });
    expect((await current()).status).toMatchObject({ replicas: 1, availableReplicas: 0 });
    await makeReady(0);
    expect((await current()).status).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });
  });
});

describe('claims', () => {
  const withClaims = (whenScaled: string, whenDeleted: string): Partial<StatefulSetSpec> => ({
    replicas: 2,
    podManagementPolicy: 'Parallel',
    volumeClaimTemplates: [claimTemplate],
    persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted },
  });
  const owners = async (): Promise<string[]> =>
    (await claims()).map(
      ({ metadata }) => `${metadata.name} ${(metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind}/${name}`)}`,
    );

  it('are made before their pods and stay', async () => {
    await create(withClaims('Retain', 'Retain'));
    expect(await owners()).toEqual(['data-db-0 ', 'data-db-1 ']);
    expect((await all())[0]?.spec?.volumes?.[0]).toEqual({ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } });
    await change({ replicas: 0 });
    expect(await owners()).toEqual(['data-db-0 ', 'data-db-1 ']);
  });

  it('go with the pod when the set is scaled down', async () => {
    await create(withClaims('Delete', 'Retain'));
    await makeReady(0, 1);
    await change({ replicas: 1 });
    expect(await owners()).toEqual(['data-db-0 ']);
  });

  it('get their owner also when their pod cannot be made', async () => {
    const { metadata, spec } = template('db:1');
    await create({ ...withClaims('Retain', 'Delete'), replicas: 1, template: { metadata, spec: { ...spec, serviceAccountName: 'none' } } });
    expect(await names()).toEqual([]);
    expect(await owners()).toEqual(['data-db-0 StatefulSet/db']);
  });

  it('go with the set when it is deleted', async () => {
    await create(withClaims('Retain', 'Delete'));
    await makeReady(0, 1);
    expect(await owners()).toEqual(['data-db-0 StatefulSet/db', 'data-db-1 StatefulSet/db']);
    await change({ persistentVolumeClaimRetentionPolicy: { whenScaled: 'Retain', whenDeleted: 'Retain' } });
    expect(await owners()).toEqual(['data-db-0 ', 'data-db-1 ']);
    await change({ persistentVolumeClaimRetentionPolicy: { whenScaled: 'Retain', whenDeleted: 'Delete' } });
    await plane.act((client) => client.resource(statefulsets).delete(DB));
    await plane.simulation.settle();
    expect(await owners()).toEqual([]);
  });
});
