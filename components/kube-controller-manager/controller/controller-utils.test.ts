import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { formatTime } from '../../../src/api/time.ts';
import { findMinNextPodAvailabilityCheck, isPodActive, isPodAvailable, isPodTerminating } from './controller-utils.ts';

const NOW = Date.UTC(2026, 0, 1);

function readyPod(secondsAgo: number): Pod {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(NOW - secondsAgo * 1000) }];
  return { metadata: { name: 'p' }, status: { phase: 'Running', conditions } };
}

describe('pods', () => {
  it('are active until they end or are deleted', () => {
    const deletionTimestamp = formatTime(NOW);
    expect(isPodActive({ metadata: {}, status: { phase: 'Running' } })).toBe(true);
    expect(isPodActive({ metadata: {}, status: { phase: 'Failed' } })).toBe(false);
    expect(isPodActive({ metadata: { deletionTimestamp }, status: { phase: 'Running' } })).toBe(false);
    expect(isPodTerminating({ metadata: { deletionTimestamp }, status: { phase: 'Running' } })).toBe(true);
    expect(isPodTerminating({ metadata: { deletionTimestamp }, status: { phase: 'Failed' } })).toBe(false);
  });

  it('are available when they have been ready long enough', () => {
    expect(isPodAvailable(readyPod(3), 0, NOW)).toBe(true);
    expect(isPodAvailable(readyPod(3), 3, NOW)).toBe(true);
    expect(isPodAvailable(readyPod(2), 3, NOW)).toBe(false);
    expect(isPodAvailable({ metadata: {}, status: { conditions: [{ type: 'Ready', status: 'True' }] } }, 3, NOW)).toBe(false);
  });

  it('are looked at again when the next one turns available', () => {
    expect(findMinNextPodAvailabilityCheck([readyPod(1), readyPod(2), readyPod(9)], 5, NOW)).toBe(3000);
    expect(findMinNextPodAvailabilityCheck([readyPod(9)], 5, NOW)).toBeUndefined();
  });
});
