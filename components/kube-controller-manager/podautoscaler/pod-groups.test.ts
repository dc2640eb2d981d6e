import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { formatTime } from '../../../src/api/time.ts';
import { calculateRequests, groupPods } from './pod-groups.ts';

const NOW = Date.UTC(2026, 0, 1);
const at = (secondsAgo: number): string => formatTime(NOW - secondsAgo * 1000);

function pod(name: string, ready: 'True' | 'False', { started, changed }: { started: number; changed: number }): Pod {
  const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: at(changed) }];
  return { metadata: { name }, status: { phase: 'Running', startTime: at(started), conditions } };
}

const PERIODS = { cpuInitializationPeriodMs: 300_000, delayOfInitialReadinessMs: 30_000 };

test('the cpu of a pod that only starts says nothing of its load', () => {
  const pods = [
    pod('old', 'True', { started: 1000, changed: 900 }),
    pod('young', 'True', { started: 100, changed: 40 }),
    pod('just-ready', 'True', { started: 100, changed: 10 }),
    pod('never-ready', 'False', { started: 1000, changed: 990 }),
    pod('was-ready', 'False', { started: 1000, changed: 100 }),
    { metadata: { name: 'pending' }, status: { phase: 'Pending' } },
    { metadata: { name: 'unknown' }, status: { phase: 'Running' } },
    { metadata: { name: 'leaving', deletionTimestamp: at(1) }, status: { phase: 'Running' } },
  ];
  const measured = ['old', 'young', 'just-ready', 'never-ready', 'was-ready', 'leaving'];
  const metrics = new Map(measured.map((name) => [name, { timestamp: NOW, windowMs: 30_000, value: 1 }]));
  const groups = groupPods(pods, { metrics, resource: 'cpu', wallTime: NOW, ...PERIODS });
  expect(groups).toEqual({
    readyPodCount: 3,
    unready: new Set(['just-ready', 'never-ready', 'pending']),
    missing: new Set(['unknown']),
    ignored: new Set(['leaving']),
  });
  expect(groupPods(pods, { metrics, resource: 'memory', wallTime: NOW, ...PERIODS }).readyPodCount).toBe(5);
});

test('every container has to ask for the resource; sidecars count', () => {
  const container = { name: 'c', resources: { requests: { cpu: '100m' } } };
  const sidecar = { name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '50m' } } };
  const one = { metadata: { name: 'p' }, spec: { containers: [container], initContainers: [sidecar] } };
  expect(calculateRequests([one], '', 'cpu').get('p')).toBe(150);
  expect(calculateRequests([one], 'c', 'cpu').get('p')).toBe(100);
  expect(() => calculateRequests([one], '', 'memory')).toThrow('missing request for memory in container c of Pod p');
});
