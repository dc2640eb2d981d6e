import { expect, test } from 'vitest';
import type { JobStatus } from '../../../../src/api/kinds/batch-v1.ts';
import { jobs } from '../../../../src/api/resources.ts';
import { tryCreate, tryUpdate } from '../try-strategy.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'busybox:1.36' }] } };
const time = (second: number): string => `2026-01-01T00:00:0${second}Z`;
const condition = (type: string) => ({ type, status: 'True', lastProbeTime: time(1), lastTransitionTime: time(1) });

/** What is wrong with a status that follows another. */
function problems(spec: object, before: JobStatus, after: object): readonly string[] {
  const { object } = tryCreate(jobs, { metadata: { name: 'work' }, spec: { template, ...spec } });
  const old = { ...object, status: before };
  return tryUpdate(jobs, old, { body: { ...object, status: after }, subresource: 'status' }).problems;
}

test('counters only rise, but for the successes of an Indexed Job that is scaled down', () => {
  const [before, after] = [{ succeeded: 2 }, { succeeded: 1 }];
  const refused = ['status.succeeded: Invalid value: 1: cannot decrease the succeeded counter'];
  expect(problems({ completions: 2, parallelism: 2 }, before, after)).toEqual(refused);
  expect(problems({ completionMode: 'Indexed', completions: 2, parallelism: 1 }, before, after)).toEqual(refused);
  expect(problems({ completionMode: 'Indexed', completions: 2, parallelism: 2 }, before, after)).toEqual([]);
  expect(problems({ completionMode: 'Indexed', completions: 2, parallelism: 2 }, { failed: 1 }, {})).toEqual([
    'status.failed: Invalid value: 0: cannot decrease the failed counter',
  ]);
});

test('a Job that has ended has nothing that goes on, and stays so', () => {
  const conditions = [condition('FailureTarget'), condition('Failed')];
  const uncountedTerminatedPods = { succeeded: ['a', ''], failed: ['a'] };
  expect(problems({}, {}, { conditions, active: 1, terminating: 1, startTime: time(1), uncountedTerminatedPods })).toEqual([
    'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
    'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
    'status.active: Invalid value: 1: active>0 is invalid for finished job',
    'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
    'status.uncountedTerminatedPods: Invalid value: {"succeeded":["a",""],"failed":["a"]}: uncountedTerminatedPods needs to be empty for finished job',
  ]);
  expect(problems({}, { conditions, startTime: time(1) }, { startTime: time(1) })).toEqual([
    'status.conditions: Invalid value: cannot disable the terminal Failed=True condition',
    'status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
  ]);
});

test('conditions that exclude each other are refused', () => {
  const ended = { startTime: time(1), completionTime: time(2) };
  const of = (...types: string[]) => problems({}, {}, { ...ended, conditions: types.map(condition) });
  expect(of('SuccessCriteriaMet', 'Complete')).toEqual([]);
  expect(of('FailureTarget', 'SuccessCriteriaMet', 'Complete')).toEqual([
    'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
    'status.conditions: Invalid value: cannot set SuccessCriteriaMet=true and FailureTarget=true conditions',
  ]);
});

test('times stay in order, and stay', () => {
  const conditions = [condition('SuccessCriteriaMet'), condition('Complete')];
  expect(problems({}, {}, { conditions, startTime: time(2), completionTime: time(1) })).toEqual([
    `status.completionTime: Invalid value: "${time(1)}": completionTime cannot be set before startTime`,
  ]);
  const done = { conditions, startTime: time(1), completionTime: time(2) };
  expect(problems({}, done, { ...done, completionTime: time(3) })).toEqual([
    `status.completionTime: Invalid value: "${time(3)}": completionTime cannot be mutated`,
  ]);
  expect(problems({}, { startTime: time(1) }, {})).toEqual([
    'status.startTime: Required value: startTime cannot be removed for unsuspended job',
  ]);
  expect(problems({ suspend: true }, { startTime: time(1) }, {})).toEqual([]);
});

test('indexes are those of the Job, and each has either succeeded or failed', () => {
  const indexed = { completionMode: 'Indexed', completions: 5, parallelism: 2 };
  const completed = (text: string) => problems(indexed, {}, { completedIndexes: text });
  expect(completed('0,2-3')).toEqual([]);
  expect(completed('0-5')).toEqual(['status.completedIndexes: Invalid value: "0-5": error parsing completedIndexes: too large index: "5"']);
  expect(completed('1,1')).toEqual([
    'status.completedIndexes: Invalid value: "1,1": error parsing completedIndexes: non-increasing order, previous: 1, current: 1',
  ]);
  expect(completed('2-2')).toEqual([
    'status.completedIndexes: Invalid value: "2-2": error parsing completedIndexes: non-increasing order, previous: 2, current: 2',
  ]);
  expect(completed('0-1-2')).toEqual([
    'status.completedIndexes: Invalid value: "0-1-2": error parsing completedIndexes: the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by \'-\'',
  ]);
  expect(problems(indexed, {}, { failedIndexes: '1' })).toEqual([
    'status.failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
  ]);
  expect(problems({ ...indexed, backoffLimitPerIndex: 1 }, {}, { completedIndexes: '0,2-4', failedIndexes: '1,3' })).toEqual([
    'status.failedIndexes: Invalid value: "1,3": failedIndexes and completedIndexes overlap at index: 3',
  ]);
});
