import { describe, expect, it } from 'vitest';
import type { Deployment, ReplicaSet } from '../../../../src/api/kinds/apps-v1.ts';
import {
  deploymentComplete,
  deploymentProgressing,
  equalIgnoreHash,
  findActiveOrLatest,
  findNewReplicaSet,
  maxSurge,
  maxUnavailable,
  newRSNewReplicas,
  POD_TEMPLATE_HASH,
} from './deployment-util.ts';

function deployment(
  replicas: number,
  limits: { maxSurge?: number | string; maxUnavailable?: number | string } | 'Recreate' = {},
): Deployment {
  const strategy =
    limits === 'Recreate'
      ? { type: 'Recreate' }
      : { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%', ...limits } };
  return {
    metadata: { name: 'web', uid: 'd', generation: 2 },
    spec: { replicas, strategy, selector: {}, template: { metadata: { labels: { app: 'web' } } } },
  };
}

function replicaSet(name: string, replicas: number, labels: Record<string, string> = { app: 'web' }, second = 0): ReplicaSet {
  const creationTimestamp = `2026-01-01T00:00:0${second}Z`;
  return {
    metadata: { name, uid: name, creationTimestamp },
    spec: { replicas, selector: {}, template: { metadata: { labels: { ...labels, [POD_TEMPLATE_HASH]: name } } } },
  };
}

describe('limits of a rolling update', () => {
  it.each([
    // replicas, limits, maxSurge, maxUnavailable
    [1, {}, 1, 0],
    [4, {}, 1, 1],
    [10, {}, 3, 2],
    [3, { maxSurge: 0, maxUnavailable: '1%' }, 0, 1],
    [3, { maxSurge: 0, maxUnavailable: 10 }, 0, 3],
    [0, {}, 0, 0],
    [5, 'Recreate' as const, 0, 0],
  ])('of %i replicas with %j: surge %i, unavailable %i', (replicas, limits, surge, unavailable) => {
    const d = deployment(replicas, limits);
    expect([maxSurge(d), maxUnavailable(d)]).toEqual([surge, unavailable]);
  });
});

describe('newRSNewReplicas', () => {
  it('fills up to maxSurge above the wanted number', () => {
    const [old, fresh] = [replicaSet('old', 4), replicaSet('new', 0)];
    expect(newRSNewReplicas(deployment(4), [old, fresh], fresh)).toBe(1);
    expect(newRSNewReplicas(deployment(4, { maxSurge: 0 }), [old, fresh], fresh)).toBe(0);
    expect(newRSNewReplicas(deployment(4), [fresh], fresh)).toBe(4);
    expect(newRSNewReplicas(deployment(4, 'Recreate'), [old, fresh], fresh)).toBe(4);
  });
});

describe('ReplicaSets of a Deployment', () => {
  it('is new when its template is the same but for the hash', () => {
    const d = deployment(1);
    expect(equalIgnoreHash(d.spec?.template, replicaSet('a', 1).spec?.template)).toBe(true);
    expect(equalIgnoreHash(d.spec?.template, replicaSet('a', 1, { app: 'db' }).spec?.template)).toBe(false);
  });

  it('is the oldest of several', () => {
    const sets = [
      replicaSet('young', 1, { app: 'web' }, 2),
      replicaSet('old', 1, { app: 'web' }, 1),
      replicaSet('other', 1, { app: 'db' }, 0),
    ];
    expect(findNewReplicaSet(deployment(1), sets)?.metadata.name).toBe('old');
  });

  it('is the only active one, or the new or newest one when none is', () => {
    const [a, b, none] = [replicaSet('a', 2, {}, 1), replicaSet('b', 0, {}, 2), replicaSet('none', 0)];
    expect(findActiveOrLatest(none, [a, b])?.metadata.name).toBe('a');
    expect(findActiveOrLatest(none, [b])?.metadata.name).toBe('none');
    expect(findActiveOrLatest(undefined, [none, b])?.metadata.name).toBe('b');
    expect(findActiveOrLatest(replicaSet('c', 1), [a])).toBeUndefined();
  });
});

describe('progress', () => {
  const done = { replicas: 2, updatedReplicas: 2, availableReplicas: 2, observedGeneration: 2 };

  it('is complete when all pods are new and available, and the spec was seen', () => {
    expect(deploymentComplete(deployment(2), done)).toBe(true);
    expect(deploymentComplete(deployment(2), { ...done, replicas: 3 })).toBe(false);
    expect(deploymentComplete(deployment(2), { ...done, observedGeneration: 1 })).toBe(false);
  });

  it('is made by new, ready or available pods that come, and old ones that go', () => {
    const d = { ...deployment(2), status: { replicas: 3, updatedReplicas: 1, readyReplicas: 2 } };
    expect(deploymentProgressing(d, d.status)).toBe(false);
    expect(deploymentProgressing(d, { ...d.status, replicas: 2 })).toBe(true);
    expect(deploymentProgressing(d, { ...d.status, readyReplicas: 3 })).toBe(true);
    expect(deploymentProgressing(d, { ...d.status, readyReplicas: 1 })).toBe(false);
  });
});
