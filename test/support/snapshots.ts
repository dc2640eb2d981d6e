// A volume with a file on it, in a cluster that takes snapshots.
import type { CsiDriver } from '../../components/csi-driver/driver.ts';
import { addCsiDriver, installCsiObjects } from '../../src/cluster/csi.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';

export const PREFIX = 'snapshot.storage.kubernetes.io';
export const CLASS = `
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata: { name: fast, annotations: { ${PREFIX}/is-default-class: 'true' } }
driver: example.csi.k8s.io
deletionPolicy: Delete
`;
export const claim = (name: string, more = '', size = '1Gi'): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: ${size} } }${more} }
---
apiVersion: v1
kind: Pod
metadata: { name: user-of-${name} }
spec:
  terminationGracePeriodSeconds: 1
  containers: [{ name: c, image: 'busybox:1.36', command: [sleep, 1d], volumeMounts: [{ name: data, mountPath: /data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: ${name} } }]
`;
export const snapshot = (name: string, source = 'persistentVolumeClaimName: data', more = ''): string => `
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: { name: ${name} }
spec: { source: { ${source} }${more} }
`;
export const restoring = (name: string): string =>
  `, dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: ${name} }`;

/** A cluster with a volume `data` on which there is a file. */
export async function clusterWithVolume(manifest = CLASS): Promise<{ readonly cluster: TestCluster; readonly driver: CsiDriver }> {
  const cluster = await createTestCluster({ nodes: [{ name: 'n1', images: ['busybox:1.36'] }], addons: { 'snapshot-controller': {} } });
  const driver = addCsiDriver(cluster);
  await cluster.call((client) => installCsiObjects(client, driver.options.name));
  await cluster.settle();
  await cluster.apply(`${manifest}---${claim('data')}`);
  await cluster.settle();
  await run(cluster, 'data', 'echo first > /data/book');
  return { cluster, driver };
}

export async function run(cluster: TestCluster, of: string, command: string): Promise<string> {
  return (await cluster.kubectl(['exec', `user-of-${of}`, '--', 'sh', '-c', command])).stdout.join('\n');
}

/** What was told of an object, however often. */
export async function eventsOf(cluster: TestCluster, ...of: Parameters<TestCluster['eventsOf']>): Promise<string[]> {
  return (await cluster.eventsOf(...of)).map((event) => event.replace(/ \(x\d+\)$/, ''));
}
