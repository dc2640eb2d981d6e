import { expect, test } from 'vitest';
import type { ContainerState, ContainerStatus, PodSpec } from '../../src/api/kinds/core-v1.ts';
import { podOf } from '../../test/support/runtime-states.ts';
import { getPhase } from './get-phase.ts';

const running: ContainerState = { running: {} };
const waiting: ContainerState = { waiting: { reason: 'ContainerCreating' } };
const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } });
const status = (name: string, state: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  image: '',
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
  lastState: {},
  ...more,
});

const two: Partial<PodSpec> = { containers: [{ name: 'a' }, { name: 'b' }] };
const init: Partial<PodSpec> = { ...two, initContainers: [{ name: 'i' }] };
const sidecar: Partial<PodSpec> = { ...two, initContainers: [{ name: 'i', restartPolicy: 'Always' }] };

test.each<[string, Partial<PodSpec>, ContainerStatus[], boolean, string]>([
  ['nothing is known', two, [], false, 'Pending'],
  ['one waits', two, [status('a', running), status('b', waiting)], false, 'Pending'],
  ['both run', two, [status('a', running), status('b', running)], false, 'Running'],
  ['one has ended', two, [status('a', running), status('b', ended(1))], false, 'Running'],
  ['a crash loop', two, [status('a', waiting, { lastState: ended(1) }), status('b', running)], false, 'Running'],
  ['all ended, policy Always', two, [status('a', ended(0)), status('b', ended(0))], false, 'Running'],
  ['all ended well for good, policy Always', two, [status('a', ended(0)), status('b', ended(0))], true, 'Succeeded'],
  ['one ended badly for good, policy Always', two, [status('a', ended(0)), status('b', ended(137))], true, 'Failed'],
  ['all ended well, policy Never', { ...two, restartPolicy: 'Never' }, [status('a', ended(0)), status('b', ended(0))], false, 'Succeeded'],
  ['one ended badly, policy Never', { ...two, restartPolicy: 'Never' }, [status('a', ended(0)), status('b', ended(1))], false, 'Failed'],
  [
    'one ended badly, policy OnFailure',
    { ...two, restartPolicy: 'OnFailure' },
    [status('a', ended(0)), status('b', ended(1))],
    false,
    'Running',
  ],
  [
    'a crash loop, policy OnFailure',
    { containers: [{ name: 'a' }], restartPolicy: 'OnFailure' },
    [status('a', waiting, { lastState: ended(1) })],
    false,
    'Running',
  ],
  ['a crash loop that is over for good', { containers: [{ name: 'a' }] }, [status('a', waiting, { lastState: ended(1) })], true, 'Failed'],
  ['initializing', init, [status('i', running), status('a', waiting), status('b', waiting)], false, 'Pending'],
  [
    'failed to initialize, policy Never',
    { ...init, restartPolicy: 'Never' },
    [status('i', ended(1)), status('a', waiting), status('b', waiting)],
    false,
    'Failed',
  ],
  [
    'a sidecar that has not started',
    sidecar,
    [status('i', running, { started: false }), status('a', waiting), status('b', waiting)],
    false,
    'Pending',
  ],
  [
    'a sidecar keeps the pod running',
    { ...sidecar, restartPolicy: 'Never' },
    [status('i', running, { started: true }), status('a', ended(0)), status('b', ended(0))],
    false,
    'Running',
  ],
])('%s', (_, spec, statuses, podIsTerminal, phase) => {
  expect(getPhase(podOf(spec), statuses, podIsTerminal)).toBe(phase);
});
