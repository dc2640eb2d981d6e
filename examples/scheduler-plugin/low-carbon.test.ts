import { type CoreV1, createCluster, resources } from 'bottleship';
import { createTestCluster, expectTrace } from 'bottleship/testing';
import { expect, it } from 'vitest';
import { CARBON_LABEL, LIMIT_ANNOTATION, LowCarbon } from './low-carbon.ts';

const node = (name: string, carbon: number) => ({ name, labels: { [CARBON_LABEL]: String(carbon) } });
const pod = (name: string, annotations: Record<string, string> = {}): CoreV1.Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', annotations },
  spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] },
});

const options = {
  nodes: [node('coal', 820), node('gas', 490), node('wind', 11)],
  schedulerPlugins: { LowCarbon: () => new LowCarbon() },
  schedulerConfig: {
    profiles: [{ schedulerName: 'default-scheduler', plugins: { multiPoint: { enabled: [{ name: 'LowCarbon', weight: 10 }] } } }],
  },
};

it('prefers the node that makes least', async () => {
  const cluster = await createTestCluster(options);
  await cluster.apply(pod('web'));
  await cluster.settle();
  expect((await cluster.get(resources.pods, 'web'))?.spec?.nodeName).toBe('wind');
});

it('says why a pod has to wait, and tries again when a node becomes cleaner', async () => {
  const cluster = await createTestCluster(options);
  await cluster.apply(pod('picky', { [LIMIT_ANNOTATION]: '5' }));
  await cluster.settle();
  const waiting = await cluster.get(resources.pods, 'picky');
  expect(waiting?.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message).toContain(
    '0/3 nodes are available: 3 node(s) made too much carbon dioxide.',
  );
  await cluster.kubectl(['label', 'node', 'gas', `${CARBON_LABEL}=0`, '--overwrite']);
  await cluster.settle();
  expect((await cluster.get(resources.pods, 'picky'))?.spec?.nodeName).toBe('gas');
  expectTrace(cluster).before({ kind: 'Node', name: 'gas', verb: 'update' }, { kind: 'Pod', name: 'picky', field: 'spec.nodeName' });
});

it('is not there for pods of another scheduler', async () => {
  const plain = { leaderElection: { leaderElect: false }, profiles: [{ schedulerName: 'plain' }] };
  const cluster = await createTestCluster({ ...options, schedulers: [{ name: 'plain', config: plain }] });
  const careless: CoreV1.Pod = pod('careless', { [LIMIT_ANNOTATION]: '5' });
  const elsewhere: CoreV1.Pod = { ...careless, spec: { containers: [], ...careless.spec, schedulerName: 'plain' } };
  await cluster.apply(elsewhere);
  await cluster.settle();
  expect((await cluster.get(resources.pods, 'careless'))?.status?.phase).toBe('Running');
});

it('is refused when the configuration names what is not there', async () => {
  await expect(createCluster({ ...options, schedulerPlugins: {} })).rejects.toThrow(
    'profiles[0].plugins.multiPoint.enabled[0]: Not found: "LowCarbon"',
  );
});
