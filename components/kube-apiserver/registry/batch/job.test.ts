import { expect, test } from 'vitest';
import { cronjobs, jobs } from '../../../../src/api/resources.ts';
import { tryCreate, tryUpdate } from '../try-strategy.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'busybox:1.36' }] } };
const job = (spec: object = {}): object => ({ metadata: { name: 'work' }, spec: { template, ...spec } });

test('a job gets defaults, a selector and labels of its own', () => {
  const { object, problems } = tryCreate(jobs, job());
  expect(problems).toEqual([]);
  expect(object.spec).toMatchObject({
    completions: 1,
    parallelism: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: 'TerminatingOrFailed',
  });
  expect(object.spec?.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'uid' } });
  const labels = {
    'controller-uid': 'uid',
    'batch.kubernetes.io/controller-uid': 'uid',
    'job-name': 'work',
    'batch.kubernetes.io/job-name': 'work',
  };
  expect(object.spec?.template.metadata?.labels).toEqual(labels);
  expect(object.metadata.labels).toEqual(labels);
});

test('mistakes and what must not change', () => {
  expect(tryCreate(jobs, job({ template: { spec: { containers: template.spec.containers } } })).problems).toEqual([
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ]);
  expect(tryCreate(jobs, job({ selector: { matchLabels: { a: 'b' } } })).problems).toContain(
    'spec.selector: Invalid value: {"matchLabels":{"a":"b","batch.kubernetes.io/controller-uid":"uid"}}: `selector` not auto-generated',
  );
  const { object } = tryCreate(jobs, job());
  const body = { metadata: object.metadata, spec: { ...object.spec, completions: 3 } };
  expect(tryUpdate(jobs, object, { body }).problems).toEqual(['spec.completions: Invalid value: 3: field is immutable']);
});

test('schedules and time zones of CronJobs are checked', () => {
  const cronJob = (spec: object): object => ({
    metadata: { name: 'tick' },
    spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template } }, ...spec },
  });
  expect(tryCreate(cronjobs, cronJob({ timeZone: 'Europe/Berlin' })).problems).toEqual([]);
  expect(tryCreate(cronjobs, cronJob({ schedule: 'every day' })).problems).toEqual([
    'spec.schedule: Invalid value: "every day": expected exactly 5 fields, found 2: [every day]',
  ]);
  expect(tryCreate(cronjobs, cronJob({ timeZone: 'Mars/North' })).problems).toEqual([
    'spec.timeZone: Invalid value: "Mars/North": unknown time zone Mars/North',
  ]);
});
