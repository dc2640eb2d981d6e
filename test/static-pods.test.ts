// Goal: static pods as a node has them: they run without the API, and the API shows them. Method: a whole cluster with manifests on a node.
import { resources } from 'bottleship';
import { createTestCluster, type TestCluster } from 'bottleship/testing';
import { expect, it } from 'vitest';
import type { Pod } from '../src/api/kinds/core-v1.ts';

const { nodes, pods } = resources;
const MANIFEST = `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec:
  containers:
    - { name: c, image: 'nginx:1.27' }
`;
const PATH = '/etc/kubernetes/manifests/1.yaml';

const withStaticPod = (): Promise<TestCluster> =>
  createTestCluster({ nodes: [{ name: 'n1', images: ['nginx:1.27', 'nginx:1.28'], staticPods: [MANIFEST] }] });
const mirror = (cluster: TestCluster): Promise<Pod | undefined> => cluster.get(pods, 'web-n1');

it('are shown by mirror pods, under the name of their node', async () => {
  const cluster = await withStaticPod();
  const pod = await mirror(cluster);
  const hash = pod?.metadata.annotations?.['kubernetes.io/config.hash'];
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect(pod).toMatchObject({
    metadata: {
      namespace: 'default',
      labels: { app: 'web' },
      annotations: {
        'kubernetes.io/config.mirror': hash,
        'kubernetes.io/config.source': 'file',
        'kubernetes.io/config.seen': expect.any(String),
      },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: (await cluster.get(nodes, 'n1'))?.metadata.uid, controller: true },
      ],
    },
    spec: { nodeName: 'n1', tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] },
    status: { phase: 'Running', containerStatuses: [{ ready: true }] },
  });
  expect(pod?.metadata.uid).not.toBe(hash);
});

it('go on when their mirror pod is deleted, which comes back', async () => {
  const cluster = await withStaticPod();
  const before = await mirror(cluster);
  await cluster.kubectl(['delete', 'pod', 'web-n1', '--wait=false']);
  await cluster.advance(20_000);
  const after = await mirror(cluster);
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  expect(after?.status?.containerStatuses).toEqual(before?.status?.containerStatuses);
});

it('are started again while kube-apiserver is down, also by a kubelet that starts then', async () => {
  const cluster = await withStaticPod();
  const before = (await mirror(cluster))?.status?.containerStatuses?.[0]?.containerID;
  cluster.crash('kube-apiserver');
  cluster.fault({ fault: 'stop-node', node: 'n1' });
  await cluster.advance(1_000);
  cluster.fault({ fault: 'start-node', node: 'n1' });
  await cluster.advance(10_000);
  const running = cluster.machines.get('n1')?.containerd.runtime.listContainerStats();
  expect(running).toMatchObject([{ pod: 'web-n1', container: 'c' }]);
  cluster.restart('kube-apiserver');
  await cluster.advance(120_000);
  const now = (await mirror(cluster))?.status?.containerStatuses?.[0];
  expect(now).toMatchObject({ restartCount: 1, state: { running: {} } });
  expect(now?.containerID).not.toBe(before);
});

it('follow their files', async () => {
  const cluster = await withStaticPod();
  const { files } = cluster.machines.get('n1')?.containerd ?? {};
  const before = await mirror(cluster);
  files?.writeFile(PATH, MANIFEST.replace('1.27', '1.28'));
  await cluster.advance(60_000);
  const changed = await mirror(cluster);
  expect(changed?.metadata.uid).not.toBe(before?.metadata.uid);
  expect(changed?.status?.containerStatuses).toMatchObject([{ image: 'docker.io/library/nginx:1.28', restartCount: 0, ready: true }]);
  files?.remove(PATH);
  await cluster.advance(60_000);
  expect(await mirror(cluster)).toBeUndefined();
  expect(cluster.machines.get('n1')?.containerd.runtime.listContainerStats()).toEqual([]);
});
