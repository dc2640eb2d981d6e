import { expect, test } from 'vitest';
import { humanDuration } from './human-duration.ts';

const S = 1000;
const M = 60 * S;
const H = 60 * M;
const D = 24 * H;

test.each([
  [-2 * S, '<invalid>'],
  [-S, '0s'],
  [119 * S, '119s'],
  [2 * M, '2m'],
  [9 * M + 59 * S, '9m59s'],
  [179 * M, '179m'],
  [3 * H + 5 * M, '3h5m'],
  [47 * H, '47h'],
  [2 * D + H, '2d1h'],
  [8 * D + 5 * H, '8d'],
  [800 * D, '2y70d'],
  [9 * 365 * D, '9y'],
])('%d ms is %s', (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});
