import { expect, it } from 'vitest';
import { parseFlags } from './flags.ts';

const specs = {
  replicas: { type: 'string' },
  filename: { type: 'list', short: 'f' },
  all: { type: 'boolean' },
  namespace: { type: 'string', short: 'n' },
} as const;

it('reads flags in all the ways that kubectl takes', () => {
  const { args, flags } = parseFlags(['web', '--replicas=5', '-f', 'a.yaml,b.yaml', '-nkube-system', '--all', '--', '--no-flag'], specs);
  expect(args).toEqual(['web', '--no-flag']);
  expect([flags.number('replicas'), flags.list('filename'), flags.string('namespace'), flags.boolean('all')]).toEqual([
    5,
    ['a.yaml', 'b.yaml'],
    'kube-system',
    true,
  ]);
});

it.each([
  [['--wrong'], "error: unknown flag: --wrong\nSee 'kubectl --help' for usage."],
  [['-x'], "error: unknown shorthand flag: 'x' in -x\nSee 'kubectl --help' for usage."],
  [['--replicas'], "error: flag needs an argument: --replicas\nSee 'kubectl --help' for usage."],
])('refuses %j in kubectl’s words', (words, message) => {
  expect(() => parseFlags(words, specs)).toThrow(message);
});

it('refuses numbers that are none', () => {
  expect(() => parseFlags(['--replicas=few'], specs).flags.number('replicas')).toThrow(
    'error: invalid argument "few" for "--replicas" flag',
  );
});
