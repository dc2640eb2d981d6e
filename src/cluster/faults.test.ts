import { expect, it } from 'vitest';
import type { KubernetesObject } from '../api/object.ts';
import type { UserInfo } from '../api/request.ts';
import { deployments, events, nodes, pods } from '../api/resources.ts';
import { Cluster, createCluster } from './cluster.ts';
import { applyFault, checkFault } from './faults.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } } as KubernetesObject;
const event = { type: 'MODIFIED', object: pod, revision: 5 } as const;

it('loses one event that fits, unless the component crashes before', () => {
  const cluster = new Cluster({ components: ['kube-scheduler'], nodes: 0 });
  const drop = { fault: 'drop-watch-event', component: 'kube-scheduler', kind: 'Pod' } as const;
  const lost = (): boolean => cluster.network.drops('kube-scheduler', event);
  applyFault(cluster, drop);
  expect([lost(), lost()]).toEqual([true, false]);
  applyFault(cluster, { ...drop, kind: 'Node' });
  expect(lost()).toBe(false);
  applyFault(cluster, drop);
  applyFault(cluster, { fault: 'crash', component: 'kube-scheduler' });
  expect(lost()).toBe(false);
});

it('says what is not there', () => {
  const cluster = new Cluster({ components: ['kube-scheduler'], nodes: 0 });
  expect(checkFault(cluster, { fault: 'crash', component: 'kube-scheduler' })).toBeUndefined();
  expect(checkFault(cluster, { fault: 'crash', component: 'scheduler' })).toMatch(
    /^there is no component "scheduler"; there are etcd, kube-apiserver/,
  );
  expect(checkFault(cluster, { fault: 'stop-node', node: 'n9' })).toBe('there is no node "n9"');
});

it('sends away what is too much for kube-apiserver, in the words of API Priority and Fairness', async () => {
  const cluster = await createCluster({ nodes: 1 });
  cluster.fault({ fault: 'overload-apiserver', share: 1, priorityLevel: 'global-default' });
  const url = '/api/v1/namespaces/default/pods';
  const ask = async (user: UserInfo) => cluster.call((client) => client.as(user).resource(pods).list({ namespace: 'default' }), user);
  const began = cluster.simulation.now;
  const somebody = { username: 'jane', groups: ['system:authenticated'] };
  await expect(ask(somebody)).rejects.toMatchObject({
    status: {
      code: 429,
      reason: 'TooManyRequests',
      message: 'the server has received too many requests and has asked us to try again later (get pods)',
      details: {
        kind: 'pods',
        retryAfterSeconds: 1,
        causes: [{ reason: 'UnexpectedServerResponse', message: 'Too many requests, please try again later.' }],
      },
    },
  });
  expect(cluster.simulation.now - began).toBeGreaterThanOrEqual(10_000);
  expect((await cluster.call((client) => client.resource(pods).list())).items).toEqual([]);
  const response = cluster.startHttp({ method: 'GET', url, headers: {} });
  await cluster.advance(100);
  expect((await response).status, 'kubernetes-admin is exempt').toBe(200);
});

it('gets through an overload, an outage and a slow network', async () => {
  const cluster = await createCluster({ nodes: 2, seed: '3' });
  const ready = async (): Promise<unknown> =>
    (await cluster.call((client) => client.resource(deployments).get({ namespace: 'default', name: 'web' }))).status?.readyReplicas;
  cluster.fault({ fault: 'overload-apiserver', share: 0.7 });
  cluster.fault({ fault: 'slow-network', target: 'n1', ms: 800 });
  await cluster.kubectl(['create', 'deployment', 'web', '--image=nginx:1.27', '--replicas=4']);
  await cluster.advance(120_000);
  expect(await ready()).toBe(4);
  expect(cluster.simulation.trace.entries.some((entry) => entry.kind === 'response' && entry.code === 429)).toBe(true);
  cluster.fault({ fault: 'apiserver-outage', ms: 20_000 });
  await expect(cluster.kubectl(['scale', 'deployment/web', '--replicas=6'])).resolves.toMatchObject({ code: 1 });
  cluster.fault({ fault: 'overload-apiserver', share: 0 });
  cluster.fault({ fault: 'slow-network', target: 'n1', ms: 0 });
  await cluster.advance(60_000);
  await cluster.kubectl(['scale', 'deployment/web', '--replicas=6']);
  await cluster.settle();
  expect(await ready()).toBe(6);
});

it('makes a node not ready without its CNI configuration, which no pod can leave', async () => {
  const cluster = await createCluster({ nodes: 1 });
  await cluster.kubectl(['run', 'web', '--image=nginx:1.27']);
  await cluster.settle();
  const node = async () =>
    (await cluster.call((client) => client.resource(nodes).get({ name: 'n1' }))).status?.conditions?.find(({ type }) => type === 'Ready');
  cluster.fault({ fault: 'remove-cni-config', node: 'n1' });
  await cluster.advance(20_000);
  expect(await node()).toMatchObject({ status: 'False', message: expect.stringContaining('cni plugin not initialized') });
  await cluster.kubectl(['delete', 'pod', 'web', '--wait=false']);
  await cluster.advance(60_000);
  const { items } = await cluster.call((client) => client.resource(events).list({ namespace: 'default' }));
  expect(items.find(({ reason }) => reason === 'FailedKillPod')?.message).toMatch(
    /^error killing pod: failed to "KillPodSandbox" for "[0-9a-f-]{36}" with KillPodSandboxError: "rpc error: code = Unknown desc = failed to destroy network for sandbox \\"[0-9a-f]{64}\\": cni plugin not initialized"$/,
  );
  cluster.fault({ fault: 'restore-cni-config', node: 'n1' });
  await cluster.advance(30_000);
  expect((await cluster.call((client) => client.resource(pods).list())).items).toEqual([]);
  expect(await node()).toMatchObject({ status: 'True' });
});
