import { expect, it } from 'vitest';
import { parseThresholdConfig, thresholdAmount, thresholdsMet } from './thresholds.ts';

const GI = 1024 ** 3;

it('has the default thresholds of the kubelet', () => {
  expect(parseThresholdConfig({}).map(({ signal, value, hard }) => `${signal}<${value} ${hard}`)).toEqual([
    'memory.available<100Mi true',
    'nodefs.available<10% true',
    'imagefs.available<15% true',
  ]);
});

it('takes a configuration as a whole, and soft thresholds with their grace periods', () => {
  const config = {
    evictionHard: { 'pid.available': '10%' },
    evictionSoft: { 'memory.available': '1Gi' },
    evictionSoftGracePeriod: { 'memory.available': '90s' },
  };
  expect(parseThresholdConfig(config)).toEqual([
    { signal: 'memory.available', value: '1Gi', gracePeriodMs: 90_000, hard: false },
    { signal: 'pid.available', value: '10%', gracePeriodMs: 0, hard: true },
  ]);
});

it('asks for more back from thresholds that were met', () => {
  const [memory] = parseThresholdConfig({
    evictionHard: { 'memory.available': '1Gi' },
    evictionMinimumReclaim: { 'memory.available': '512Mi' },
  });
  const observations = new Map([['memory.available', { available: 1.25 * GI, capacity: 4 * GI }]] as const);
  expect(memory && thresholdsMet([memory], observations)).toEqual([]);
  expect(memory && thresholdsMet([memory], observations, true)).toEqual([memory]);
});

it('compares with shares and amounts', () => {
  const [memory, nodefs, imagefs] = parseThresholdConfig({});
  expect(imagefs && thresholdAmount(imagefs, 100 * GI)).toBe(15 * GI);
  const observations = new Map([
    ['memory.available', { available: 200 * 1024 ** 2, capacity: 4 * GI }],
    ['nodefs.available', { available: 12 * GI, capacity: 100 * GI }],
    ['imagefs.available', { available: 12 * GI, capacity: 100 * GI }],
  ] as const);
  expect(
    thresholdsMet(
      [memory, nodefs, imagefs].flatMap((one) => one ?? []),
      observations,
    ),
  ).toEqual([imagefs]);
});
