import { expect, it } from 'vitest';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { applyDefaults } from './file.ts';

const at = { file: '/etc/kubernetes/manifests/web.yaml', nodeName: 'N1', seen: '2026-01-01T00:00:00Z' };
const manifest = (image: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'c', image, livenessProbe: { httpGet: { port: 80 } } }] },
});

it('names a static pod after its node, and keeps it there', () => {
  const { metadata, spec, status } = applyDefaults(manifest('nginx'), at);
  expect(metadata).toMatchObject({ name: 'web-n1', namespace: 'default', annotations: { 'kubernetes.io/config.hash': metadata.uid } });
  expect(spec).toMatchObject({
    nodeName: 'N1',
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
    containers: [
      { imagePullPolicy: 'Always', livenessProbe: { periodSeconds: 10, failureThreshold: 3, httpGet: { path: '/', port: 80 } } },
    ],
  });
  expect(status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
});

it('makes another pod of another manifest, file or node, and the same of the same', () => {
  const uid = (pod: Pod, more: Partial<typeof at> = {}) => applyDefaults(pod, { ...at, ...more }).metadata.uid;
  const first = uid(manifest('nginx:1.27'));
  expect(uid(manifest('nginx:1.27'), { seen: '2026-02-02T00:00:00Z' })).toBe(first);
  expect(new Set([first, uid(manifest('nginx:1.28')), uid(manifest('nginx:1.27'), { nodeName: 'n2' })]).size).toBe(3);
});
