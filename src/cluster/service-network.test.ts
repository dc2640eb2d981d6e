import { expect, it } from 'vitest';
import { createCluster } from './cluster.ts';

const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: nginx, image: 'nginx:1.27' }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 8000, targetPort: 80 }] }
`;

it('leads a request from a name through the rules of a node to a pod, and refuses it when there is none', async () => {
  const cluster = await createCluster({ nodes: 2 });
  await cluster.kubectl(['apply', '-f', 'web.yaml'], { 'web.yaml': manifest });
  await cluster.settle();
  const visit = { node: 'n1', namespace: 'default', host: 'web', port: 8000, path: '/' };
  const answers = await Promise.all([cluster.visit(visit)]);
  for (let i = 0; i < 9; i++) answers.push(await cluster.visit(visit));
  expect(answers.map(({ outcome, status }) => [outcome, status])).toEqual(answers.map(() => ['answered', 200]));
  expect(new Set(answers.map(({ address }) => address)).size).toBe(2);
  expect(answers[0]?.way[0]).toMatch(/^coredns: web\.default\.svc\.cluster\.local\. is 10\./);
  expect(answers[0]?.way.some((line) => line.startsWith('kube-proxy/n1 KUBE-SVC-'))).toBe(true);

  await cluster.kubectl(['scale', 'deployment/web', '--replicas=0']);
  await cluster.settle();
  await cluster.advance(2_000);
  expect((await cluster.visit(visit)).outcome).toBe('refused');
  expect((await cluster.visit({ ...visit, host: 'nobody' })).outcome).toBe('no such name');
});
