import { describe, expect, it } from 'vitest';
import { persistentvolumeclaims, persistentvolumes } from '../../src/api/resources.ts';
import { volumesnapshots } from '../../src/client/volume-snapshot.ts';
import { claim, clusterWithVolume, eventsOf, restoring, run, snapshot } from '../../test/support/snapshots.ts';

describe('a volume of a snapshot', () => {
  it('keeps its snapshot from going, but is not made of one that is to go', async () => {
    const { cluster, driver } = await clusterWithVolume();
    await cluster.apply(snapshot('s'));
    await cluster.settle();
    await run(cluster, 'data', 'echo second >> /data/book');
    driver.failures.set('CreateVolume', { code: 'Unavailable', message: 'later' });
    await cluster.apply(claim('copy', restoring('s')));
    await cluster.advance(5_000);
    await cluster.delete(volumesnapshots, 's');
    await cluster.advance(1_000);
    expect(await eventsOf(cluster, volumesnapshots, 's')).toContain(
      'Warning SnapshotDeletePending: Snapshot is being used to restore a PVC',
    );
    driver.failures.clear();
    await cluster.advance(20_000);
    expect((await cluster.get(persistentvolumeclaims, 'copy'))?.status?.phase).toBe('Pending');
    expect((await eventsOf(cluster, persistentvolumeclaims, 'copy')).at(-1)).toContain('snapshot s is currently being deleted');
  });

  it('is as big at least, and of the same driver', async () => {
    const { cluster } = await clusterWithVolume();
    await cluster.apply(snapshot('s'));
    await cluster.settle();
    await run(cluster, 'data', 'echo second >> /data/book');
    await cluster.apply(
      `${claim('copy', restoring('s'))}---${claim('small', restoring('s'), '512Mi')}---${claim('other', restoring('none'))}`,
    );
    await cluster.advance(20_000);
    expect(await run(cluster, 'copy', 'cat /data/book')).toMatch(/^first\n?$/);
    const failed = (what: string): string =>
      `Warning ProvisioningFailed: failed to provision volume with StorageClass "csi": error getting handle for DataSource Type VolumeSnapshot by Name ${what}`;
    expect(await eventsOf(cluster, persistentvolumeclaims, 'small')).toContain(
      failed('s: requested volume size 536870912 is less than the size 1073741824 for the source snapshot s'),
    );
    expect(await eventsOf(cluster, persistentvolumeclaims, 'other')).toContain(
      failed('none: error getting snapshot none from api server: volumesnapshots.snapshot.storage.k8s.io "none" not found'),
    );
    expect(await cluster.list(persistentvolumes)).toHaveLength(2);
  });

  it('is not made of what the driver cannot copy, or what is for others', async () => {
    const { cluster } = await clusterWithVolume();
    await cluster.apply(claim('clone', ', dataSource: { kind: PersistentVolumeClaim, name: data }'));
    await cluster.apply(claim('filled', ', dataSourceRef: { apiGroup: example.com, kind: Picture, name: cat }'));
    await cluster.advance(5_000);
    expect(await eventsOf(cluster, persistentvolumeclaims, 'clone')).toContain(
      'Warning ProvisioningFailed: failed to provision volume with StorageClass "csi": CSI driver does not support clone operations: controller CLONE_VOLUME capability is not reported',
    );
    expect(await eventsOf(cluster, persistentvolumeclaims, 'filled')).toContain(
      'Normal Provisioning: Assuming an external populator will provision the volume',
    );
    expect(await cluster.list(persistentvolumes)).toHaveLength(1);
  });
});
