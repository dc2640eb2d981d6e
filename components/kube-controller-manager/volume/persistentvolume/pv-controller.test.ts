import { expect, test } from 'vitest';
import type { PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import { events, namespaces, persistentvolumeclaims, persistentvolumes, storageclasses } from '../../../../src/api/resources.ts';
import { ControlPlane } from '../../../../test/support/control-plane.ts';

const CONTROLLERS = [
  'persistentvolume-binder-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
];

async function start(): Promise<ControlPlane> {
  const plane = new ControlPlane(CONTROLLERS);
  await plane.act((client) => client.resource(namespaces).create({ metadata: { name: 'x' } }));
  await plane.simulation.settle();
  return plane;
}

async function addVolume(plane: ControlPlane, name: string, spec: object): Promise<void> {
  const whole = {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'c',
    hostPath: { path: `/tmp/${name}` },
    ...spec,
  };
  await plane.act((client) => client.resource(persistentvolumes).create({ metadata: { name }, spec: whole }));
  await plane.simulation.settle();
}

async function addClaim(plane: ControlPlane, spec: object = {}, { hasClass = true } = {}): Promise<void> {
  const className = hasClass ? { storageClassName: 'c' } : {};
  const whole = { accessModes: ['ReadWriteOnce'], ...className, resources: { requests: { storage: '1Gi' } }, ...spec };
  await plane.act((client) => client.resource(persistentvolumeclaims).create({ metadata: { namespace: 'x', name: 'data' }, spec: whole }));
  await plane.simulation.settle();
}

const claimOf = (plane: ControlPlane): Promise<PersistentVolumeClaim> =>
  plane.act((client) => client.resource(persistentvolumeclaims).get({ namespace: 'x', name: 'data' }));
const volumesOf = async (plane: ControlPlane): Promise<string[]> => {
  const { items } = await plane.act((client) => client.resource(persistentvolumes).list());
  return items.map(({ metadata, status }) => `${metadata.name} ${status?.phase}`);
};
const messagesOf = async (plane: ControlPlane): Promise<string[]> => {
  const { items } = await plane.act((client) => client.resource(events).list({ namespace: 'x' }));
  return items.map(({ reason, message }) => `${reason}: ${message}`);
};

test('a volume that can do little else goes before a smaller one that can do more', async () => {
  const plane = await start();
  await addVolume(plane, 'shared', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] });
  await addVolume(plane, 'single', { capacity: { storage: '5Gi' } });
  await addClaim(plane);
  expect((await claimOf(plane)).spec?.volumeName).toBe('single');
  expect((await claimOf(plane)).status).toEqual({ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '5Gi' } });
});

test('nobody waits for a class that never comes; when it comes, the claim is looked at again', async () => {
  const plane = await start();
  await addClaim(plane);
  expect(await messagesOf(plane)).toEqual(['ProvisioningFailed: storageclass.storage.k8s.io "c" not found']);
  await plane.act((client) => client.resource(storageclasses).create({ metadata: { name: 'c' }, provisioner: 'disk.example.com' }));
  await plane.simulation.settle();
  expect((await claimOf(plane)).metadata.annotations?.['volume.kubernetes.io/storage-provisioner']).toBe('disk.example.com');
});

test('a claim that waits takes a volume that comes later, at the next look at all', async () => {
  const plane = await start();
  await plane.act((client) => client.resource(storageclasses).create({ metadata: { name: 'c' }, provisioner: 'disk.example.com' }));
  await addClaim(plane);
  expect((await claimOf(plane)).status).toEqual({ phase: 'Pending' });
  await addVolume(plane, 'late', {});
  expect(await volumesOf(plane)).toEqual(['late Bound']);
  expect(plane.simulation.now).toBeLessThan(16_000);
});

test('where the place counts a claim waits for a pod', async () => {
  const plane = await start();
  const storageClass = { metadata: { name: 'c' }, provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' };
  await plane.act((client) => client.resource(storageclasses).create(storageClass));
  await addVolume(plane, 'v', {});
  await addClaim(plane);
  expect(await volumesOf(plane)).toEqual(['v Available']);
  expect(await messagesOf(plane)).toEqual(['WaitForFirstConsumer: waiting for first consumer to be created before binding']);
});

test('where the place counts a claim gets a volume made once its node is chosen, and none that is there', async () => {
  const plane = await start();
  const storageClass = { metadata: { name: 'c' }, provisioner: 'disk.example.com', volumeBindingMode: 'WaitForFirstConsumer' };
  await plane.act((client) => client.resource(storageclasses).create(storageClass));
  await addVolume(plane, 'elsewhere', {});
  await addClaim(plane);
  const chosen = { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n1' } } };
  await plane.act((client) => client.resource(persistentvolumeclaims).patch({ namespace: 'x', name: 'data' }, chosen, { type: 'merge' }));
  await plane.simulation.settle();
  expect(await volumesOf(plane)).toEqual(['elsewhere Available']);
  expect((await claimOf(plane)).metadata.annotations).toHaveProperty(['volume.kubernetes.io/storage-provisioner'], 'disk.example.com');
});

test('a volume with policy Delete goes with its claim, if somebody can delete it', async () => {
  const plane = await start();
  await addVolume(plane, 'gone', { persistentVolumeReclaimPolicy: 'Delete' });
  await addClaim(plane);
  await plane.act((client) => client.resource(persistentvolumeclaims).delete({ namespace: 'x', name: 'data' }));
  await plane.simulation.settle();
  expect(await volumesOf(plane)).toEqual([]);
  await addVolume(plane, 'elsewhere', { persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/var/data' } });
  await addClaim(plane);
  await plane.act((client) => client.resource(persistentvolumeclaims).delete({ namespace: 'x', name: 'data' }));
  await plane.simulation.settle();
  const { status } = await plane.act((client) => client.resource(persistentvolumes).get({ name: 'elsewhere' }));
  expect(status).toMatchObject({ phase: 'Failed', message: 'host_path deleter only supports /tmp/.+ but received provided /var/data' });
});

test('a volume that a claim names has to fit it', async () => {
  const plane = await start();
  await addVolume(plane, 'small', { capacity: { storage: '1Mi' } });
  await addClaim(plane, { volumeName: 'small' });
  expect((await claimOf(plane)).status).toEqual({ phase: 'Pending' });
  expect(await messagesOf(plane)).toEqual(['VolumeMismatch: Cannot bind to requested volume "small": requested PV is too small']);
});

test('a claim without a class gets the default one when there is one', async () => {
  const plane = await start();
  await addClaim(plane, {}, { hasClass: false });
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  await plane.act((client) =>
    client.resource(storageclasses).create({ metadata: { name: 'late', annotations }, provisioner: 'disk.example.com' }),
  );
  await plane.simulation.settle();
  expect((await claimOf(plane)).spec?.storageClassName).toBe('late');
});

test('volumes of drivers that have left the tree are left to those that stand in for them', async () => {
  const plane = await start();
  const annotations = { 'pv.kubernetes.io/provisioned-by': 'kubernetes.io/gce-pd' };
  const spec = {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce' as const],
    storageClassName: 'c',
    persistentVolumeReclaimPolicy: 'Delete' as const,
    gcePersistentDisk: { pdName: 'disk' },
  };
  const finalizers = ['kubernetes.io/pv-controller'];
  await plane.act((client) => client.resource(persistentvolumes).create({ metadata: { name: 'old', annotations, finalizers }, spec }));
  await plane.simulation.settle();
  const volume = await plane.act((client) => client.resource(persistentvolumes).get({ name: 'old' }));
  expect(volume.metadata.annotations).toEqual({ ...annotations, 'pv.kubernetes.io/migrated-to': 'pd.csi.storage.gke.io' });
  expect(volume.metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
  await addClaim(plane);
  await plane.act((client) => client.resource(persistentvolumeclaims).delete({ namespace: 'x', name: 'data' }));
  await plane.simulation.settle();
  expect(await volumesOf(plane)).toEqual(['old Released']);
});
