import { expect, it } from 'vitest';
import { shutdownGroups } from './nodeshutdown-manager.ts';

it('waits for nobody by default', () => {
  expect(shutdownGroups({})).toEqual([]);
});

it('keeps a part of the time for critical pods', () => {
  expect(shutdownGroups({ shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '10s' })).toEqual([
    { priority: 0, shutdownGracePeriodSeconds: 20 },
    { priority: 2_000_000_000, shutdownGracePeriodSeconds: 10 },
  ]);
});

it('takes groups from the lowest priority on', () => {
  const groups = [
    { priority: 1000, shutdownGracePeriodSeconds: 5 },
    { priority: 0, shutdownGracePeriodSeconds: 60 },
  ];
  expect(shutdownGroups({ shutdownGracePeriodByPodPriority: groups }).map(({ priority }) => priority)).toEqual([0, 1000]);
});
