import { expect, it } from 'vitest';
import { events, persistentvolumeclaims, persistentvolumes, storageclasses } from '../../../../src/api/resources.ts';
import { ControlPlane } from '../../../../test/support/control-plane.ts';

const at = { namespace: 'default', name: 'data' };

it('says which driver has to grow a volume that was written for one of the tree', async () => {
  const plane = new ControlPlane(['persistentvolume-binder-controller', 'persistentvolume-expander-controller']);
  await plane.act(async (client) => {
    const metadata = { name: 'c' };
    await client.resource(storageclasses).create({ metadata, provisioner: 'kubernetes.io/aws-ebs', allowVolumeExpansion: true });
    const common = { accessModes: ['ReadWriteOnce'], storageClassName: 'c' };
    const awsElasticBlockStore = { volumeID: 'vol-1' };
    const spec = { ...common, capacity: { storage: '1Gi' }, awsElasticBlockStore };
    await client.resource(persistentvolumes).create({ metadata: { name: 'v' }, spec });
    await client
      .resource(persistentvolumeclaims)
      .create({ metadata: at, spec: { ...common, resources: { requests: { storage: '1Gi' } }, volumeName: 'v' } });
  });
  await plane.simulation.settle();
  const more = { spec: { resources: { requests: { storage: '2Gi' } } } };
  await plane.act((client) => client.resource(persistentvolumeclaims).patch(at, more, { type: 'merge' }));
  await plane.simulation.settle();
  const claim = await plane.act((client) => client.resource(persistentvolumeclaims).get(at));
  expect(claim.metadata.annotations).toHaveProperty(['volume.kubernetes.io/storage-resizer'], 'ebs.csi.aws.com');
  const { items } = await plane.act((client) => client.resource(events).list({ namespace: 'default' }));
  expect(items.map(({ reason, message }) => `${reason}: ${message}`)).toContain(
    'ExternalExpanding: CSI migration enabled for kubernetes.io/aws-ebs; waiting for external resizer to expand the pvc',
  );
});
