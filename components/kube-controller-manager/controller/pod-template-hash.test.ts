import { describe, expect, it } from 'vitest';
import { computeHash, safeEncodeString } from './pod-template-hash.ts';

describe('computeHash', () => {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };

  it('gives ten or fewer of the characters that digits become', () => {
    expect(computeHash(template, undefined)).toMatch(/^[456789bcdf]{1,10}$/);
  });

  it('does not look at the order of keys', () => {
    const turned = { spec: { containers: [{ image: 'nginx', name: 'web' }] }, metadata: { labels: { app: 'web' } } };
    expect(computeHash(turned, undefined)).toBe(computeHash(template, undefined));
  });

  it('changes with the template and with each collision, of which none and zero are not the same', () => {
    const hashes = [undefined, 0, 1, 300].map((count) => computeHash(template, count));
    hashes.push(computeHash({ ...template, metadata: { labels: { app: 'db' } } }, undefined));
    expect(new Set(hashes).size).toBe(5);
  });
});

describe('safeEncodeString', () => {
  it('maps digits as apimachinery does', () => {
    expect(safeEncodeString('0123456789')).toBe('456789bcdf');
  });
});
