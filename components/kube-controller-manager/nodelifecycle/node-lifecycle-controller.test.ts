import { expect, test } from 'vitest';
import type { Node } from '../../../src/api/kinds/core-v1.ts';
import { events, leases, nodes, pods } from '../../../src/api/resources.ts';
import { formatMicroTime, formatTime } from '../../../src/api/time.ts';
import type { Client } from '../../../src/client/client.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const CONTROLLERS = [
  'node-lifecycle-controller',
  'taint-eviction-controller',
  'pod-garbage-collector-controller',
  'serviceaccount-controller',
];

/** A kubelet, as far as the control plane sees it: renews its lease every 10 s until it is told to stop. */
async function addNode(plane: ControlPlane, name: string): Promise<{ stop(): void }> {
  const { simulation } = plane;
  const now = formatTime(simulation.wallTime);
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'x', lastHeartbeatTime: now, lastTransitionTime: now };
  await plane.act(async (client) => {
    await client.resource(nodes).create({ metadata: { name }, status: { conditions: [ready] } });
    await client
      .resource(leases)
      .create({ metadata: { namespace: 'kube-node-lease', name }, spec: { renewTime: formatMicroTime(simulation.wallTime) } });
  });
  const kubelet = simulation.actor(`kubelet/${name}`, (actor) => {
    const client = plane.client(actor, {
      username: `system:node:${name}`,
      groups: ['system:nodes', 'system:masters', 'system:authenticated'],
    });
    const renew = async (): Promise<void> => {
      const spec = { renewTime: formatMicroTime(simulation.wallTime) };
      await client.resource(leases).patch({ namespace: 'kube-node-lease', name }, { spec }, { type: 'merge', background: true });
      actor.schedule(10_000, renew, { priority: 'background' });
    };
    actor.schedule(10_000, renew, { priority: 'background' });
  });
  kubelet.start();
  return { stop: () => kubelet.crash() };
}

async function addPod(client: Client, name: string, nodeName: string, seconds: number): Promise<void> {
  const toleration = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds };
  const spec = { nodeName, containers: [{ name: 'c', image: 'nginx' }], tolerations: [toleration] };
  await client.resource(pods).create({ metadata: { namespace: 'default', name }, spec });
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  await client
    .resource(pods)
    .patch({ namespace: 'default', name }, { status: { phase: 'Running', conditions } }, { type: 'strategic', subresource: 'status' });
}

const taintsOf = (node: Node): string[] =>
  (node.spec?.taints ?? []).map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);
const readNode = (plane: ControlPlane, name: string): Promise<Node> => plane.act((client) => client.resource(nodes).get({ name }));

test('a silent node: Unknown after 50 s, tainted, its pods marked at once and evicted when they no longer tolerate it', async () => {
  const plane = new ControlPlane(CONTROLLERS);
  await addNode(plane, 'n1');
  const n2 = await addNode(plane, 'n2');
  await plane.act((client) => addPod(client, 'a', 'n2', 60));
  await plane.simulation.advance(30_000);
  expect(taintsOf(await readNode(plane, 'n2'))).toEqual([]);
  n2.stop();
  await plane.simulation.advance(45_000);
  expect((await readNode(plane, 'n2')).status?.conditions?.[0]?.status).toBe('True');

  await plane.simulation.advance(15_000);
  const silent = await readNode(plane, 'n2');
  expect(silent.status?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
    'Ready Unknown NodeStatusUnknown',
    'MemoryPressure Unknown NodeStatusNeverUpdated',
    'DiskPressure Unknown NodeStatusNeverUpdated',
    'PIDPressure Unknown NodeStatusNeverUpdated',
  ]);
  expect(taintsOf(silent)).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
  const pod = await plane.act((client) => client.resource(pods).get({ namespace: 'default', name: 'a' }));
  expect(pod.status?.conditions?.[0]?.status).toBe('False');
  expect(pod.metadata.deletionTimestamp).toBeUndefined();

  await plane.simulation.advance(60_000);
  const evicted = await plane.act((client) => client.resource(pods).get({ namespace: 'default', name: 'a' }));
  expect(evicted.metadata.deletionTimestamp).toBeDefined();
  expect(evicted.status?.conditions?.at(-1)).toMatchObject({ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' });
  const { items } = await plane.act((client) => client.resource(events).list({ namespace: 'default' }));
  expect(
    items.map(({ source, involvedObject, reason, message }) => `${source?.component} ${involvedObject.kind} ${reason}: ${message}`),
  ).toEqual(
    expect.arrayContaining([
      'node-controller Node RegisteredNode: Node n1 event: Registered Node n1 in Controller',
      'node-controller Node NodeNotReady: Node n2 status is now: NodeNotReady',
      'node-controller Pod NodeNotReady: Node is not ready',
      'taint-eviction-controller Pod TaintManagerEviction: Marking for deletion Pod default/a',
    ]),
  );
});

test('when every node is silent nobody is tainted NoExecute', async () => {
  const plane = new ControlPlane(CONTROLLERS);
  const all = [await addNode(plane, 'n1'), await addNode(plane, 'n2')];
  await plane.simulation.advance(20_000);
  for (const node of all) node.stop();
  await plane.simulation.advance(80_000);
  expect(taintsOf(await readNode(plane, 'n1'))).toEqual(['unreachable:NoSchedule']);
  expect(taintsOf(await readNode(plane, 'n2'))).toEqual(['unreachable:NoSchedule']);
});

test('cordon taints, uncordon takes the taint off', async () => {
  const plane = new ControlPlane(CONTROLLERS);
  await addNode(plane, 'n1');
  const cordon = (unschedulable: boolean | null) => (client: Client) =>
    client.resource(nodes).patch({ name: 'n1' }, { spec: { unschedulable } }, { type: 'merge' });
  await plane.act(cordon(true));
  await plane.simulation.settle();
  expect(taintsOf(await readNode(plane, 'n1'))).toEqual(['unschedulable:NoSchedule']);
  await plane.act(cordon(null));
  await plane.simulation.settle();
  expect(taintsOf(await readNode(plane, 'n1'))).toEqual([]);
});

test('pods of a node that is gone are deleted after 40 to 80 s, and somebody waits for it', async () => {
  const plane = new ControlPlane(CONTROLLERS);
  await addNode(plane, 'n1');
  await plane.act((client) => addPod(client, 'a', 'n1', 60));
  await plane.simulation.advance(5_000);
  await plane.act((client) => client.resource(nodes).delete({ name: 'n1' }));
  const before = plane.simulation.now;
  await plane.simulation.advance(35_000);
  await plane.act((client) => client.resource(pods).get({ namespace: 'default', name: 'a' }));
  await plane.simulation.settle();
  expect(plane.simulation.now - before).toBeLessThan(85_000);
  await expect(plane.act((client) => client.resource(pods).get({ namespace: 'default', name: 'a' }))).rejects.toThrow('pods "a" not found');
});
