// Goal: what a kubelet does for a critical pod that does not fit. Method: a whole cluster; pods are given to the node by hand, statuses and events are looked at.
import { resources } from 'bottleship';
import { createTestCluster, type TestCluster } from 'bottleship/testing';
import { expect, it } from 'vitest';
import type { PodSpec } from '../src/api/kinds/core-v1.ts';
import { oneNode, pod, statusOf } from './support/pods.ts';

const { pods, events } = resources;

const asking = (cpu: string, more: Partial<PodSpec> = {}): PodSpec => ({
  nodeName: 'n1',
  containers: [{ name: 'c', image: 'nginx:1.27', resources: { requests: { cpu } } }],
  ...more,
});
const CRITICAL: Partial<PodSpec> = { priorityClassName: 'system-node-critical' };

async function eventsOf(cluster: TestCluster, name: string): Promise<string[]> {
  const all = await cluster.list(events, { namespace: 'default' });
  return all
    .filter(({ involvedObject }) => involvedObject.name === name)
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
}

it('ends the lesser pods that are in its way, then starts it', async () => {
  const cluster = await oneNode();
  await cluster.apply([pod('small', asking('200m')), pod('large', asking('1500m'))]);
  await cluster.waitUntilReady(pods, 'large');
  await cluster.apply(pod('critical', asking('1', CRITICAL)));
  await cluster.waitUntilReady(pods, 'critical');
  expect(await statusOf(cluster, 'large')).toMatchObject({
    phase: 'Failed',
    reason: 'Preempting',
    message: 'Preempted in order to admit critical pod',
    conditions: expect.arrayContaining([
      expect.objectContaining({
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'TerminationByKubelet',
        message: 'Pod was preempted by Kubelet to accommodate a critical pod.',
      }),
    ]),
  });
  expect(await eventsOf(cluster, 'large')).toContain('Warning Preempting: Preempted in order to admit critical pod');
  expect(await statusOf(cluster, 'small')).toMatchObject({ phase: 'Running' });
  const [ended, started] = [await statusOf(cluster, 'large'), await statusOf(cluster, 'critical')];
  const finishedAt = ended.containerStatuses?.[0]?.state?.terminated?.finishedAt ?? '';
  expect(finishedAt && finishedAt <= (started.containerStatuses?.[0]?.state?.running?.startedAt ?? '')).toBe(true);
});

it('refuses it where not even all others would make room, and ends none of them', async () => {
  const cluster = await oneNode();
  await cluster.apply(pod('small', asking('200m')));
  await cluster.waitUntilReady(pods, 'small');
  await cluster.apply(pod('critical', asking('3', CRITICAL)));
  await cluster.advance(2_000);
  expect(await statusOf(cluster, 'critical')).toMatchObject({
    phase: 'Failed',
    reason: 'UnexpectedAdmissionError',
    message:
      'Pod was rejected: Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]',
  });
  expect(await statusOf(cluster, 'small')).toMatchObject({ phase: 'Running' });
});

it('refuses it for what is no resource, and ends none of the others', async () => {
  const cluster = await oneNode();
  await cluster.apply(pod('large', asking('1500m')));
  await cluster.waitUntilReady(pods, 'large');
  await cluster.apply(pod('critical', asking('1', { ...CRITICAL, nodeSelector: { disk: 'ssd' } })));
  await cluster.advance(2_000);
  expect(await statusOf(cluster, 'critical')).toMatchObject({ phase: 'Failed', reason: 'NodeAffinity' });
  expect(await statusOf(cluster, 'large')).toMatchObject({ phase: 'Running' });
});

it('makes room for a static pod', async () => {
  const manifest = (cpu: string): string =>
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'agent' }, spec: asking(cpu) });
  const cluster = await createTestCluster({ nodes: [{ name: 'n1', cpu: '2', images: ['nginx:1.27'], staticPods: [manifest('100m')] }] });
  await cluster.apply(pod('large', asking('1500m')));
  await cluster.waitUntilReady(pods, 'large');
  cluster.machines.get('n1')?.containerd.files.writeFile('/etc/kubernetes/manifests/1.yaml', manifest('1'));
  await cluster.advance(60_000);
  expect(await statusOf(cluster, 'large')).toMatchObject({ phase: 'Failed', reason: 'Preempting' });
  expect(await statusOf(cluster, 'agent-n1')).toMatchObject({ phase: 'Running' });
});

it('tells when a pod takes longer to end than it may', async () => {
  const cluster = await oneNode();
  const stubborn = pod('stubborn', {
    nodeName: 'n1',
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'c',
        image: 'nginx:1.27',
        resources: { requests: { cpu: '1500m' } },
        lifecycle: { preStop: { exec: { command: ['sh', '-c', 'sleep 1000'] } } },
      },
    ],
  });
  await cluster.apply(stubborn);
  await cluster.waitUntilReady(pods, 'stubborn');
  cluster.fault({ fault: 'pause', component: 'containerd/n1' });
  await cluster.apply(pod('critical', asking('1', CRITICAL)));
  await cluster.advance(15_000);
  expect(await eventsOf(cluster, 'stubborn')).toContain(
    'Warning ExceededGracePeriod: Container runtime did not kill the pod within specified grace period.',
  );
});
