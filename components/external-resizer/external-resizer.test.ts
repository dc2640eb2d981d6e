import { expect, it } from 'vitest';
import { persistentvolumeclaims, persistentvolumes, pods, storageclasses } from '../../src/api/resources.ts';
import { addCsiDriver } from '../../src/cluster/csi.ts';
import { createTestCluster } from '../../src/testing/index.ts';

const DRIVER = 'example.csi.k8s.io';

async function clusterWithClaim() {
  const cluster = await createTestCluster({ nodes: [{ name: 'n1', images: ['busybox:1.36'] }] });
  const driver = addCsiDriver(cluster);
  const calls: string[] = [];
  driver.onCall(({ call }) => call.includes('Expand') && calls.push(call));
  await cluster.call((client) =>
    client.resource(storageclasses).create({ metadata: { name: 'csi' }, provisioner: DRIVER, allowVolumeExpansion: true }),
  );
  await cluster.create(persistentvolumeclaims, {
    metadata: { name: 'data', namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'csi' },
  });
  await cluster.create(pods, {
    metadata: { name: 'user', namespace: 'default' },
    spec: {
      containers: [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '1d'] }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
    },
  });
  await cluster.settle();
  const grow = () =>
    cluster.edit(persistentvolumeclaims, 'data', ({ spec }) => void Object.assign(spec?.resources?.requests ?? {}, { storage: '2Gi' }));
  const capacity = async () => (await cluster.get(persistentvolumeclaims, 'data'))?.status?.capacity?.['storage'];
  return { cluster, calls, grow, capacity };
}

it('goes on with a volume that is big enough already, as after a crash half-way', async () => {
  const { cluster, calls, grow, capacity } = await clusterWithClaim();
  const [volume] = await cluster.list(persistentvolumes);
  await cluster.edit(
    persistentvolumes,
    volume?.metadata.name ?? '',
    ({ spec }) => void Object.assign(spec?.capacity ?? {}, { storage: '2Gi' }),
  );
  await grow();
  await cluster.advance(180_000);
  expect(await capacity()).toBe('2Gi');
  expect(calls).toEqual(['ControllerExpandVolume', 'NodeExpandVolume']);
});

it('expands once, and leaves the rest to the node', async () => {
  const { cluster, calls, grow, capacity } = await clusterWithClaim();
  await grow();
  await cluster.advance(180_000);
  expect(await capacity()).toBe('2Gi');
  expect(calls).toEqual(['ControllerExpandVolume', 'NodeExpandVolume']);
});
