import { expect, it } from 'vitest';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';
import { type Bucket, buckets } from './api.ts';

const ackCluster = (): Promise<TestCluster> => createTestCluster({ nodes: 0, addons: { 'ack-s3-controller': {} } });
const bucket = (name: string, annotations: Record<string, string> = {}): Bucket => ({
  apiVersion: 's3.services.k8s.aws/v1alpha1',
  kind: 'Bucket',
  metadata: { name: 'reports', namespace: 'default', annotations },
  spec: { name },
});

/** Names of the account's buckets, as the account itself tells. */
function bucketsOf({ aws }: TestCluster): string[] {
  const role = aws?.iam.roles.get('eksNodeRole');
  const key = role && aws?.iam.issue(role, 'test').accessKeyId;
  const headers = { authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-west-2/s3/aws4_request` };
  const answer = aws?.handle({ method: 'GET', url: 'https://s3.us-west-2.amazonaws.com/', headers, timeoutMs: 1000 });
  return [...(answer?.body ?? '').matchAll(/<Name>([^<]+)</g)].map(([, name = '']) => name);
}

it('makes a bucket, says where it is, and deletes it with its object', async () => {
  const cluster = await ackCluster();
  await cluster.apply(bucket('reports-4711'));
  await cluster.settle();
  const found = await cluster.get(buckets, 'reports');
  expect(found?.metadata.finalizers).toEqual(['finalizers.s3.services.k8s.aws/Bucket']);
  expect(found?.status).toEqual({
    ackResourceMetadata: { arn: 'arn:aws:s3:::reports-4711', ownerAccountID: '111122223333', region: 'us-west-2' },
    conditions: [
      {
        type: 'ACK.ResourceSynced',
        status: 'True',
        message: 'Resource synced successfully',
        reason: '',
        lastTransitionTime: expect.any(String),
      },
    ],
    location: 'http://reports-4711.s3.amazonaws.com/',
  });
  expect(bucketsOf(cluster)).toEqual(['reports-4711']);
  await cluster.delete(buckets, 'reports');
  await cluster.waitUntilGone(buckets, 'reports');
  expect(bucketsOf(cluster)).toEqual([]);
});

it('tries again while the name is somebody else’s', async () => {
  const cluster = await ackCluster();
  await cluster.apply(bucket('test-bucket'));
  await cluster.advance(5_000);
  const { conditions = [] } = (await cluster.get(buckets, 'reports'))?.status ?? {};
  expect(conditions.map(({ type, status }) => `${type}=${status}`)).toEqual(['ACK.Recoverable=True', 'ACK.ResourceSynced=Unknown']);
  expect(conditions[0]?.message).toMatch(
    /^operation error S3: CreateBucket, https response error StatusCode: 409, RequestID: [0-9A-F]{16}, api error BucketAlreadyExists: The requested bucket name/,
  );
});

it('does not try again what can never be', async () => {
  const cluster = await ackCluster();
  await cluster.apply(bucket('Not A Bucket'));
  await cluster.settle();
  const { conditions = [] } = (await cluster.get(buckets, 'reports'))?.status ?? {};
  expect(conditions.map(({ type, status }) => `${type}=${status}`)).toEqual(['ACK.Terminal=True', 'ACK.ResourceSynced=False']);
});

it('leaves alone what it has not made, and keeps what is to be kept', async () => {
  const cluster = await ackCluster();
  await cluster.apply(bucket('reports-4711', { 'services.k8s.aws/deletion-policy': 'retain' }));
  await cluster.settle();
  await cluster.delete(buckets, 'reports');
  await cluster.waitUntilGone(buckets, 'reports');
  expect(bucketsOf(cluster)).toEqual(['reports-4711']);
  await cluster.apply(bucket('reports-4711'));
  await cluster.settle();
  const found = await cluster.get(buckets, 'reports');
  expect(found?.metadata.finalizers).toBeUndefined();
  expect(found?.status?.conditions?.[0]).toMatchObject({ type: 'ACK.Terminal', status: 'True', message: 'Resource already exists' });
});

/** A bucket that somebody has made without Kubernetes. */
async function withBucket(name: string): Promise<TestCluster> {
  const cluster = await ackCluster();
  await cluster.apply(bucket(name, { 'services.k8s.aws/deletion-policy': 'retain' }));
  await cluster.settle();
  await cluster.delete(buckets, 'reports');
  await cluster.waitUntilGone(buckets, 'reports');
  return cluster;
}
const policy = (value: string, fields?: string): Record<string, string> => ({
  'services.k8s.aws/adoption-policy': value,
  ...(fields === undefined ? {} : { 'services.k8s.aws/adoption-fields': fields }),
});
const stateOf = async (cluster: TestCluster) => {
  const { metadata, spec, status } = (await cluster.get(buckets, 'reports')) ?? {};
  return {
    name: spec?.name,
    adopted: metadata?.annotations?.['services.k8s.aws/adopted'],
    managed: metadata?.finalizers !== undefined,
    synced: status?.conditions?.find(({ type }) => type === 'ACK.ResourceSynced')?.status,
  };
};

it.each([
  [
    'adopts what the annotation names',
    'data-4711',
    policy('adopt', '{"name": "reports-4711"}'),
    { name: 'reports-4711', adopted: 'true', managed: true, synced: 'True' },
  ],
  [
    'adopts what is there',
    'reports-4711',
    policy('adopt-or-create'),
    { name: 'reports-4711', adopted: 'true', managed: true, synced: 'True' },
  ],
  [
    'makes what is not there',
    'new-4711',
    policy('adopt-or-create'),
    { name: 'new-4711', adopted: undefined, managed: true, synced: 'True' },
  ],
  [
    'makes nothing that was to be adopted',
    'new-4711',
    policy('adopt', '{"name": "new-4711"}'),
    { name: 'new-4711', adopted: undefined, managed: false, synced: undefined },
  ],
  [
    'knows two ways to adopt',
    'reports-4711',
    policy('always'),
    { name: 'reports-4711', adopted: undefined, managed: false, synced: undefined },
  ],
  [
    'only looks at what is to be read',
    'reports-4711',
    { 'services.k8s.aws/read-only': 'true' },
    { name: 'reports-4711', adopted: undefined, managed: false, synced: 'True' },
  ],
])('%s', async (_, name, annotations, expected) => {
  const cluster = await withBucket('reports-4711');
  await cluster.apply(bucket(name, annotations));
  await cluster.advance(10_000);
  expect(await stateOf(cluster)).toEqual(expected);
});

it('lets an object go whose bucket was never made', async () => {
  const cluster = await ackCluster();
  await cluster.apply(bucket('test-bucket'));
  await cluster.advance(5_000);
  expect((await cluster.get(buckets, 'reports'))?.metadata.finalizers).toBeUndefined();
  await cluster.delete(buckets, 'reports');
  expect(await cluster.get(buckets, 'reports')).toBeUndefined();
});

it('keeps what its namespace says is to be kept', async () => {
  const cluster = await ackCluster();
  await cluster.kubectl(['annotate', 'namespace', 'default', 's3.services.k8s.aws/deletion-policy=retain']);
  await cluster.apply(bucket('reports-4711'));
  await cluster.settle();
  await cluster.delete(buckets, 'reports');
  await cluster.waitUntilGone(buckets, 'reports');
  expect(bucketsOf(cluster)).toEqual(['reports-4711']);
});
