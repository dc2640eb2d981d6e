import { expect, it } from 'vitest';
import type { ControllerPublishVolumeRequest } from '../../src/api/csi.ts';
import type { PersistentVolume } from '../../src/api/kinds/core-v1.ts';
import { csinodes, persistentvolumes, volumeattachments } from '../../src/api/resources.ts';
import { addCsiDriver } from '../../src/cluster/csi.ts';
import { createTestCluster } from '../../src/testing/index.ts';

const DRIVER = 'example.csi.k8s.io';
const volume: PersistentVolume = {
  metadata: { name: 'disk', finalizers: ['example.com/mine'] },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName: '',
    csi: { driver: DRIVER, volumeHandle: 'vol-disk' },
  },
};
const attachment = { metadata: { name: 'a' }, spec: { attacher: DRIVER, nodeName: 'n1', source: { persistentVolumeName: 'disk' } } };

async function clusterWithDriver() {
  const cluster = await createTestCluster({ nodes: [{ name: 'n1' }] });
  const driver = addCsiDriver(cluster);
  const asked: [string, string][] = [];
  driver.onCall(({ call, request }) => {
    if (call.startsWith('Controller')) asked.push([call, (request as ControllerPublishVolumeRequest).nodeId]);
  });
  await cluster.settle();
  await cluster.create(persistentvolumes, volume);
  return { cluster, driver, asked };
}

it('does not attach a volume that is to go', async () => {
  const { cluster, asked } = await clusterWithDriver();
  await cluster.delete(persistentvolumes, 'disk');
  await cluster.create(volumeattachments, attachment);
  await cluster.advance(2_000);
  const found = await cluster.get(volumeattachments, 'a');
  expect(found?.status?.attachError?.message).toBe('PersistentVolume "disk" is marked for deletion');
  expect(found?.metadata.finalizers).toBeUndefined();
  expect(asked).toEqual([]);
});

it('says which node is not there', async () => {
  const { cluster } = await clusterWithDriver();
  await cluster.create(volumeattachments, { ...attachment, spec: { ...attachment.spec, nodeName: 'n9' } });
  await cluster.advance(2_000);
  const found = await cluster.get(volumeattachments, 'a');
  expect(found?.status?.attachError?.message).toBe('csinode.storage.k8s.io "n9" not found');
});

it('detaches from a node whose driver has gone by the name that it had', async () => {
  const { cluster, driver, asked } = await clusterWithDriver();
  driver.failures.set('ControllerPublishVolume', { code: 'Internal', message: 'broken' });
  await cluster.create(volumeattachments, attachment);
  await cluster.advance(500);
  await cluster.edit(csinodes, 'n1', ({ spec }) => void spec.drivers.splice(0));
  await cluster.delete(volumeattachments, 'a');
  await cluster.waitUntilGone(volumeattachments, 'a');
  expect(asked.at(-1)).toEqual(['ControllerUnpublishVolume', 'i-0n1']);
});
