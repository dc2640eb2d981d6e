import { expect, it } from 'vitest';
import { answerWebhook } from './server.ts';

function ask(path: string, request: object): unknown {
  const { status, body } = answerWebhook({
    host: '10.0.0.1',
    port: 9443,
    path,
    method: 'POST',
    headers: {},
    body: JSON.stringify(request),
  });
  expect(status).toBe(200);
  return JSON.parse(body ?? '');
}

it('says what a Site is made of, and how ready that is', () => {
  const parent = { metadata: { name: 'blog' }, spec: { image: 'nginx:1.27' } };
  const deployment = { metadata: { name: 'blog' }, status: { readyReplicas: 1 } };
  expect(ask('/sync-site', { parent, children: { 'Deployment.apps/v1': { blog: deployment } } })).toEqual({
    status: { ready: 1 },
    children: [
      expect.objectContaining({ kind: 'Deployment', spec: expect.objectContaining({ replicas: 1 }) }),
      expect.objectContaining({ kind: 'Service', spec: { selector: { site: 'blog' }, ports: [{ port: 80 }] } }),
    ],
  });
});

it('gives each Pod of a StatefulSet a Service, and none when it goes', () => {
  const annotations = { 'service-per-pod-label': 'pod-name', 'service-per-pod-ports': '80,443' };
  const object = { metadata: { name: 'db', annotations }, spec: { replicas: 2 } };
  const { attachments } = ask('/sync-service-per-pod', { object }) as { attachments: object[] };
  expect(attachments).toEqual(
    ['db-0', 'db-1'].map((name) => ({
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
      spec: {
        selector: { 'pod-name': name },
        ports: [
          { name: 'port-80', port: 80 },
          { name: 'port-443', port: 443 },
        ],
      },
    })),
  );
  const left = { 'Service.v1': { 'db-0': {} } };
  expect(ask('/finalize-service-per-pod', { object, attachments: left })).toEqual({ attachments: [], finalized: false });
  expect(ask('/finalize-service-per-pod', { object, attachments: { 'Service.v1': {} } })).toEqual({ attachments: [], finalized: true });
});
