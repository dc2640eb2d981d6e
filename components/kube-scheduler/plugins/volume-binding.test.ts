import { expect, it } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/api/kinds/core-v1.ts';
import {
  events,
  nodes,
  persistentvolumeclaims,
  persistentvolumes,
  pods,
  serviceaccounts,
  storageclasses,
} from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';
import { runKubeScheduler } from '../server.ts';

// Goal: a claim that waits for its first consumer is bound, or provisioned, before the pod is.
// Method: kube-apiserver and kube-scheduler alone; the test plays the volume controllers.

async function stage(): Promise<ControlPlane> {
  const plane = new ControlPlane([]);
  const user = { username: 'system:kube-scheduler', groups: ['system:authenticated'] };
  plane.simulation
    .actor('kube-scheduler', (actor) =>
      runKubeScheduler({ actor, client: plane.client(actor, user), config: { leaderElection: { leaderElect: false } } }),
    )
    .start();
  await plane.act(async (client) => {
    await client.resource(serviceaccounts).create({ metadata: { name: 'default', namespace: 'default' } });
    for (const name of ['n1', 'n2']) {
      await client.resource(nodes).create({ metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
      const allocatable = { cpu: '4', memory: '8Gi', pods: '110' };
      await client.resource(nodes).patch({ name }, { status: { allocatable } }, { type: 'merge', subresource: 'status' });
      await client.resource(nodes).patch({ name }, { spec: { taints: null } }, { type: 'merge' });
    }
  });
  return plane;
}

async function claimAndPod(plane: ControlPlane, provisioner: string): Promise<void> {
  await plane.act(async (client) => {
    await client.resource(storageclasses).create({ metadata: { name: 'wait' }, provisioner, volumeBindingMode: 'WaitForFirstConsumer' });
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'wait', resources: { requests: { storage: '1Gi' } } };
    await client.resource(persistentvolumeclaims).create({ metadata: { name: 'data', namespace: 'default' }, spec });
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    await client
      .resource(pods)
      .create({ metadata: { name: 'web', namespace: 'default' }, spec: { volumes, containers: [{ name: 'c', image: 'nginx' }] } });
  });
}

const at = { namespace: 'default', name: 'data' };
const claimOf = (plane: ControlPlane): Promise<PersistentVolumeClaim> =>
  plane.act((client) => client.resource(persistentvolumeclaims).get(at));
const nodeOf = async (plane: ControlPlane): Promise<string | undefined> =>
  (await plane.act((client) => client.resource(pods).get({ namespace: 'default', name: 'web' }))).spec?.nodeName;

/** What the volume controller does to the claim. */
async function completeBinding(plane: ControlPlane, volumeName: string): Promise<void> {
  await plane.act(async (client) => {
    const patch = { metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } }, spec: { volumeName } };
    await client.resource(persistentvolumeclaims).patch(at, patch, { type: 'merge' });
  });
  await plane.simulation.settle();
}

it('keeps a volume of the node for the claim, and binds the pod when the claim is bound', async () => {
  const plane = await stage();
  await plane.act(async (client) => {
    const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n2'] }] }] };
    const spec = {
      capacity: { storage: '5Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'wait',
      local: { path: '/mnt' },
      nodeAffinity: { required },
    };
    await client.resource(persistentvolumes).create({ metadata: { name: 'disk' }, spec });
    await client
      .resource(persistentvolumes)
      .patch({ name: 'disk' }, { status: { phase: 'Available' } }, { type: 'merge', subresource: 'status' });
  });
  await claimAndPod(plane, 'kubernetes.io/no-provisioner');
  await plane.simulation.advance(5000);
  const disk: PersistentVolume = await plane.act((client) => client.resource(persistentvolumes).get({ name: 'disk' }));
  expect(disk.spec?.claimRef).toMatchObject({ namespace: 'default', name: 'data', uid: (await claimOf(plane)).metadata.uid });
  expect(disk.metadata.annotations).toEqual({ 'pv.kubernetes.io/bound-by-controller': 'yes' });
  expect(await nodeOf(plane)).toBeUndefined();
  await completeBinding(plane, 'disk');
  expect(await nodeOf(plane)).toBe('n2');
});

it('names the node for the provisioner, and gives up its patience when none comes', async () => {
  const plane = await stage();
  await claimAndPod(plane, 'disk.example.com');
  await plane.simulation.settle();
  const selected = (await claimOf(plane)).metadata.annotations?.['volume.kubernetes.io/selected-node'];
  expect(['n1', 'n2']).toContain(selected);
  expect(await nodeOf(plane)).toBeUndefined();
  await plane.act(async (client) => {
    const spec = {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'wait',
      csi: { driver: 'disk.example.com', volumeHandle: '1' },
    };
    await client.resource(persistentvolumes).create({ metadata: { name: 'made' }, spec });
  });
  await completeBinding(plane, 'made');
  await plane.simulation.advance(1000);
  expect(await nodeOf(plane)).toBe(selected);
});

it('stops waiting for volumes when the pod is gone, and says so', async () => {
  const plane = await stage();
  await claimAndPod(plane, 'disk.example.com');
  await plane.simulation.advance(1500);
  await plane.act((client) => client.resource(pods).delete({ namespace: 'default', name: 'web' }));
  await plane.simulation.advance(2000);
  const { items } = await plane.act((client) => client.resource(events).list({ namespace: 'default' }));
  expect(items.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
    'FailedScheduling: running PreBind plugin "VolumeBinding": binding volumes: pod does not exist any more: pod "web" not found',
  ]);
});

it('does not say that it has chosen a volume that its user keeps for the claim', async () => {
  const plane = await stage();
  await plane.act(async (client) => {
    const spec = {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'wait',
      hostPath: { path: '/tmp/kept' },
      claimRef: at,
    };
    await client.resource(persistentvolumes).create({ metadata: { name: 'kept' }, spec });
  });
  await claimAndPod(plane, 'disk.example.com');
  await plane.simulation.advance(1500);
  const kept: PersistentVolume = await plane.act((client) => client.resource(persistentvolumes).get({ name: 'kept' }));
  expect(kept.spec?.claimRef?.uid).toBe((await claimOf(plane)).metadata.uid);
  expect(kept.metadata.annotations).toBeUndefined();
});
