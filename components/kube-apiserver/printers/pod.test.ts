import { expect, it } from 'vitest';
import type { ContainerStatus, Pod } from '../../../src/api/kinds/core-v1.ts';
import { printPod } from './pod.ts';

const NOW = Date.parse('2026-01-01T00:01:00Z');

const status = (name: string, restartCount: number, finishedAt?: string): ContainerStatus => ({
  ...{ name, image: '', imageID: '', ready: true, started: true, restartCount, state: { running: {} } },
  lastState: finishedAt ? { terminated: { exitCode: 1, finishedAt } } : {},
});

const restartsOf = (initContainerStatuses: ContainerStatus[], containerStatuses: ContainerStatus[]) => {
  const pod: Pod = {
    metadata: { name: 'p' },
    spec: { initContainers: [{ name: 'once' }, { name: 'sidecar', restartPolicy: 'Always' }], containers: [{ name: 'main' }] },
    status: { phase: 'Running', conditions: [{ type: 'Initialized', status: 'True' }], initContainerStatuses, containerStatuses },
  };
  return printPod(pod, NOW)[3];
};

const once: ContainerStatus = { ...status('once', 2, '2026-01-01T00:00:55Z'), state: { terminated: { exitCode: 0 } } };

it('counts the restarts of sidecars and containers, and says when the last one was', () => {
  expect(restartsOf([once, status('sidecar', 3, '2026-01-01T00:00:40Z')], [status('main', 0)])).toBe('3 (20s ago)');
  expect(restartsOf([once, status('sidecar', 3, '2026-01-01T00:00:40Z')], [status('main', 1, '2026-01-01T00:00:50Z')])).toBe('4 (10s ago)');
  expect(restartsOf([once, status('sidecar', 0)], [status('main', 0)])).toBe('0');
});
