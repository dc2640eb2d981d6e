// Goal: CronJobs start Jobs when it is time, at most one of those missed. Method: a control plane with this controller and that of Jobs, hours at a time.
import { beforeEach, describe, expect, it } from 'vitest';
import type { CronJob, CronJobSpec, Job } from '../../../src/api/kinds/batch-v1.ts';
import { cronjobs, events, jobs, pods, serviceaccounts } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const NAMESPACE = 'default';
const REPORT = { namespace: NAMESPACE, name: 'report' };
const TEMPLATE = { spec: { schedulerName: 'nobody', restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
const MINUTE = 60_000;
let plane: ControlPlane;

beforeEach(async () => {
  plane = new ControlPlane(['cronjob-controller', 'job-controller', 'garbage-collector-controller']);
  await plane.act((client) => client.resource(serviceaccounts).create({ metadata: { namespace: NAMESPACE, name: 'default' } }));
  await plane.simulation.settle();
});

async function create(spec: Partial<CronJobSpec>): Promise<void> {
  const jobTemplate = { spec: { backoffLimit: 0, template: TEMPLATE } };
  const object: CronJob = { metadata: REPORT, spec: { schedule: '*/10 * * * *', jobTemplate, ...spec } };
  await plane.act((client) => client.resource(cronjobs).create(object));
  await plane.simulation.settle();
}

const current = (): Promise<CronJob> => plane.act((client) => client.resource(cronjobs).get(REPORT));
const allJobs = async (): Promise<Job[]> => (await plane.act((client) => client.resource(jobs).list({ namespace: NAMESPACE }))).items;
const reasons = async (): Promise<string[]> =>
  (await plane.act((client) => client.resource(events).list({ namespace: NAMESPACE }))).items
    .filter(({ involvedObject }) => involvedObject.kind === 'CronJob')
    .map(({ reason }) => reason ?? '');

async function endPods(phase: string): Promise<void> {
  const { items } = await plane.act((client) => client.resource(pods).list({ namespace: NAMESPACE }));
  for (const { metadata, status } of items) {
    if (status?.phase !== 'Pending') continue;
    const at = { namespace: NAMESPACE, name: metadata.name ?? '' };
    await plane.act((client) => client.resource(pods).patch(at, { status: { phase } }, { type: 'merge', subresource: 'status' }));
  }
  await plane.simulation.advance(5000);
}

describe('a CronJob', () => {
  it('starts a Job at each time, named after it', async () => {
    await create({});
    await plane.simulation.advance(21 * MINUTE);
    const started = (await allJobs()).map(({ metadata }) => [metadata.name, metadata.annotations]);
    const epoch = Date.UTC(2026, 0, 1) / MINUTE;
    expect(started).toEqual(
      [10, 20].map((minute) => [
        `report-${epoch + minute}`,
        { 'batch.kubernetes.io/cronjob-scheduled-timestamp': `2026-01-01T00:${minute}:00Z` },
      ]),
    );
    expect((await current()).status).toMatchObject({
      lastScheduleTime: '2026-01-01T00:20:00Z',
      active: [{ kind: 'Job' }, { kind: 'Job' }],
    });
  });

  it('keeps the last three that succeeded and the last one that failed', async () => {
    await create({});
    for (let run = 0; run < 7; run++) {
      await plane.simulation.advance(10 * MINUTE);
      await endPods(run % 3 === 2 ? 'Failed' : 'Succeeded');
    }
    const kept = (await allJobs()).map(({ status }) => status?.conditions?.at(-1)?.type);
    expect(kept.filter((type) => type === 'Complete')).toHaveLength(3);
    expect(kept.filter((type) => type === 'Failed')).toHaveLength(1);
    expect((await current()).status).not.toHaveProperty('active');
  });

  it('starts one of several missed runs when it is resumed', async () => {
    await create({ suspend: true });
    await plane.simulation.advance(95 * MINUTE);
    expect(await allJobs()).toEqual([]);
    await plane.act((client) => client.resource(cronjobs).patch(REPORT, { spec: { suspend: false } }, { type: 'merge' }));
    await plane.simulation.settle();
    expect(await allJobs()).toHaveLength(1);
    expect((await current()).status?.lastScheduleTime).toBe('2026-01-01T01:30:00Z');
  });

  it('starts no run whose deadline is over', async () => {
    await create({ suspend: true, startingDeadlineSeconds: 60 });
    await plane.simulation.advance(95 * MINUTE);
    await plane.act((client) => client.resource(cronjobs).patch(REPORT, { spec: { suspend: false } }, { type: 'merge' }));
    await plane.simulation.settle();
    expect(await allJobs()).toEqual([]);
    await plane.simulation.advance(6 * MINUTE);
    expect(await allJobs()).toHaveLength(1);
  });

  it('waits for the Job before when runs must not overlap', async () => {
    await create({ concurrencyPolicy: 'Forbid' });
    await plane.simulation.advance(25 * MINUTE);
    expect(await allJobs()).toHaveLength(1);
    expect(await reasons()).toContain('JobAlreadyActive');
    await endPods('Succeeded');
    expect(await allJobs()).toHaveLength(2);
  });

  it('takes the place of the Job before when it replaces', async () => {
    await create({ concurrencyPolicy: 'Replace' });
    await plane.simulation.advance(21 * MINUTE);
    expect((await allJobs()).map(({ metadata }) => metadata.name)).toEqual([`report-${Date.UTC(2026, 0, 1, 0, 20) / MINUTE}`]);
    expect((await current()).status?.active).toHaveLength(1);
  });

  it('follows a new schedule from now on', async () => {
    await create({ schedule: '0 12 * * *' });
    await plane.act((client) => client.resource(cronjobs).patch(REPORT, { spec: { schedule: '*/5 * * * *' } }, { type: 'merge' }));
    await plane.simulation.advance(6 * MINUTE);
    expect(await allJobs()).toHaveLength(1);
  });
});
