import { expect, test } from 'vitest';
import { AutoscalerStatus } from './autoscaler-status.ts';
import { Recommendations } from './recommendations.ts';

const SECOND = 1_000;
const newStatus = (): AutoscalerStatus => new AutoscalerStatus(undefined, () => 0);
const reasonsOf = (status: AutoscalerStatus): (string | undefined)[] => (status.value.conditions ?? []).map(({ reason }) => reason);

test('scaling up may at most double the pods, or make them four', () => {
  const status = newStatus();
  const wish = { currentReplicas: 3, desiredReplicas: 20, minReplicas: 1, maxReplicas: 10 };
  expect(new Recommendations({ time: 0, replicas: 3 }, 300 * SECOND).normalize(wish, status, 15 * SECOND)).toBe(6);
  expect(reasonsOf(status)).toEqual(['ReadyForNewScale', 'ScaleUpLimit']);
  const few = { ...wish, currentReplicas: 1, maxReplicas: 3 };
  expect(new Recommendations({ time: 0, replicas: 1 }, 300 * SECOND).normalize(few, status, 15 * SECOND)).toBe(3);
  expect(reasonsOf(status)).toEqual(['ReadyForNewScale', 'TooManyReplicas']);
});

test('scaling down waits until nothing asked for more in five minutes', () => {
  const status = newStatus();
  const recommendations = new Recommendations({ time: 0, replicas: 5 }, 300 * SECOND);
  const wish = { currentReplicas: 5, desiredReplicas: 2, minReplicas: 1, maxReplicas: 10 };
  expect(recommendations.normalize(wish, status, 15 * SECOND)).toBe(5);
  expect(reasonsOf(status)).toEqual(['ScaleDownStabilized', 'DesiredWithinRange']);
  expect(recommendations.normalize(wish, status, 300 * SECOND)).toBe(5);
  expect(recommendations.normalize(wish, status, 301 * SECOND)).toBe(2);
});

test('policies limit how many pods go in a time', () => {
  const status = newStatus();
  const behavior = {
    scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [{ type: 'Pods', value: 2, periodSeconds: 60 }] },
    scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: 'Disabled' },
  };
  const recommendations = new Recommendations({ time: 0, replicas: 10 }, 300 * SECOND);
  const wish = { currentReplicas: 10, desiredReplicas: 1, minReplicas: 1, maxReplicas: 20 };
  expect(recommendations.normalizeWithBehaviors(wish, behavior, { status, now: 15 * SECOND })).toBe(8);
  expect(reasonsOf(status)).toEqual(['ReadyForNewScale', 'ScaleDownLimit']);
  recommendations.storeScaleEvent(behavior, { from: 10, to: 8, now: 15 * SECOND });
  expect(recommendations.normalizeWithBehaviors({ ...wish, currentReplicas: 8 }, behavior, { status, now: 30 * SECOND })).toBe(8);
  expect(recommendations.normalizeWithBehaviors({ ...wish, currentReplicas: 8 }, behavior, { status, now: 76 * SECOND })).toBe(6);
  expect(recommendations.normalizeWithBehaviors({ ...wish, desiredReplicas: 15 }, behavior, { status, now: 90 * SECOND })).toBe(10);
});
