import { beforeEach, describe, expect, it } from 'vitest';
import type { ReplicaSet, ReplicaSetSpec } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { events, pods, replicasets, replicationcontrollers, serviceaccounts } from '../../../src/api/resources.ts';
import { formatTime } from '../../../src/api/time.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const NAMESPACE = 'default';
const WEB = { namespace: NAMESPACE, name: 'web' };
const LABELS = { app: 'web' };
let plane: ControlPlane;

beforeEach(async () => {
  plane = new ControlPlane(['replicaset-controller', 'replicationcontroller-controller']);
  await plane.act((client) => client.resource(serviceaccounts).create({ metadata: { namespace: NAMESPACE, name: 'default' } }));
  await plane.simulation.settle();
});

const podSpec = (serviceAccountName = 'default') => ({
  schedulerName: 'nobody',
  serviceAccountName,
  containers: [{ name: 'web', image: 'nginx' }],
});

async function create(spec: Partial<ReplicaSetSpec>): Promise<void> {
  const template = { metadata: { labels: LABELS }, spec: podSpec() };
  const object: ReplicaSet = { metadata: WEB, spec: { selector: { matchLabels: LABELS }, template, ...spec } };
  await plane.act((client) => client.resource(replicasets).create(object));
  await plane.simulation.settle();
}

const current = (): Promise<ReplicaSet> => plane.act((client) => client.resource(replicasets).get(WEB));
const all = async (): Promise<Pod[]> => (await plane.act((client) => client.resource(pods).list({ namespace: NAMESPACE }))).items;

async function patchPod(pod: Pod | undefined, change: object, subresource?: string): Promise<void> {
  const at = { namespace: NAMESPACE, name: pod?.metadata.name ?? '' };
  await plane.act((client) => client.resource(pods).patch(at, change, { type: 'merge', ...(subresource ? { subresource } : {}) }));
  await plane.simulation.settle();
}

async function makeReady(pod: Pod | undefined): Promise<void> {
  const lastTransitionTime = formatTime(plane.simulation.wallTime);
  await patchPod(pod, { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] } }, 'status');
}

async function scale(replicas: number): Promise<void> {
  await plane.act((client) => client.resource(replicasets).patch(WEB, { spec: { replicas } }, { type: 'merge' }));
  await plane.simulation.settle();
}

describe('a ReplicaSet', () => {
  it('makes its pods in growing batches and counts them in one write', async () => {
    await create({ replicas: 7 });
    const times = plane.writes('pods').map((line) => Number(line.split(' ')[0]));
    const batches = times.map((time, index) =>
      index === 0 || time !== times[index - 1] ? times.filter((other) => other === time).length : 0,
    );
    expect(batches.filter(Boolean)).toEqual([1, 2, 4]);
    const writes = plane.writes('replicasets').map((line) => line.replace(/^\d+ /, ''));
    expect(writes).toEqual([
      'kubernetes-admin create web',
      'replicaset-controller update web/status',
      'replicaset-controller update web/status',
    ]);
    expect((await current()).status).toEqual({ replicas: 7, fullyLabeledReplicas: 7, observedGeneration: 1 });
  });

  it('takes the pod that is not ready when it is scaled down', async () => {
    await create({ replicas: 3 });
    const [first, second] = await all();
    await makeReady(first);
    await makeReady(second);
    await scale(2);
    expect((await all()).map(({ metadata }) => metadata.uid)).toEqual([first?.metadata.uid, second?.metadata.uid]);
  });

  it('counts a pod as available after minReadySeconds', async () => {
    await create({ replicas: 1, minReadySeconds: 10 });
    const [pod] = await all();
    await patchPod(pod, { metadata: { annotations: { note: 'x' } } });
    await plane.act((client) => {
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(plane.simulation.wallTime) }];
      const at = { namespace: NAMESPACE, name: pod?.metadata.name ?? '' };
      return client.resource(pods).patch(at, { status: { phase: 'Running', conditions } }, { type: 'merge', subresource: 'status' });
    });
    await plane.simulation.advance(1_000);
    expect((await current()).status).toMatchObject({ readyReplicas: 1 });
    expect((await current()).status?.availableReplicas).toBeUndefined();
    await plane.simulation.advance(10_000);
    expect((await current()).status).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });
  });

  it('waits for no pod that does not say since when it is ready', async () => {
    await create({ replicas: 1, minReadySeconds: 10 });
    await patchPod((await all())[0], { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }, 'status');
    const { status } = await current();
    expect([status?.readyReplicas, status?.availableReplicas]).toEqual([1, undefined]);
  });

  it('adopts a pod that it selects, and lets one go that it does not select any more', async () => {
    await plane.act((client) => client.resource(pods).create({ metadata: { ...WEB, labels: LABELS }, spec: podSpec() }));
    await create({ replicas: 1 });
    const [adopted] = await all();
    expect(adopted && getControllerOf(adopted)?.name).toBe('web');
    await patchPod(adopted, { metadata: { labels: { app: 'debug' } } });
    const owners = (await all()).map((pod) => `${pod.metadata.labels?.app} ${getControllerOf(pod)?.name}`).sort();
    expect(owners).toEqual(['debug undefined', 'web web']);
  });

  it('says what keeps it from making pods, tries again, and settles nevertheless', async () => {
    await create({ replicas: 1, template: { metadata: { labels: LABELS }, spec: podSpec('robot') } });
    const why = 'pods "web-" is forbidden: error looking up service account default/robot: serviceaccount "robot" not found';
    expect((await current()).status?.conditions).toMatchObject([
      { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: why },
    ]);
    const { items } = await plane.act((client) => client.resource(events).list({ namespace: NAMESPACE }));
    expect(items.map(({ reason, message }) => `${reason} ${message}`)).toEqual([`FailedCreate Error creating: ${why}`]);
    await plane.act((client) => client.resource(serviceaccounts).create({ metadata: { namespace: NAMESPACE, name: 'robot' } }));
    await plane.simulation.advance(120_000);
    expect((await current()).status).toEqual({ replicas: 1, fullyLabeledReplicas: 1, observedGeneration: 1 });
  });

  it('replaces a pod that has failed, and leaves it alone', async () => {
    await create({ replicas: 1 });
    const [pod] = await all();
    await patchPod(pod, { status: { phase: 'Failed' } }, 'status');
    expect((await all()).map(({ status }) => status?.phase).sort()).toEqual(['Failed', 'Pending']);
  });
});

describe('a ReplicaSet with the longest name that there is', () => {
  it('names its pods after itself like any other', async () => {
    const name = 'a'.repeat(253);
    const template = { metadata: { labels: LABELS }, spec: podSpec() };
    const object: ReplicaSet = { metadata: { ...WEB, name }, spec: { selector: { matchLabels: LABELS }, template } };
    await plane.act((client) => client.resource(replicasets).create(object));
    await plane.simulation.settle();
    expect((await all()).map(({ metadata }) => metadata.generateName)).toEqual([`${name}-`]);
  });
});

describe('a ReplicationController', () => {
  it('is kept by the same code under its own name', async () => {
    const template = { metadata: { labels: LABELS }, spec: podSpec() };
    await plane.act((client) => client.resource(replicationcontrollers).create({ metadata: WEB, spec: { replicas: 2, template } }));
    await plane.simulation.settle();
    const rc = await plane.act((client) => client.resource(replicationcontrollers).get(WEB));
    expect(rc.status).toEqual({ replicas: 2, fullyLabeledReplicas: 2, observedGeneration: 1 });
    expect((await all()).map((pod) => getControllerOf(pod)?.kind)).toEqual(['ReplicationController', 'ReplicationController']);
    expect(plane.writes('replicationcontrollers').at(-1)).toContain('replication-controller update web/status');
  });
});
