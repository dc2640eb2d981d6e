import { describe, expect, it } from 'vitest';
import type { CreateVolumeRequest } from '../../src/api/csi.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../src/api/kinds/storage-v1.ts';
import { nodes, persistentvolumeclaims, persistentvolumes, pods, storageclasses } from '../../src/api/resources.ts';
import { addCsiDriver } from '../../src/cluster/csi.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';
import type { CsiDriver } from '../csi-driver/driver.ts';
import { FINALIZER } from './annotations.ts';

const ZONE = 'topology.kubernetes.io/zone';
const DRIVER = 'example.csi.k8s.io';

const claimOf = (name: string, spec: PersistentVolumeClaim['spec'] = {}): PersistentVolumeClaim => ({
  metadata: { name, namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'csi', ...spec },
});

/** A cluster with a driver and its class; `zones`: a node in each, and volumes that can be reached from their own one only. */
async function clusterWith(more: Partial<StorageClass> = {}, zones?: readonly string[]) {
  const labelled = (zones ?? ['a']).map((zone, index) => ({
    name: `n${index + 1}`,
    images: ['busybox:1.36'],
    labels: { [ZONE]: zone },
  }));
  const cluster = await createTestCluster({ nodes: labelled });
  const topology = zones && { topologyOf: (node: string) => ({ [ZONE]: zones[Number(node.slice(1)) - 1] ?? '' }) };
  const driver = addCsiDriver(cluster, topology);
  const requests: CreateVolumeRequest[] = [];
  driver.onCall(({ call, request }) => call === 'CreateVolume' && requests.push(request as CreateVolumeRequest));
  await cluster.call((client) =>
    client.resource(storageclasses).create({ metadata: { name: 'csi' }, provisioner: DRIVER, reclaimPolicy: 'Delete', ...more }),
  );
  await cluster.settle();
  return { cluster, driver, requests };
}

const eventsOf = async (cluster: TestCluster, claim: string): Promise<string> =>
  (await cluster.eventsOf(persistentvolumeclaims, claim)).join('\n');

describe('a claim', () => {
  it.each<[string, Partial<StorageClass>, PersistentVolumeClaim['spec'], string]>([
    ['with a selector', {}, { selector: { matchLabels: { a: 'b' } } }, 'claim Selector is not supported'],
    [
      'of a class with a parameter that nobody knows',
      { parameters: { 'csi.storage.k8s.io/colour': 'red' } },
      {},
      'failed to strip CSI Parameters of prefixed keys: found unknown parameter key "csi.storage.k8s.io/colour" with reserved namespace csi.storage.k8s.io/',
    ],
    [
      'of a class with two types of file systems',
      { parameters: { fsType: 'xfs', 'csi.storage.k8s.io/fstype': 'ext4' } },
      {},
      'fstype specified in parameters with both "fstype" and "csi.storage.k8s.io/fstype" keys',
    ],
  ])('%s is not provisioned, and told why', async (_, more, spec, why) => {
    const { cluster, requests } = await clusterWith(more);
    await cluster.create(persistentvolumeclaims, claimOf('data', spec));
    await cluster.advance(3_000);
    expect(await eventsOf(cluster, 'data')).toContain(
      `Warning ProvisioningFailed: failed to provision volume with StorageClass "csi": ${why}`,
    );
    expect(requests).toEqual([]);
  });

  it('names one capability for each access mode, and the file system as it was written of old', async () => {
    const { cluster, requests } = await clusterWith({ parameters: { fsType: 'xfs' } });
    await cluster.create(persistentvolumeclaims, claimOf('data', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }));
    await cluster.settle();
    expect(requests[0]?.parameters).toEqual({ fsType: 'xfs' });
    expect(requests[0]?.volumeCapabilities).toEqual(
      ['SINGLE_NODE_WRITER', 'MULTI_NODE_READER_ONLY'].map((mode) => ({ accessMode: { mode }, mount: { fsType: 'xfs' } })),
    );
    const [volume] = await cluster.list(persistentvolumes);
    expect(volume?.spec?.csi?.fsType).toBe('xfs');
  });

  it('that has gone while the driver may still be at it leaves no volume behind', async () => {
    const { cluster, driver, requests } = await clusterWith();
    driver.failures.set('CreateVolume', { code: 'DeadlineExceeded', message: 'too slow' });
    await cluster.create(persistentvolumeclaims, claimOf('data'));
    await cluster.advance(2_000);
    await cluster.delete(persistentvolumeclaims, 'data');
    await cluster.advance(2_000);
    driver.failures.clear();
    const before = requests.length;
    const deleted: string[] = [];
    driver.onCall(({ call }) => deleted.push(call));
    await cluster.advance(30_000);
    expect(requests.length).toBe(before + 1);
    expect(deleted).toEqual(['CreateVolume', 'DeleteVolume']);
    expect(await cluster.list(persistentvolumes)).toEqual([]);
  });
});

describe('places', () => {
  const set = ['data-web-0', 'data-web-1', 'data-web-2', 'logs-web-0'];

  it('take turns among the claims of a StatefulSet, and all claims of one pod have the same', async () => {
    const { cluster, requests } = await clusterWith({}, ['a', 'b', 'c']);
    for (const name of set) await cluster.create(persistentvolumeclaims, claimOf(name));
    await cluster.settle();
    const firsts = requests.map(({ accessibilityRequirements }) => accessibilityRequirements?.preferred[0]?.segments[ZONE]);
    expect(new Set(firsts.slice(0, 3))).toEqual(new Set(['a', 'b', 'c']));
    expect(firsts[3]).toBe(firsts[0]);
    expect(requests[0]?.accessibilityRequirements?.requisite.map(({ segments }) => segments[ZONE])).toEqual(['a', 'b', 'c']);
  });

  it('that a class allows are all that there are', async () => {
    const allowedTopologies = [{ matchLabelExpressions: [{ key: ZONE, values: ['c', 'b'] }] }];
    const { cluster, requests } = await clusterWith({ allowedTopologies }, ['a', 'b', 'c']);
    await cluster.create(persistentvolumeclaims, claimOf('data'));
    await cluster.settle();
    expect(requests[0]?.accessibilityRequirements?.requisite.map(({ segments }) => segments[ZONE])).toEqual(['c', 'b']);
  });

  const podOf = (claim: string) => ({
    metadata: { name: 'user', namespace: 'default' },
    spec: {
      containers: [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '1d'] }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: claim } }],
    },
  });

  it('that are full are given up: the scheduler chooses another node', async () => {
    const { cluster, driver, requests } = await clusterWith({ volumeBindingMode: 'WaitForFirstConsumer' }, ['a', 'b']);
    failOnce(driver, { code: 'ResourceExhausted', message: 'no room' });
    await cluster.create(persistentvolumeclaims, claimOf('data'));
    await cluster.create(pods, podOf('data'));
    await cluster.advance(60_000);
    expect(await eventsOf(cluster, 'data')).toContain(
      'Warning ProvisioningFailed: failed to provision volume with StorageClass "csi": rpc error: code = ResourceExhausted desc = no room',
    );
    expect((await cluster.get(pods, 'user'))?.status?.phase).toBe('Running');
    expect(requests).toHaveLength(2);
  });

  it('whose node has gone are given up as well', async () => {
    const { cluster, driver } = await clusterWith({ volumeBindingMode: 'WaitForFirstConsumer' }, ['a', 'b']);
    driver.failures.set('CreateVolume', { code: 'Unavailable', message: 'later' });
    await cluster.create(persistentvolumeclaims, claimOf('data'));
    await cluster.create(pods, podOf('data'));
    await cluster.advance(1_000);
    const selected =
      (await cluster.get(persistentvolumeclaims, 'data'))?.metadata.annotations?.['volume.kubernetes.io/selected-node'] ?? '';
    cluster.fault({ fault: 'stop-node', node: selected });
    await cluster.delete(nodes, selected);
    driver.failures.clear();
    await cluster.advance(60_000);
    expect(await eventsOf(cluster, 'data')).toContain(`Warning ProvisioningFailed: node "${selected}" not found`);
    const now = (await cluster.get(persistentvolumeclaims, 'data'))?.metadata.annotations?.['volume.kubernetes.io/selected-node'];
    expect(now).not.toBe(selected);
  });
});

/** The next volume is refused, those after it are not. */
function failOnce(driver: CsiDriver, failure: { code: 'ResourceExhausted'; message: string }): void {
  driver.failures.set('CreateVolume', failure);
  let asked = 0;
  driver.onCall(({ call }) => {
    if (call === 'CreateVolume' && ++asked === 2) driver.failures.clear();
  });
}

describe('a volume that an administrator has made', () => {
  const made: PersistentVolume = {
    metadata: { name: 'by-hand' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: '',
      csi: { driver: DRIVER, volumeHandle: 'vol-by-hand' },
    },
  };

  it('gets the finalizer when it is bound, and is deleted when its claim has gone', async () => {
    const { cluster, driver } = await clusterWith();
    const calls: object[] = [];
    driver.onCall(({ call, request }) => call === 'DeleteVolume' && calls.push(request));
    await cluster.create(persistentvolumes, made);
    await cluster.create(persistentvolumeclaims, claimOf('data', { storageClassName: '', volumeName: 'by-hand' }));
    await cluster.settle();
    expect((await cluster.get(persistentvolumes, 'by-hand'))?.metadata.finalizers).toContain(FINALIZER);
    await cluster.delete(persistentvolumeclaims, 'data');
    await cluster.waitUntilGone(persistentvolumes, 'by-hand');
    expect(calls).toEqual([{ volumeId: 'vol-by-hand' }]);
  });

  it('keeps finalizers that others set and remove at the same time', async () => {
    const { cluster } = await clusterWith();
    await cluster.create(persistentvolumes, { ...made, metadata: { name: 'by-hand', finalizers: ['example.com/mine'] } });
    await cluster.create(persistentvolumeclaims, claimOf('data', { storageClassName: '', volumeName: 'by-hand' }));
    await cluster.settle();
    await cluster.delete(persistentvolumeclaims, 'data');
    await cluster.settle();
    expect((await cluster.get(persistentvolumes, 'by-hand'))?.metadata.finalizers).toEqual(['example.com/mine']);
  });
});
