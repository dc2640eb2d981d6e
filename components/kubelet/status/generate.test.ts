import { expect, test } from 'vitest';
import type { ContainerStatus, PodCondition } from '../../../src/api/kinds/core-v1.ts';
import { podOf, sandboxOf, stateOf } from '../../../test/support/runtime-states.ts';
import {
  generateContainersReadyCondition,
  generatePodInitializedCondition,
  generatePodReadyCondition,
  generatePodReadyToStartContainersCondition,
} from './generate.ts';

const status = (name: string, ready: boolean, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  ready,
  image: '',
  imageID: '',
  restartCount: 0,
  state: { waiting: {} },
  ...more,
});
const short = ({ type, status: value, reason, message }: PodCondition): string =>
  [`${type}=${value}`, reason, message].filter(Boolean).join(' ');
const pod = podOf({ containers: [{ name: 'b' }, { name: 'a' }], initContainers: [{ name: 's', restartPolicy: 'Always' }, { name: 'i' }] });

test('the sandbox', () => {
  expect(short(generatePodReadyToStartContainersCondition(pod, stateOf([])))).toBe('PodReadyToStartContainers=True');
  expect(short(generatePodReadyToStartContainersCondition(pod, stateOf([], [])))).toBe('PodReadyToStartContainers=False');
  expect(short(generatePodReadyToStartContainersCondition(pod, stateOf([], [sandboxOf({ hostNetwork: true, ips: [] })])))).toBe(
    'PodReadyToStartContainers=True',
  );
});

test('readiness names the containers in the order of the spec, sidecars first', () => {
  const statuses = {
    initContainerStatuses: [status('s', false), status('i', true)],
    containerStatuses: [status('a', false), status('b', false)],
  };
  expect(short(generateContainersReadyCondition(pod, statuses))).toBe(
    'ContainersReady=False ContainersNotReady containers with unready status: [s b a]',
  );
  expect(short(generateContainersReadyCondition(pod, { containerStatuses: [status('a', true)] }))).toBe(
    'ContainersReady=False ContainersNotReady containers with unknown status: [s b]',
  );
  expect(short(generateContainersReadyCondition(pod, {}))).toBe('ContainersReady=False UnknownContainerStatuses');
  expect(short(generateContainersReadyCondition(pod, { phase: 'Failed', containerStatuses: [] }))).toBe('ContainersReady=False PodFailed');
});

test('initialization', () => {
  const waiting = {
    initContainerStatuses: [status('s', false), status('i', false)],
    containerStatuses: [status('a', false), status('b', false)],
  };
  expect(short(generatePodInitializedCondition(pod, waiting))).toBe(
    'Initialized=False ContainersNotInitialized containers with incomplete status: [s i]',
  );
  const done = { ...waiting, initContainerStatuses: [status('s', false, { started: true }), status('i', true)] };
  expect(short(generatePodInitializedCondition(pod, done))).toBe('Initialized=True');
  expect(short(generatePodInitializedCondition(pod, { ...done, phase: 'Succeeded' }))).toBe('Initialized=True PodCompleted');
  expect(
    short(
      generatePodInitializedCondition(pod, {
        ...waiting,
        containerStatuses: [status('a', false, { state: { running: {} } }), status('b', false)],
      }),
    ),
  ).toBe('Initialized=True');
});

test('readiness gates', () => {
  const gated = podOf({ readinessGates: [{ conditionType: 'x' }, { conditionType: 'y' }] });
  const all = { containerStatuses: [status('a', true)] };
  expect(short(generatePodReadyCondition(gated, all, [{ type: 'y', status: 'False' }]))).toBe(
    'Ready=False ReadinessGatesNotReady corresponding condition of pod readiness gate "x" does not exist., the status of pod readiness gate "y" is not "True", but False',
  );
  const gates = ['x', 'y'].map((type) => ({ type, status: 'True' }));
  expect(short(generatePodReadyCondition(gated, all, gates))).toBe('Ready=True');
});
