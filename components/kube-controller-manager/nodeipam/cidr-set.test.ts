import { expect, test } from 'vitest';
import { CidrSet, formatCidr, parseCidr } from './cidr-set.ts';

const cidr = (text: string): NonNullable<ReturnType<typeof parseCidr>> => parseCidr(text) ?? { first: 0n, prefix: 0, bits: 32 };

test('gives each part once, and one that came back only after all others', () => {
  const set = new CidrSet(cidr('10.244.0.0/22'), 24);
  set.occupy(cidr('10.244.1.0/24'));
  const next = (): string => {
    const range = set.allocateNext();
    return range ? formatCidr(range) : 'none';
  };
  expect([next(), next()]).toEqual(['10.244.0.0/24', '10.244.2.0/24']);
  set.release(cidr('10.244.0.0/24'));
  expect([next(), next(), next()]).toEqual(['10.244.3.0/24', '10.244.0.0/24', 'none']);
});

test.each([
  ['fd00:10:244::/56', 'fd00:10:244::/56'],
  ['2001:db8:0:0:1:0:0:0/128', '2001:db8:0:0:1::/128'],
  ['::/0', '::/0'],
  ['10.244.7.9/16', '10.244.0.0/16'],
])('%s is written %s', (text, written) => {
  expect(formatCidr(cidr(text))).toBe(written);
});

test('what is no range is none', () => {
  expect(['10.0.0/8', '10.0.0.0', '10.0.0.0/33', 'x::/8'].map(parseCidr)).toEqual([undefined, undefined, undefined, undefined]);
});
