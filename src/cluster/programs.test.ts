import { expect, it } from 'vitest';
import { pods } from '../api/resources.ts';
import { createTestCluster } from '../testing/test-cluster.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'echo' }] } };

it('runs code in containers: it answers what the program of a container is asked', async () => {
  const cluster = await createTestCluster({
    nodes: 1,
    images: [{ name: 'echo', program: 'echo', ports: [8080] }],
    programs: { echo: ({ method, path, body = '' }) => ({ status: 201, body: `${method} ${path} ${body}` }) },
  });
  await cluster.apply([pod]);
  await cluster.settle();
  const host = (await cluster.get(pods, 'a'))?.status?.podIP ?? '';
  const call = { method: 'POST', headers: {}, body: 'hello', timeoutMs: 1_000 };
  const answer = await cluster.visit({ node: 'n1', namespace: 'default', host, port: 8080, path: '/x', call });
  expect(answer).toMatchObject({ outcome: 'answered', status: 201, body: 'POST /x hello' });
});

it('says which programs there are', async () => {
  const unknown = createTestCluster({
    nodes: 1,
    images: [{ name: 'a', program: 'nowhere' }],
    programs: { mine: () => ({ status: 200, body: '' }) },
  });
  await expect(unknown).rejects.toThrow('there is no program "nowhere"; there are');
});
