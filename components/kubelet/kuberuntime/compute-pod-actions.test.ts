import { describe, expect, test } from 'vitest';
import type { PodRuntimeState } from '../../../src/api/cri.ts';
import type { Container, Pod } from '../../../src/api/kinds/core-v1.ts';
import { instanceOf, podOf, sandboxOf, stateOf } from '../../../test/support/runtime-states.ts';
import { computePodActions, type Verdicts } from './compute-pod-actions.ts';

const healthy: Verdicts = {
  resizeRequiresRestart: () => false,
  livenessFailed: () => false,
  startupFailed: () => false,
  startupSucceeded: () => true,
};
const a: Container = { name: 'a', image: 'nginx:1.27' };
const b: Container = { name: 'b', image: 'busybox:1.36' };
const init: Container = { name: 'i', image: 'busybox:1.36' };
const second: Container = { name: 'j', image: 'busybox:1.36' };
const sidecar: Container = { name: 's', image: 'busybox:1.36', restartPolicy: 'Always' };

/** The actions in short: `pod` = kill the pod, `+s` = new sandbox, `+a` = start a, `-a` = kill a. */
function actionsOf(pod: Pod, state: PodRuntimeState, probes: Partial<Verdicts> = {}): string {
  const actions = computePodActions(pod, state, { ...healthy, ...probes });
  const started = [...actions.ephemeralContainersToStart, ...actions.initContainersToStart, ...actions.containersToStart];
  return [
    ...(actions.killPod ? ['pod'] : []),
    ...(actions.createSandbox ? ['+sandbox'] : []),
    ...actions.containersToKill.map(({ container }) => `-${container.name}`),
    ...started.map(({ name }) => `+${name}`),
  ].join(' ');
}

describe('sandbox', () => {
  test('there is none yet', () => expect(actionsOf(podOf({ containers: [a, b] }), stateOf([], []))).toBe('pod +sandbox +a +b'));
  test('it is gone', () =>
    expect(actionsOf(podOf({}), stateOf([instanceOf(a, { exitCode: 0 })], [sandboxOf({ state: 'SANDBOX_NOTREADY', ips: [] })]))).toBe(
      'pod +sandbox +a',
    ));
  test('with init containers they come first', () =>
    expect(actionsOf(podOf({ initContainers: [init] }), stateOf([], []))).toBe('pod +sandbox +i'));
  test('none for a pod that may not run again', () =>
    expect(
      actionsOf(
        podOf({ restartPolicy: 'Never' }),
        stateOf([instanceOf(a, { exitCode: 0 })], [sandboxOf({ state: 'SANDBOX_NOTREADY', ips: [] })]),
      ),
    ).toBe('pod'));
  test('OnFailure: what succeeded is not run again', () =>
    expect(
      actionsOf(
        podOf({ restartPolicy: 'OnFailure', containers: [a, b] }),
        stateOf([instanceOf(a, { exitCode: 0 }), instanceOf(b, { exitCode: 1 })], [sandboxOf({ state: 'SANDBOX_NOTREADY', ips: [] })]),
      ),
    ).toBe('pod +sandbox +b'));
});

describe('regular containers', () => {
  test('all run', () => expect(actionsOf(podOf({}), stateOf([instanceOf(a)]))).toBe(''));
  test.each<['Always' | 'OnFailure' | 'Never', number, string]>([
    ['Always', 0, '+a'],
    ['Always', 1, '+a'],
    ['OnFailure', 0, 'pod'],
    ['OnFailure', 1, '+a'],
    ['Never', 1, 'pod'],
  ])('policy %s, exit code %i: %s', (restartPolicy, exitCode, actions) => {
    expect(actionsOf(podOf({ restartPolicy }), stateOf([instanceOf(a, { exitCode })]))).toBe(actions);
  });
  test('one of two ended', () =>
    expect(actionsOf(podOf({ restartPolicy: 'Never', containers: [a, b] }), stateOf([instanceOf(a, { exitCode: 0 }), instanceOf(b)]))).toBe(
      '',
    ));
  test('another image', () =>
    expect(actionsOf(podOf({ containers: [{ ...a, image: 'nginx:1.28' }] }), stateOf([instanceOf(a)]))).toBe('-a +a'));
  test('a failed liveness probe', () => {
    const failed = { livenessFailed: (id: string) => id === 'a-0' };
    expect(actionsOf(podOf({}), stateOf([instanceOf(a)]), failed)).toBe('-a +a');
    const actions = computePodActions(podOf({ restartPolicy: 'Never' }), stateOf([instanceOf(a)]), { ...healthy, ...failed });
    expect([actions.containersToKill[0]?.message, actions.killPod]).toEqual(['Container a failed liveness probe', true]);
  });
  test('nothing is started in a pod that is being deleted', () =>
    expect(actionsOf(podOf({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), stateOf([instanceOf(a, { exitCode: 1 })]))).toBe('pod'));
});

describe('init containers', () => {
  const pod = podOf({ initContainers: [init, second] });
  test('one after the other', () => {
    expect(actionsOf(pod, stateOf([]))).toBe('+i');
    expect(actionsOf(pod, stateOf([instanceOf(init)]))).toBe('');
    expect(actionsOf(pod, stateOf([instanceOf(init, { exitCode: 0 })]))).toBe('+j');
    expect(actionsOf(pod, stateOf([instanceOf(init, { exitCode: 0 }), instanceOf(second, { exitCode: 0 })]))).toBe('+a');
  });
  test('a failed one is run again, or ends the pod', () => {
    expect(actionsOf(pod, stateOf([instanceOf(init, { exitCode: 1 })]))).toBe('+i');
    expect(actionsOf(podOf({ ...pod.spec, restartPolicy: 'Never' }), stateOf([instanceOf(init, { exitCode: 1 })]))).toBe('pod');
  });
  test('they are not run again once a regular container runs', () =>
    expect(actionsOf(pod, stateOf([instanceOf(a), instanceOf(init, { exitCode: 1 })]))).toBe(''));
});

describe('sidecars', () => {
  const pod = podOf({ initContainers: [sidecar, init] });
  test('the next starts when it has started', () => {
    expect(actionsOf(pod, stateOf([instanceOf(sidecar)]))).toBe('+i');
    expect(
      actionsOf(podOf({ initContainers: [{ ...sidecar, startupProbe: {} }, init] }), stateOf([instanceOf(sidecar)]), {
        startupSucceeded: () => false,
      }),
    ).toBe('');
  });
  test('it is restarted, whatever the policy', () =>
    expect(
      actionsOf(
        podOf({ initContainers: [sidecar], restartPolicy: 'Never' }),
        stateOf([instanceOf(a), instanceOf(sidecar, { exitCode: 1 })]),
      ),
    ).toBe('+s'));
  test('it is stopped when all regular containers have ended', () =>
    expect(
      actionsOf(
        podOf({ initContainers: [sidecar], restartPolicy: 'Never' }),
        stateOf([instanceOf(a, { exitCode: 0 }), instanceOf(sidecar)]),
      ),
    ).toBe('pod'));
});

test('ephemeral containers are started once', () => {
  const pod = podOf({ ephemeralContainers: [{ name: 'debug', image: 'busybox:1.36' }] });
  expect(actionsOf(pod, stateOf([instanceOf(a)]))).toBe('+debug');
  expect(actionsOf(pod, stateOf([instanceOf(a), instanceOf({ name: 'debug', image: 'busybox:1.36' }, { exitCode: 0 })]))).toBe('');
});
