import { expect, test } from 'vitest';
import {
  events,
  namespaces,
  nodes,
  persistentvolumeclaims,
  persistentvolumes,
  pods,
  volumeattachments,
} from '../../../../src/api/resources.ts';
import { ControlPlane } from '../../../../test/support/control-plane.ts';

const CSI = { driver: 'disk.example.com', volumeHandle: 'h1' };

async function start(): Promise<ControlPlane> {
  const plane = new ControlPlane([
    'persistentvolume-attach-detach-controller',
    'persistentvolume-binder-controller',
    'serviceaccount-controller',
  ]);
  const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
  const common = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  await plane.act(async (client) => {
    await client.resource(namespaces).create({ metadata: { name: 'x' } });
    for (const name of ['n1', 'n2']) await client.resource(nodes).create({ metadata: { name, annotations } });
    await client
      .resource(persistentvolumes)
      .create({ metadata: { name: 'v' }, spec: { ...common, capacity: { storage: '1Gi' }, csi: CSI } });
    const spec = { ...common, resources: { requests: { storage: '1Gi' } } };
    await client.resource(persistentvolumeclaims).create({ metadata: { namespace: 'x', name: 'data' }, spec });
  });
  await plane.simulation.settle();
  return plane;
}

async function addPod(plane: ControlPlane, name: string, nodeName: string): Promise<void> {
  const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }];
  const spec = { nodeName, containers: [{ name: 'c', image: 'nginx' }], volumes };
  await plane.act((client) => client.resource(pods).create({ metadata: { namespace: 'x', name }, spec }));
  await plane.simulation.settle();
}

/** What the sidecar of the driver does. */
async function attachAll(plane: ControlPlane): Promise<void> {
  await plane.act(async (client) => {
    for (const item of (await client.resource(volumeattachments).list()).items)
      await client.resource(volumeattachments).updateStatus({ ...item, status: { attached: true } });
  });
  await plane.simulation.settle();
}

const placesOf = async (plane: ControlPlane): Promise<string[]> => {
  const { items } = await plane.act((client) => client.resource(volumeattachments).list());
  return items.map(({ spec, status }) => `${spec.nodeName} ${status?.attached}`);
};
const messagesOf = async (plane: ControlPlane): Promise<string[]> => {
  const { items } = await plane.act((client) => client.resource(events).list({ namespace: 'x' }));
  return items
    .filter(({ reason }) => reason?.endsWith('AttachVolume'))
    .map(({ involvedObject, message }) => `${involvedObject.name}: ${message}`);
};

test('a volume follows its pod to a node, and goes when the pod is gone', async () => {
  const plane = await start();
  await addPod(plane, 'a', 'n1');
  expect(await placesOf(plane)).toEqual(['n1 false']);
  await attachAll(plane);
  const node = await plane.act((client) => client.resource(nodes).get({ name: 'n1' }));
  expect(node.status?.volumesAttached).toEqual([{ name: 'kubernetes.io/csi/disk.example.com^h1', devicePath: '' }]);
  expect(await messagesOf(plane)).toEqual(['a: AttachVolume.Attach succeeded for volume "v" ']);
  await plane.act((client) => client.resource(pods).delete({ namespace: 'x', name: 'a' }, { gracePeriodSeconds: 0 }));
  await plane.simulation.settle();
  expect(await placesOf(plane)).toEqual([]);
});

test('a volume for one node has to leave it before another can have it', async () => {
  const plane = await start();
  await addPod(plane, 'a', 'n1');
  await attachAll(plane);
  await addPod(plane, 'b', 'n2');
  expect(await placesOf(plane)).toEqual(['n1 true']);
  expect((await messagesOf(plane)).at(-1)).toBe('b: Multi-Attach error for volume "v" Volume is already used by pod(s) a');
  await plane.act((client) => client.resource(pods).delete({ namespace: 'x', name: 'a' }, { gracePeriodSeconds: 0 }));
  await plane.simulation.settle();
  expect(await placesOf(plane)).toEqual(['n2 false']);
});

test('an attachment is asked to go once, whatever happens while it goes', async () => {
  const plane = await start();
  await addPod(plane, 'a', 'n1');
  await attachAll(plane);
  await plane.act(async (client) => {
    const [attachment] = (await client.resource(volumeattachments).list()).items;
    const kept = { metadata: { finalizers: ['example.com/attacher'] } };
    await client.resource(volumeattachments).patch({ name: attachment?.metadata.name ?? '' }, kept, { type: 'merge' });
    await client.resource(pods).delete({ namespace: 'x', name: 'a' }, { gracePeriodSeconds: 0 });
    const annotate = (at: number) =>
      client.resource(nodes).patch({ name: 'n1' }, { metadata: { annotations: { at: String(at) } } }, { type: 'merge' });
    for (let at = 0; at < 10; at++) {
      void annotate(at);
      await client.actor.sleep(1);
    }
  });
  await plane.simulation.settle();
  const asked = plane.simulation.trace.entries.filter(
    (entry) => entry.kind === 'request' && entry.verb === 'delete' && entry.object.resource === 'volumeattachments',
  );
  expect(asked).toHaveLength(1);
});

test('a node that was deleted keeps what it had mounted for six minutes', async () => {
  const plane = await start();
  await addPod(plane, 'a', 'n1');
  await attachAll(plane);
  await plane.act(async (client) => {
    const status = { volumesInUse: ['kubernetes.io/csi/disk.example.com^h1'] };
    await client.resource(nodes).patch({ name: 'n1' }, { status }, { type: 'merge', subresource: 'status' });
    await client.resource(nodes).delete({ name: 'n1' });
    await client.resource(pods).delete({ namespace: 'x', name: 'a' }, { gracePeriodSeconds: 0 });
  });
  await plane.simulation.advance(359_000);
  expect(await placesOf(plane)).toEqual(['n1 true']);
  await plane.simulation.advance(2_000);
  expect(await placesOf(plane)).toEqual([]);
});

test('when the sidecar does not answer it says so every two minutes, and is glad when it does', async () => {
  const plane = await start();
  await addPod(plane, 'a', 'n1');
  await plane.simulation.advance(119_000);
  expect(await messagesOf(plane)).toEqual([]);
  await plane.simulation.advance(2_000);
  const why = 'timed out waiting for external-attacher of disk.example.com CSI driver to attach volume h1';
  expect(await messagesOf(plane)).toEqual([`a: AttachVolume.Attach failed for volume "v" : ${why}`]);
  await plane.simulation.advance(121_000);
  const { items } = await plane.act((client) => client.resource(events).list({ namespace: 'x' }));
  expect(items.find(({ reason }) => reason === 'FailedAttachVolume')?.count).toBe(2);
  await attachAll(plane);
  expect((await messagesOf(plane)).at(-1)).toBe('a: AttachVolume.Attach succeeded for volume "v" ');
});
