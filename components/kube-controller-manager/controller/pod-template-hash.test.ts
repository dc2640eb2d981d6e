import { describe, expect, it } from 'vitest';
import { computeHash, safeEncodeString } from './pod-template-hash.ts';

describe('computeHash', () => {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };

  it('is the one that a real cluster computed', () => {
    const container = {
      name: 'web',
      image: 'nginx:1.27',
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'IfNotPresent',
    };
    const spec = {
      containers: [container],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 1,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    };
    expect(computeHash({ metadata: { labels: { app: 'web' } }, spec }, undefined)).toBe('5f8554f4b9');
  });

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
