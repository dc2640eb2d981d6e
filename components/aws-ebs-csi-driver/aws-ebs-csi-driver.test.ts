import { expect, it } from 'vitest';
import { csinodes, persistentvolumeclaims, persistentvolumes, pods, volumeattachments } from '../../src/api/resources.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';

function ebsCluster(instanceType = 'm5.large'): Promise<TestCluster> {
  return createTestCluster({
    nodes: [{ name: 'n1', images: ['busybox:1.36'] }],
    cloud: { instanceType },
    addons: { 'aws-ebs-csi-driver': {} },
  });
}

const CLAIM = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1500Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: user }
spec:
  terminationGracePeriodSeconds: 1
  containers: [{ name: c, image: 'busybox:1.36', command: [sleep, 1d], volumeMounts: [{ name: data, mountPath: /data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

it('makes a volume in the zone of its pod, attaches it, and deletes it in the end', async () => {
  const cluster = await ebsCluster();
  await cluster.apply(CLAIM);
  await cluster.settle();
  const [volume] = await cluster.list(persistentvolumes);
  expect(volume?.spec).toMatchObject({
    capacity: { storage: '2Gi' },
    csi: { driver: 'ebs.csi.aws.com', fsType: 'ext4', volumeHandle: expect.stringMatching(/^vol-0[0-9a-f]{16}$/) },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-west-2a'] }] }],
      },
    },
  });
  const [attachment] = await cluster.list(volumeattachments);
  expect(attachment?.status).toEqual({ attached: true, attachmentMetadata: { devicePath: '/dev/xvdaa' } });
  await cluster.delete(pods, 'user');
  await cluster.delete(persistentvolumeclaims, 'data');
  await cluster.settle();
  expect(await cluster.list(persistentvolumes)).toEqual([]);
  const { volumes } = cluster.aws?.ec2 ?? {};
  expect(volumes?.contentOn(cluster.aws?.ec2.instances.all[0]?.instanceId ?? '', volume?.spec?.csi?.volumeHandle ?? '')).toBeUndefined();
});

it('keeps what was written when its machine dies, and takes it to another one', async () => {
  const image = { images: ['busybox:1.36'] };
  const nodes = [
    { name: 'n1', ...image },
    { name: 'n2', ...image },
  ];
  const cluster = await createTestCluster({ nodes, cloud: { zones: ['us-west-2a'] }, addons: { 'aws-ebs-csi-driver': {} } });
  await cluster.kubectl(['cordon', 'n2']);
  await cluster.apply(CLAIM);
  await cluster.settle();
  const exec = (command: string) => cluster.kubectl(['exec', 'user', '--', 'sh', '-c', command]);
  await exec('echo one >> /data/book');
  cluster.fault({ fault: 'stop-node', node: 'n1' });
  await cluster.advance(10_000);
  cluster.fault({ fault: 'start-node', node: 'n1' });
  await cluster.advance(120_000);
  await exec('echo two >> /data/book');
  expect((await exec('cat /data/book')).stdout.join('')).toMatch(/^one\n?two\n?$/);
  cluster.fault({ fault: 'stop-node', node: 'n1' });
  await cluster.kubectl(['uncordon', 'n2']);
  await cluster.kubectl(['delete', 'pod', 'user', '--force', '--grace-period=0']);
  await cluster.apply(CLAIM);
  await cluster.advance(900_000);
  expect((await cluster.get(pods, 'user'))?.spec?.nodeName).toBe('n2');
  expect((await exec('cat /data/book')).stdout.join('')).toMatch(/^one\n?two\n?$/);
});

it('says what AWS says', async () => {
  const cluster = await ebsCluster();
  cluster.aws?.failures.set('ec2:CreateVolume', {
    code: 'VolumeLimitExceeded',
    message: 'You have exceeded your maximum gp3 storage limit of 50 TiB in this region.',
  });
  await cluster.apply(CLAIM);
  await cluster.advance(5_000);
  const events = await cluster.eventsOf(persistentvolumeclaims, 'data');
  expect(events.join('\n')).toMatch(
    /Warning ProvisioningFailed: failed to provision volume with StorageClass "ebs-csi-default-sc": rpc error: code = Internal desc = Could not create volume "pvc-[0-9a-f-]{36}": could not create volume in EC2: operation error EC2: CreateVolume, https response error StatusCode: 400, RequestID: [0-9a-f-]{36}, api error VolumeLimitExceeded: You have exceeded/,
  );
  cluster.aws?.failures.clear();
  await cluster.settle();
  expect((await cluster.get(pods, 'user'))?.status?.phase).toBe('Running');
});

it.each([
  ['m5.large', 26],
  ['t2.medium', 38],
])('a %s has room for %i volumes', async (type, count) => {
  const cluster = await ebsCluster(type);
  const [driver] = (await cluster.get(csinodes, 'n1'))?.spec.drivers ?? [];
  expect(driver).toMatchObject({ name: 'ebs.csi.aws.com', allocatable: { count }, nodeID: expect.stringMatching(/^i-0/) });
});
