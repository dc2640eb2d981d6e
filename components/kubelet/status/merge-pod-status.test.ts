import { expect, test } from 'vitest';
import type { PodStatus } from '../../../src/api/kinds/core-v1.ts';
import { podOf } from '../../../test/support/runtime-states.ts';
import { mergePodStatus } from './merge-pod-status.ts';

const merge = (old: PodStatus, next: PodStatus, couldHaveRunningContainers = false): PodStatus =>
  mergePodStatus({ pod: { ...podOf({}), status: old }, next, couldHaveRunningContainers });
const foreign = { type: 'example.com/gate', status: 'True' };
const ready = { type: 'Ready', status: 'True' };

test('conditions of others stay, in front', () => {
  expect(merge({ phase: 'Running', conditions: [ready, foreign] }, { phase: 'Running', conditions: [ready] }).conditions).toEqual([
    foreign,
    ready,
  ]);
});

test('a terminal phase is held back while containers may run, its conditions are not', () => {
  const merged = merge(
    { phase: 'Running', conditions: [ready] },
    { phase: 'Failed', reason: 'DeadlineExceeded', message: 'm', conditions: [ready] },
    true,
  );
  expect(merged).toEqual({ phase: 'Running', conditions: [{ type: 'Ready', status: 'False', reason: 'PodFailed' }] });
});

test('a terminal phase comes with readiness False', () => {
  const merged = merge({ phase: 'Running' }, { phase: 'Succeeded', conditions: [ready, { type: 'ContainersReady', status: 'True' }] });
  expect(merged.conditions).toEqual([
    { type: 'Ready', status: 'False', reason: 'PodCompleted' },
    { type: 'ContainersReady', status: 'False', reason: 'PodCompleted' },
  ]);
});

test('DisruptionTarget is added together with the terminal phase', () => {
  const disruption = { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' };
  const next: PodStatus = { phase: 'Failed', conditions: [disruption, ready] };
  expect(merge({ phase: 'Running' }, next, true).conditions?.map(({ type }) => type)).toEqual(['Ready']);
  expect(merge({ phase: 'Running' }, next).conditions?.map(({ type }) => type)).toEqual(['DisruptionTarget', 'Ready']);
});
