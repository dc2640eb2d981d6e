import { expect, test } from 'vitest';
import { podOf } from '../../test/support/runtime-states.ts';
import { fieldValue, resourceFieldValue } from './downward-api.ts';
import { expand } from './environment.ts';

const pod = podOf({ serviceAccountName: 'robot' }, { labels: { tier: 'batch', app: 'demo' }, annotations: { note: 'a "quoted" one' } });
const runtime = { podIps: ['10.0.0.2', 'fd00::2'], hostIp: '172.18.0.2', nodeName: 'n1' };

test.each([
  ['metadata.name', 'web'],
  ['metadata.namespace', 'default'],
  ['metadata.uid', 'u1'],
  ['metadata.labels', 'app="demo"\ntier="batch"'],
  ["metadata.labels['app']", 'demo'],
  ["metadata.annotations['note']", 'a "quoted" one'],
  ['metadata.annotations', 'note="a \\"quoted\\" one"'],
  ['spec.serviceAccountName', 'robot'],
  ['spec.nodeName', 'n1'],
  ['status.podIP', '10.0.0.2'],
  ['status.podIPs', '10.0.0.2,fd00::2'],
  ['status.hostIP', '172.18.0.2'],
])('%s', (path, value) => {
  expect(fieldValue(pod, path, runtime)).toBe(value);
});

test('resources, rounded up; limits that are not set are the node', () => {
  const container = { name: 'c', resources: { limits: { cpu: '250m' }, requests: { memory: '32Mi' } } };
  const node = { memory: '4Gi' };
  expect(resourceFieldValue(container, { resource: 'limits.cpu', divisor: '1m' }, node)).toBe('250');
  expect(resourceFieldValue(container, { resource: 'limits.cpu' }, node)).toBe('1');
  expect(resourceFieldValue(container, { resource: 'requests.memory', divisor: '1Mi' }, node)).toBe('32');
  expect(resourceFieldValue(container, { resource: 'limits.memory', divisor: '1Gi' }, node)).toBe('4');
});

test('variables in texts', () => {
  const values = new Map([['A', '1']]);
  expect(['$(A)-$(B)', '$$(A)', '$A', 'cost $$5', '$('].map((text) => expand(text, values))).toEqual([
    '1-$(B)',
    '$(A)',
    '$A',
    'cost $5',
    '$(',
  ]);
});
