import { resources } from 'bottleship';
import { crashAfterEachWrite, createTestCluster, expectTrace, forEachSeed, type TestCluster } from 'bottleship/testing';
import { expect, it } from 'vitest';
import { STATUS_ANNOTATION, WEBSITE_LABEL, websiteController } from './website-controller.ts';

const website = (replicas: number, text = 'hello') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'blog', namespace: 'default', labels: { [WEBSITE_LABEL]: '' } },
  data: { replicas: String(replicas), 'index.html': text },
});
const options = { nodes: 2, userControllers: [websiteController] };

async function expectServed(cluster: TestCluster, replicas: number): Promise<void> {
  const blog = await cluster.get(resources.configmaps, 'blog');
  expect(blog?.metadata.annotations?.[STATUS_ANNOTATION]).toBe(`${replicas} of ${replicas} ready`);
  const slices = await cluster.list(resources.endpointslices, { namespace: 'default', labelSelector: 'kubernetes.io/service-name=blog' });
  expect(slices.flatMap(({ endpoints }) => endpoints ?? []).filter(({ conditions }) => conditions?.ready).length).toBe(replicas);
}

it('serves a website', async () => {
  const cluster = await createTestCluster(options);
  await cluster.apply(website(3));
  await cluster.settle();
  await expectServed(cluster, 3);
  await cluster.expectEvents(resources.configmaps, 'blog', ['Normal Published: Created deployment blog']);
  expectTrace(cluster).before({ kind: 'Deployment', by: 'website' }, { kind: 'Pod', verb: 'create', by: 'replicaset-controller' });
  expectTrace(cluster).within(60_000, { kind: 'ConfigMap', name: 'blog', field: 'metadata.annotations' });
});

it('follows the ConfigMap, and cleans up after it', async () => {
  const cluster = await createTestCluster(options);
  await cluster.apply(website(1));
  await cluster.settle();
  await cluster.edit(resources.configmaps, 'blog', (draft) => {
    draft.data = { ...draft.data, replicas: '4' };
  });
  await cluster.settle();
  await expectServed(cluster, 4);
  await cluster.delete(resources.configmaps, 'blog');
  await cluster.waitUntilGone(resources.deployments, 'blog');
  await cluster.waitUntilGone(resources.services, 'blog');
});

it('puts right what others change', async () => {
  const cluster = await createTestCluster(options);
  await cluster.apply(website(2));
  await cluster.settle();
  await cluster.kubectl(['scale', 'deployment/blog', '--replicas=0']);
  await cluster.delete(resources.services, 'blog');
  await cluster.settle();
  await expectServed(cluster, 2);
});

it('leaves other ConfigMaps alone', async () => {
  const cluster = await createTestCluster(options);
  await cluster.apply({ ...website(1), metadata: { name: 'blog', namespace: 'default' } });
  await cluster.settle();
  expectTrace(cluster).never({ by: 'website' });
});

it('gets there when requests fail', async () => {
  const cluster = await createTestCluster(options);
  cluster.failNext('website', { verb: 'create', resource: resources.deployments, status: 500 });
  cluster.failNext('website', { verb: 'create', resource: resources.services, status: 'reset', carriedOut: true });
  await cluster.apply(website(1));
  await cluster.settle();
  await expectServed(cluster, 1);
});

it('gets there wherever it crashes', async () => {
  const writes = await crashAfterEachWrite({
    cluster: options,
    controller: 'website',
    act: (cluster) => cluster.apply(website(2)),
    check: (cluster) => expectServed(cluster, 2),
  });
  expect(writes).toBeGreaterThan(3);
});

it('gets there in whatever order things happen', async () => {
  await forEachSeed({ seeds: 10, cluster: options }, async (cluster) => {
    await cluster.apply(website(3));
    await cluster.settle();
    await expectServed(cluster, 3);
  });
});
