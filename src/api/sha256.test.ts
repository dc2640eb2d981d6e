import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256, shortHash } from './sha256.ts';

const hex = (words: readonly number[]): string => words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');

test.each(['', 'abc', 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'é'.repeat(200)])('agrees with node:crypto for %j', (text) => {
  expect(hex(sha256(text))).toBe(createHash('sha256').update(text).digest('hex'));
});

test('chains have the names that they have in a real cluster', () => {
  expect(shortHash('default/kubernetes:httpstcp')).toBe('NPX46M4PTMTKRN6Y');
  expect(shortHash('kube-system/kube-dns:dnsudp')).toBe('TCOU7JCQXEZGVUNU');
});
