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
