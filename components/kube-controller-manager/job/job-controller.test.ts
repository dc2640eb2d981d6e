// Goal: Jobs create, retry, count and end as in a real cluster. Method: a control plane with nothing but this controller; the test reports for the pods.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Job, JobSpec } from '../../../src/api/kinds/batch-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { jobs, pods, serviceaccounts } from '../../../src/api/resources.ts';
import { formatTime } from '../../../src/api/time.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const NAMESPACE = 'default';
const TASK = { namespace: NAMESPACE, name: 'task' };
const INDEX = 'batch.kubernetes.io/job-completion-index';
const SECOND = 1000;
let plane: ControlPlane;

beforeEach(async () => {
  plane = new ControlPlane(['job-controller', 'ttl-after-finished-controller', 'garbage-collector-controller']);
  await plane.act((client) => client.resource(serviceaccounts).create({ metadata: { namespace: NAMESPACE, name: 'default' } }));
  await plane.simulation.settle();
});

/** Lets the Job take notice, without waiting for a back-off. */
const notice = (ms = 3 * SECOND): Promise<unknown> => plane.simulation.advance(ms);

async function create(spec: Partial<JobSpec>): Promise<void> {
  const template = { spec: { schedulerName: 'nobody', restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
  await plane.act((client) => client.resource(jobs).create({ metadata: TASK, spec: { template, ...spec } } as Job));
  await notice();
}

const current = (): Promise<Job> => plane.act((client) => client.resource(jobs).get(TASK));
const all = async (): Promise<Pod[]> => (await plane.act((client) => client.resource(pods).list({ namespace: NAMESPACE }))).items;
const pending = async (): Promise<Pod[]> => (await all()).filter((pod) => pod.status?.phase === 'Pending');
const conditions = async (): Promise<string[]> =>
  ((await current()).status?.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`);

async function report(pod: Pod | undefined, status: object): Promise<void> {
  const at = { namespace: NAMESPACE, name: pod?.metadata.name ?? '' };
  await plane.act((client) => client.resource(pods).patch(at, { status }, { type: 'merge', subresource: 'status' }));
  await notice();
}

async function change(spec: Partial<JobSpec>): Promise<void> {
  await plane.act((client) => client.resource(jobs).patch(TASK, { spec }, { type: 'merge' }));
  await notice();
}

const exited = (exitCode: number): object => {
  const terminated = { exitCode, finishedAt: formatTime(plane.simulation.wallTime) };
  const status = { name: 'main', image: '', imageID: '', ready: false, restartCount: 0, state: { terminated } };
  return { phase: 'Failed', containerStatuses: [status] };
};

describe('a Job', () => {
  it('is complete when enough pods have succeeded, and lets go of them', async () => {
    await create({ completions: 2, parallelism: 1 });
    for (let round = 0; round < 2; round++) await report((await pending())[0], { phase: 'Succeeded' });
    expect(await conditions()).toEqual(['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
    expect((await current()).status).toMatchObject({ succeeded: 2, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect((await all()).map(({ metadata }) => metadata.finalizers)).toEqual([undefined, undefined]);
  });

  it('waits longer after each failure, and gives up after backoffLimit', async () => {
    await create({ backoffLimit: 2 });
    for (const seconds of [10, 20]) {
      await report((await pending())[0], exited(1));
      await notice((seconds - 6) * SECOND);
      expect(await pending()).toEqual([]);
      await notice(5 * SECOND);
      expect(await pending()).toHaveLength(1);
    }
    await report((await pending())[0], { phase: 'Failed' });
    expect(await conditions()).toEqual(['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
    expect((await current()).status?.failed).toBe(3);
  });

  it('has no pods while it is suspended, and starts over when it is resumed', async () => {
    await create({ parallelism: 2, completions: 2 });
    await change({ suspend: true });
    expect(await all()).toEqual([]);
    expect((await current()).status).not.toHaveProperty('failed');
    expect(await conditions()).toEqual(['Suspended JobSuspended']);
    await change({ suspend: false });
    expect(await pending()).toHaveLength(2);
    expect(await conditions()).toEqual(['Suspended JobResumed']);
  });

  it('is left alone when another controller manages it', async () => {
    await create({ managedBy: 'example.com/queue' });
    expect(await all()).toEqual([]);
    expect((await current()).status).toEqual({});
  });

  it('runs into its deadline', async () => {
    await create({ activeDeadlineSeconds: 5 });
    await notice(5 * SECOND);
    expect(await conditions()).toEqual(['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded']);
    expect(await pending()).toEqual([]);
  });

  it('is deleted with its pods when its time is over', async () => {
    await create({ ttlSecondsAfterFinished: 30 });
    await report((await pending())[0], { phase: 'Succeeded' });
    await notice(20 * SECOND);
    expect(await all()).toHaveLength(1);
    await notice(15 * SECOND);
    expect((await plane.act((client) => client.resource(jobs).list({ namespace: NAMESPACE }))).items).toEqual([]);
    expect(await all()).toEqual([]);
  });

  it('adopts a pod that its selector matches, with the finalizer', async () => {
    await create({ suspend: true });
    const { uid } = (await current()).metadata;
    const orphan: Pod = {
      metadata: { ...TASK, labels: { 'batch.kubernetes.io/controller-uid': uid ?? '' } },
      spec: { schedulerName: 'nobody', containers: [{ name: 'main', image: 'busybox' }] },
    };
    await plane.act((client) => client.resource(pods).create(orphan));
    await notice(500);
    await change({ suspend: false });
    const [pod] = await all();
    expect(pod?.metadata).toMatchObject({ name: 'task', finalizers: ['batch.kubernetes.io/job-tracking'], ownerReferences: [{ uid }] });
    expect(await all()).toHaveLength(1);
  });
});

describe('podFailurePolicy', () => {
  const rules = (action: string): Partial<JobSpec> => ({
    backoffLimit: 0,
    podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [42] } }] },
  });

  it('fails the Job at once', async () => {
    await create({ ...rules('FailJob'), backoffLimit: 6 });
    const [pod] = await pending();
    await report(pod, exited(42));
    const failed = (await current()).status?.conditions?.find(({ type }) => type === 'Failed');
    expect(failed?.message).toBe(
      `Container main for pod default/${pod?.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
    );
  });

  it('ignores a failure, but not another one', async () => {
    await create(rules('Ignore'));
    await report((await pending())[0], exited(42));
    await notice(10 * SECOND);
    expect((await current()).status).not.toHaveProperty('failed');
    await report((await pending())[0], exited(1));
    expect(await conditions()).toEqual(['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
  });
});

describe('an Indexed Job', () => {
  const indexed: Partial<JobSpec> = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
  const ofIndex = async (index: number): Promise<Pod | undefined> =>
    (await pending()).find(({ metadata }) => metadata.annotations?.[INDEX] === String(index));

  it('gives each pod an index and keeps count of them', async () => {
    await create(indexed);
    expect((await all()).map(({ spec }) => spec?.hostname).sort()).toEqual(['task-0', 'task-1', 'task-2']);
    await report(await ofIndex(0), { phase: 'Succeeded' });
    await report(await ofIndex(2), { phase: 'Succeeded' });
    expect((await current()).status).toMatchObject({ completedIndexes: '0,2', succeeded: 2 });
    await report(await ofIndex(1), { phase: 'Succeeded' });
    expect((await current()).status).toMatchObject({ completedIndexes: '0-2', succeeded: 3 });
    expect(await conditions()).toContain('Complete CompletionsReached');
  });

  it('forgets indexes that it has no more when it is scaled down', async () => {
    await create({ completionMode: 'Indexed', completions: 3, parallelism: 3 });
    await report(
      (await pending()).find(({ metadata }) => metadata.annotations?.[INDEX] === '2'),
      { phase: 'Succeeded' },
    );
    expect((await current()).status).toMatchObject({ active: 2, succeeded: 1, completedIndexes: '2' });
    await change({ completions: 2, parallelism: 2 });
    const { status } = await current();
    expect(status).toMatchObject({ active: 2 });
    expect([status?.succeeded, status?.completedIndexes]).toEqual([undefined, undefined]);
  });

  it('retries each index on its own, and fails when an index has', async () => {
    await create({ ...indexed, completions: 2, parallelism: 2, backoffLimitPerIndex: 1 });
    await report(await ofIndex(0), { phase: 'Failed' });
    expect((await current()).status).toMatchObject({ failedIndexes: '' });
    await notice(10 * SECOND);
    const retried = await ofIndex(0);
    expect(retried?.metadata.annotations).toMatchObject({ 'batch.kubernetes.io/job-index-failure-count': '1' });
    await report(retried, { phase: 'Failed' });
    expect((await current()).status).toMatchObject({ failedIndexes: '0', failed: 2 });
    await report(await ofIndex(1), { phase: 'Succeeded' });
    expect(await conditions()).toEqual(['FailureTarget FailedIndexes', 'Failed FailedIndexes']);
  });

  it('ends when a rule of its successPolicy holds', async () => {
    await create({ ...indexed, successPolicy: { rules: [{ succeededIndexes: '0,1', succeededCount: 1 }] } });
    await report(await ofIndex(1), { phase: 'Succeeded' });
    expect(await conditions()).toEqual(['SuccessCriteriaMet SuccessPolicy', 'Complete SuccessPolicy']);
    expect(await pending()).toEqual([]);
  });
});
