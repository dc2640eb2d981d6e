import { describe, expect, it } from 'vitest';
import { persistentvolumeclaims, pods } from '../../src/api/resources.ts';
import { volumesnapshotclasses, volumesnapshotcontents, volumesnapshots } from '../../src/client/volume-snapshot.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';
import { CLASS, claim, clusterWithVolume, eventsOf, PREFIX, restoring, run, snapshot } from '../../test/support/snapshots.ts';

const snapshotOf = (cluster: TestCluster, name: string) => cluster.get(volumesnapshots, name);
const contents = (cluster: TestCluster) => cluster.list(volumesnapshotcontents);
async function contentOf(cluster: TestCluster) {
  const [content] = await contents(cluster);
  return content;
}

describe('a snapshot that is taken', () => {
  it('has a content with what the driver said, and both are protected', async () => {
    const { cluster } = await clusterWithVolume();
    await cluster.apply(snapshot('s'));
    await cluster.settle();
    const { metadata, spec, status } = (await snapshotOf(cluster, 's')) ?? expect.fail('there is no snapshot');
    const name = `snapcontent-${metadata.uid}`;
    expect(metadata.finalizers).toEqual([`${PREFIX}/volumesnapshot-as-source-protection`, `${PREFIX}/volumesnapshot-bound-protection`]);
    expect(spec.volumeSnapshotClassName).toBe('fast');
    expect(status).toEqual({
      boundVolumeSnapshotContentName: name,
      readyToUse: true,
      creationTime: expect.stringMatching(/Z$/),
      restoreSize: '1Gi',
    });
    const content = await cluster.get(volumesnapshotcontents, { name });
    expect(content?.metadata.finalizers).toEqual([`${PREFIX}/volumesnapshotcontent-bound-protection`]);
    expect(content?.metadata.annotations).toBeUndefined();
    expect(content?.spec).toMatchObject({
      driver: 'example.csi.k8s.io',
      deletionPolicy: 'Delete',
      source: { volumeHandle: expect.stringMatching(/^vol-/) },
      sourceVolumeMode: 'Filesystem',
      volumeSnapshotClassName: 'fast',
      volumeSnapshotRef: { kind: 'VolumeSnapshot', namespace: 'default', name: 's', uid: metadata.uid },
    });
    const { creationTime = 0, ...rest } = content?.status ?? {};
    expect(rest).toEqual({ readyToUse: true, restoreSize: 2 ** 30, snapshotHandle: `snap-${metadata.uid}` });
    expect(new Date(creationTime / 1e6).toISOString().slice(0, 19)).toBe(status?.creationTime?.slice(0, 19));
    expect(await eventsOf(cluster, volumesnapshots, 's')).toEqual([
      'Normal CreatingSnapshot: Waiting for a snapshot default/s to be created by the CSI driver.',
      'Normal SnapshotCreated: Snapshot default/s was successfully created by the CSI driver.',
      'Normal SnapshotReady: Snapshot default/s is ready to use.',
    ]);
    expect((await cluster.get(persistentvolumeclaims, 'data'))?.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
  });

  it('keeps its claim until the driver has taken it, and tries again what fails', async () => {
    const { cluster, driver } = await clusterWithVolume();
    driver.failures.set('CreateSnapshot', { code: 'Internal', message: 'no room' });
    await cluster.apply(snapshot('s'));
    await cluster.advance(10_000);
    const why = (content?: string): string =>
      `failed to take snapshot of the volume ${content}: "rpc error: code = Internal desc = no room"`;
    const failed = await contentOf(cluster);
    const handle = failed?.spec.source.volumeHandle;
    expect(failed?.status).toMatchObject({
      readyToUse: false,
      error: { message: `Failed to check and update snapshot content: ${why(handle)}` },
    });
    expect(failed?.metadata.annotations).toBeUndefined();
    expect(await eventsOf(cluster, volumesnapshotcontents, { name: failed?.metadata.name ?? '' })).toEqual([
      `Warning SnapshotCreationFailed: Failed to create snapshot: ${why(handle)}`,
      `Warning SnapshotContentCheckandUpdateFailed: Failed to check and update snapshot content: ${why(handle)}`,
    ]);
    expect((await snapshotOf(cluster, 's'))?.status).toMatchObject({
      readyToUse: false,
      error: { message: expect.stringContaining('no room') },
    });
    await cluster.delete(pods, 'user-of-data');
    await cluster.delete(persistentvolumeclaims, 'data');
    await cluster.advance(10_000);
    const finalizers = (await cluster.get(persistentvolumeclaims, 'data'))?.metadata.finalizers;
    expect(finalizers).toEqual([`${PREFIX}/pvc-as-source-protection`]);
    driver.failures.clear();
    await cluster.settle();
    await cluster.advance(60_000);
    const status = (await snapshotOf(cluster, 's'))?.status;
    expect(status?.readyToUse).toBe(true);
    expect(status?.error).toBeUndefined();
    expect(await cluster.get(persistentvolumeclaims, 'data')).toBeUndefined();
  });

  it('may be on its way still when the driver has not answered', async () => {
    const { cluster, driver } = await clusterWithVolume();
    driver.failures.set('CreateSnapshot', { code: 'DeadlineExceeded', message: 'context deadline exceeded' });
    await cluster.apply(snapshot('s'));
    await cluster.advance(3_000);
    expect((await contentOf(cluster))?.metadata.annotations).toEqual({ [`${PREFIX}/volumesnapshot-being-created`]: 'yes' });
    // Whoever deletes it now waits for that answer.
    await cluster.delete(volumesnapshots, 's');
    await cluster.advance(3_000);
    const content = await contentOf(cluster);
    expect(Object.keys(content?.metadata.annotations ?? {}).sort()).toEqual([
      `${PREFIX}/volumesnapshot-being-created`,
      `${PREFIX}/volumesnapshot-being-deleted`,
    ]);
    driver.failures.clear();
    await cluster.advance(1_200_000);
    expect(await contents(cluster)).toEqual([]);
    expect(await snapshotOf(cluster, 's')).toBeUndefined();
  });

  it.each([
    ['', 'Warning SetDefaultSnapshotClassFailed: Failed to set default snapshot class with error cannot find default snapshot class'],
    [
      `${CLASS}---${CLASS.replace('name: fast', 'name: slow')}`,
      'Warning SetDefaultSnapshotClassFailed: Failed to set default snapshot class with error 2 default snapshot classes were found',
    ],
  ])('wants a class, and one only is the default', async (classes, event) => {
    const { cluster } = await clusterWithVolume(classes);
    await cluster.apply(snapshot('s'));
    await cluster.advance(5_000);
    expect(await eventsOf(cluster, volumesnapshots, 's')).toEqual([event]);
    await cluster.kubectl(['delete', 'volumesnapshotclass', 'slow', '--ignore-not-found']);
    await cluster.apply(CLASS);
    await cluster.advance(120_000);
    expect((await snapshotOf(cluster, 's'))?.status?.readyToUse).toBe(true);
  });

  it('says what is missing', async () => {
    const { cluster } = await clusterWithVolume();
    await cluster.apply(
      `${snapshot('a', undefined, ', volumeSnapshotClassName: none')}---${snapshot('b', 'persistentVolumeClaimName: none')}`,
    );
    await cluster.advance(3_000);
    expect(await eventsOf(cluster, volumesnapshots, 'a')).toEqual([
      'Warning GetSnapshotClassFailed: Failed to get snapshot class with error volumesnapshotclass.snapshot.storage.k8s.io "none" not found',
    ]);
    expect((await snapshotOf(cluster, 'b'))?.status?.error?.message).toBe(
      'Failed to set default snapshot class with error failed to retrieve PVC none from the lister: "persistentvolumeclaim \\"none\\" not found"',
    );
    await cluster.delete(volumesnapshots, 'a');
    expect(await snapshotOf(cluster, 'a')).toBeUndefined();
  });

  it('hands secrets of its class to the driver', async () => {
    const parameters = `parameters:
  csi.storage.k8s.io/snapshotter-secret-name: \${volumesnapshot.name}-key
  csi.storage.k8s.io/snapshotter-secret-namespace: default
  kind: thin
`;
    const { cluster, driver } = await clusterWithVolume(`${CLASS}${parameters}`);
    const asked: object[] = [];
    driver.onCall(({ call, request }) => call === 'CreateSnapshot' && asked.push(request));
    await cluster.kubectl(['create', 'secret', 'generic', 's-key', '--from-literal=password=x']);
    await cluster.apply(snapshot('s'));
    await cluster.settle();
    expect(asked).toEqual([expect.objectContaining({ parameters: { kind: 'thin' }, secrets: { password: 'x' } })]);
    expect((await contentOf(cluster))?.metadata.annotations).toEqual({
      [`${PREFIX}/deletion-secret-name`]: 's-key',
      [`${PREFIX}/deletion-secret-namespace`]: 'default',
    });
  });

  it('goes on when the controller that led dies', async () => {
    const { cluster } = await clusterWithVolume();
    const lease = await cluster.kubectl([
      'get',
      'lease',
      '-n',
      'kube-system',
      'snapshot-controller-leader',
      '-o',
      'jsonpath={.spec.holderIdentity}',
    ]);
    const leader = lease.stdout.join('');
    await cluster.kubectl(['delete', 'pod', '-n', 'kube-system', leader, '--force', '--grace-period=0']);
    await cluster.apply(snapshot('s'));
    await cluster.advance(60_000);
    expect((await snapshotOf(cluster, 's'))?.status?.readyToUse).toBe(true);
    expect((await cluster.kubectl(['get', 'pods', '-n', 'kube-system', '-o', 'name'])).stdout).toHaveLength(2);
  });
});

describe('deletion', () => {
  it('takes the content along, and the snapshot in the storage system', async () => {
    const { cluster, driver } = await clusterWithVolume();
    const asked: string[] = [];
    driver.onCall(({ call }) => call.includes('Snapshot') && asked.push(call));
    await cluster.apply(snapshot('s'));
    await cluster.settle();
    driver.failures.set('DeleteSnapshot', { code: 'Internal', message: 'busy' });
    await cluster.delete(volumesnapshots, 's');
    await cluster.advance(2_000);
    const content = await contentOf(cluster);
    expect(await eventsOf(cluster, volumesnapshotcontents, { name: content?.metadata.name ?? '' })).toEqual([
      'Warning SnapshotDeleteError: Failed to delete snapshot',
    ]);
    expect((await snapshotOf(cluster, 's'))?.metadata.finalizers).toEqual([`${PREFIX}/volumesnapshot-bound-protection`]);
    driver.failures.clear();
    await cluster.settle();
    expect(await contents(cluster)).toEqual([]);
    expect(await snapshotOf(cluster, 's')).toBeUndefined();
    expect(new Set(asked)).toEqual(new Set(['CreateSnapshot', 'DeleteSnapshot']));
  });

  it('leaves the content alone where the class says so; it can be bound again', async () => {
    const { cluster } = await clusterWithVolume(CLASS.replace('Policy: Delete', 'Policy: Retain'));
    await cluster.apply(snapshot('s'));
    await cluster.settle();
    await cluster.delete(volumesnapshots, 's');
    await cluster.settle();
    expect(await snapshotOf(cluster, 's')).toBeUndefined();
    const content = await contentOf(cluster);
    const handle = content?.status?.snapshotHandle;
    expect(handle).toMatch(/^snap-/);
    await cluster.apply(`
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata: { name: kept }
spec:
  driver: example.csi.k8s.io
  deletionPolicy: Retain
  source: { snapshotHandle: ${handle} }
  volumeSnapshotRef: { name: again, namespace: default }
---${snapshot('again', 'volumeSnapshotContentName: kept')}`);
    await cluster.settle();
    expect((await snapshotOf(cluster, 'again'))?.status).toMatchObject({
      boundVolumeSnapshotContentName: 'kept',
      readyToUse: true,
      restoreSize: '1Gi',
    });
    const kept = await cluster.get(volumesnapshotcontents, { name: 'kept' });
    expect(kept?.spec.volumeSnapshotRef.uid).toBe((await snapshotOf(cluster, 'again'))?.metadata.uid);
  });
});

it('tells when a content names a snapshot that the driver does not know, or another VolumeSnapshot', async () => {
  const { cluster } = await clusterWithVolume();
  await cluster.apply(`
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata: { name: lost }
spec:
  driver: example.csi.k8s.io
  deletionPolicy: Retain
  source: { snapshotHandle: snap-none }
  volumeSnapshotRef: { name: right, namespace: default }
---${snapshot('wrong', 'volumeSnapshotContentName: lost')}---${snapshot('none', 'volumeSnapshotContentName: none')}`);
  await cluster.advance(1_000);
  expect((await cluster.get(volumesnapshotcontents, { name: 'lost' }))?.status?.error?.message).toBe(
    'Failed to check and update snapshot content: failed to list snapshot for content lost: "can not find snapshot for snapshotID snap-none"',
  );
  expect(await eventsOf(cluster, volumesnapshots, 'wrong')).toContain(
    'Warning SnapshotContentMisbound: VolumeSnapshotContent [lost] is bound to a different snapshot',
  );
  expect(await eventsOf(cluster, volumesnapshots, 'none')).toContain('Warning SnapshotContentMissing: VolumeSnapshotContent is missing');
});

describe('the definitions', () => {
  it('refuse what names no source, or two, or changes it', async () => {
    const { cluster } = await clusterWithVolume();
    await expect(cluster.apply(snapshot('s', ''))).rejects.toThrow(
      /spec\.source: Invalid value: .*exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set/,
    );
    await expect(cluster.apply(snapshot('s', undefined, ", volumeSnapshotClassName: ''"))).rejects.toThrow(
      'volumeSnapshotClassName must not be the empty string when set',
    );
    await cluster.apply(snapshot('s'));
    await cluster.settle();
    await expect(cluster.apply(snapshot('s', 'persistentVolumeClaimName: other'))).rejects.toThrow(
      'persistentVolumeClaimName is immutable',
    );
  });

  it('are not there without the addon', async () => {
    const cluster = await createTestCluster({ nodes: 1, addons: { 'csi-driver': {} } });
    expect((await cluster.kubectl(['get', 'volumesnapshots'])).stderr).toEqual([
      'error: the server doesn\'t have a resource type "volumesnapshots"',
    ]);
    expect(cluster.simulation.actors.has('csi-snapshotter')).toBe(false);
  });
});

it('brings a default class for the driver in memory, and a sidecar for that of EBS, whose snapshots take their time', async () => {
  const cluster = await createTestCluster({
    nodes: [{ name: 'n1', images: ['busybox:1.36'] }],
    addons: { 'aws-ebs-csi-driver': {}, 'snapshot-controller': {} },
  });
  await cluster.apply(`${CLASS.replace('example.csi.k8s.io', 'ebs.csi.aws.com')}---${claim('data')}`);
  await cluster.settle();
  await run(cluster, 'data', 'echo first > /data/book');
  await cluster.apply(snapshot('s'));
  await cluster.advance(1_000);
  expect((await snapshotOf(cluster, 's'))?.status).toMatchObject({
    readyToUse: false,
    restoreSize: '1Gi',
    creationTime: expect.anything(),
  });
  await cluster.settle();
  await cluster.advance(20_000);
  expect((await snapshotOf(cluster, 's'))?.status).toMatchObject({ readyToUse: true });
  expect((await contentOf(cluster))?.status?.snapshotHandle).toMatch(/^snap-0[0-9a-f]{16}$/);
  await cluster.apply(claim('copy', restoring('s')));
  await cluster.settle();
  expect(await run(cluster, 'copy', 'cat /data/book')).toMatch(/^first\n?$/);
  const inMemory = await createTestCluster({ nodes: 1, addons: { 'csi-driver': {}, 'snapshot-controller': {} } });
  const [only] = await inMemory.list(volumesnapshotclasses);
  expect(only).toMatchObject({ metadata: { name: 'csi' }, driver: 'example.csi.k8s.io', deletionPolicy: 'Delete' });
});
