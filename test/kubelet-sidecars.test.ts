// Goal: sidecars live by rules of their own in pods whose containers are not restarted. Method: a whole cluster, statuses and events out.
import { resources } from 'bottleship';
import { expect, it } from 'vitest';
import type { PodSpec } from '../src/api/kinds/core-v1.ts';
import { oneNode, pod, statusOf } from './support/pods.ts';

const { pods } = resources;

it.each(['Never', 'OnFailure'])('a sidecar that ends is started again, and shown so, also under policy %s', async (restartPolicy) => {
  const cluster = await oneNode();
  const side = { name: 'side', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 3; exit 0'], restartPolicy: 'Always' };
  const main = { name: 'main', image: 'busybox:1.36', command: ['sleep', '60'] };
  const spec: PodSpec = { restartPolicy, initContainers: [side], containers: [main] };
  await cluster.apply(pod('work', spec));
  await cluster.waitUntil(pods, 'work', { fits: ({ status }) => status?.initContainerStatuses?.[0]?.restartCount === 1 });
  expect((await statusOf(cluster, 'work')).initContainerStatuses?.[0]).toMatchObject({
    state: { running: expect.anything() },
    lastState: { terminated: { exitCode: 0, reason: 'Completed' } },
  });
  await cluster.waitUntil(pods, 'work', { withinMs: 120_000, fits: ({ status }) => status?.phase === 'Succeeded' });
});
