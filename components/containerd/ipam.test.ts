import { expect, test } from 'vitest';
import { HostLocalIpam } from './ipam.ts';

test('addresses are given in turn, and again only when the range is through', () => {
  const ipam = new HostLocalIpam('10.244.1.0/29');
  expect([1, 2, 3].map(() => ipam.allocate())).toEqual(['10.244.1.2', '10.244.1.3', '10.244.1.4']);
  ipam.release('10.244.1.3');
  expect([1, 2, 3].map(() => ipam.allocate())).toEqual(['10.244.1.5', '10.244.1.6', '10.244.1.3']);
  expect(ipam.allocate()).toBeUndefined();
});

test('a wide range', () => {
  const ipam = new HostLocalIpam('10.128.4.0/22');
  const given = Array.from({ length: 300 }, () => ipam.allocate());
  expect(new Set(given).size).toBe(300);
  expect(given.at(-1)).toBe('10.128.5.45');
});
