import { expect, it } from 'vitest';
import type { PodStatus } from '../../../src/api/kinds/core-v1.ts';
import { podOf } from '../../../test/support/runtime-states.ts';
import { normalizeStatus } from './normalize-status.ts';

const pod = podOf({ containers: Array.from({ length: 4 }, (_, index) => ({ name: `c${index}` })) });
const saying = (message: string): PodStatus => ({
  containerStatuses: [
    {
      ...{ name: 'c0', image: '', imageID: '', ready: false, restartCount: 0 },
      state: { terminated: { exitCode: 1, message } },
      lastState: {},
    },
  ],
});

it('cuts a message to its share of 12 KiB', () => {
  const { containerStatuses } = normalizeStatus(pod, saying('x'.repeat(4096)));
  expect(containerStatuses?.[0]?.state?.terminated?.message).toHaveLength(3072);
});

it('leaves alone what is short enough', () => {
  const status = saying('short');
  expect(normalizeStatus(pod, status)).toBe(status);
});
