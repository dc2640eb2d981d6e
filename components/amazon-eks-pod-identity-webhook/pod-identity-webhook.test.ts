import { describe, expect, it } from 'vitest';
import type { TokenRequest } from '../../src/api/kinds/authentication-v1.ts';
import { pods, serviceaccounts } from '../../src/api/resources.ts';
import { AwsClient, type AwsError } from '../../src/client/aws-client.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';

const ROLE = 'arn:aws:iam::111122223333:role/reader';
const TOKEN_FILE = '/var/run/secrets/eks.amazonaws.com/serviceaccount/token';

function eksCluster(): Promise<TestCluster> {
  const roles = [{ name: 'reader', serviceAccount: 'default/reader', actions: ['s3:List*'] }];
  return createTestCluster({ nodes: 1, addons: { 'amazon-eks-pod-identity-webhook': {}, aws: { roles } } });
}

const account = (name: string, annotations: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: 'default', annotations: { 'eks.amazonaws.com/role-arn': ROLE, ...annotations } },
});
const pod = (serviceAccountName: string, annotations: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'default', annotations },
  spec: {
    serviceAccountName,
    containers: [
      { name: 'app', image: 'busybox:1.36', command: ['sleep', '1d'], env: [{ name: 'AWS_REGION', value: 'eu-west-1' }] },
      { name: 'beside', image: 'busybox:1.36', command: ['sleep', '1d'] },
    ],
  },
});

describe('a pod of an account with a role', () => {
  it('gets the volume, the mounts and what the SDK looks for', async () => {
    const cluster = await eksCluster();
    await cluster.apply(account('reader'));
    await cluster.settle();
    await cluster.apply(pod('reader', { 'eks.amazonaws.com/skip-containers': 'beside' }));
    await cluster.settle();
    const { spec } = (await cluster.get(pods, 'p')) ?? {};
    expect(spec?.volumes?.[0]).toEqual({
      name: 'aws-iam-token',
      projected: {
        defaultMode: 420,
        sources: [{ serviceAccountToken: { audience: 'sts.amazonaws.com', expirationSeconds: 86400, path: 'token' } }],
      },
    });
    const [app, beside] = spec?.containers ?? [];
    expect(app?.env).toEqual([
      { name: 'AWS_REGION', value: 'eu-west-1' },
      { name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' },
      { name: 'AWS_ROLE_ARN', value: ROLE },
      { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: TOKEN_FILE },
    ]);
    expect(app?.volumeMounts).toContainEqual({
      name: 'aws-iam-token',
      readOnly: true,
      mountPath: '/var/run/secrets/eks.amazonaws.com/serviceaccount',
    });
    expect(beside?.env).toBeUndefined();
  });

  it('keeps the role that a container names itself, without a token file beside it', async () => {
    const cluster = await eksCluster();
    await cluster.apply(account('reader'));
    await cluster.settle();
    const own = { name: 'AWS_ROLE_ARN', value: 'arn:aws:iam::111122223333:role/own' };
    await cluster.apply({
      ...pod('reader'),
      spec: { serviceAccountName: 'reader', containers: [{ name: 'app', image: 'busybox:1.36', env: [own] }] },
    });
    const [app] = (await cluster.get(pods, 'p'))?.spec?.containers ?? [];
    expect(app?.env?.map(({ name }) => name)).toEqual(['AWS_ROLE_ARN', 'AWS_STS_REGIONAL_ENDPOINTS', 'AWS_DEFAULT_REGION', 'AWS_REGION']);
    expect(app?.env?.[0]).toEqual(own);
    expect(app?.volumeMounts?.some(({ name }) => name === 'aws-iam-token')).toBe(true);
  });

  it('finds a signed token that is for AWS, bound to it', async () => {
    const cluster = await eksCluster();
    await cluster.apply(account('reader', { 'eks.amazonaws.com/token-expiration': '7200' }));
    await cluster.settle();
    await cluster.apply(pod('reader'));
    await cluster.settle();
    const { stdout } = await cluster.kubectl(['exec', 'p', '-c', 'app', '--', 'cat', TOKEN_FILE]);
    const claims = JSON.parse(atob((stdout.join('').split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))) as Record<
      string,
      unknown
    >;
    expect(claims).toMatchObject({
      aud: ['sts.amazonaws.com'],
      sub: 'system:serviceaccount:default:reader',
      'kubernetes.io': { pod: { name: 'p' } },
    });
    expect(claims['iss']).toMatch(/^https:\/\/oidc\.eks\.us-west-2\.amazonaws\.com\/id\/[0-9A-F]{32}$/);
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(7200);
    await cluster.advance(5_000_000);
    expect((await cluster.kubectl(['exec', 'p', '-c', 'app', '--', 'cat', TOKEN_FILE])).stdout).toEqual(stdout);
    await cluster.advance(1_000_000);
    expect((await cluster.kubectl(['exec', 'p', '-c', 'app', '--', 'cat', TOKEN_FILE])).stdout).not.toEqual(stdout);
  });

  it('comes in as it is while the webhook is down', async () => {
    const cluster = await eksCluster();
    await cluster.apply(account('reader'));
    await cluster.settle();
    cluster.crash('amazon-eks-pod-identity-webhook');
    await cluster.apply(pod('reader'));
    expect((await cluster.get(pods, 'p'))?.spec?.volumes?.some(({ name }) => name === 'aws-iam-token')).toBe(false);
  });
});

describe('STS', () => {
  async function answersTo(cluster: TestCluster): Promise<(token: string, role?: string) => Promise<string>> {
    const { aws } = cluster;
    const client = new AwsClient({
      region: 'us-west-2',
      send: async (request) => aws?.handle(request) ?? { status: 500, headers: {}, body: '' },
    });
    return (token, RoleArn = ROLE) =>
      client.query('sts', 'AssumeRoleWithWebIdentity', { RoleArn, RoleSessionName: 'test', WebIdentityToken: token }).then(
        (answer) => answer.text('AssumedRoleUser', 'Arn') ?? '',
        ({ code, reason }: AwsError) => `${code}: ${reason}`,
      );
  }
  async function tokenOf(cluster: TestCluster, name: string, audiences: string[]): Promise<string> {
    const at = { namespace: 'default', name };
    const made = await cluster.call((client) =>
      client.resource(serviceaccounts).createSubresource(at, 'token', { spec: { audiences, expirationSeconds: 3600 } }),
    );
    return (made as TokenRequest).status?.token ?? '';
  }

  it('says what is wrong with a token', async () => {
    const cluster = await eksCluster();
    await cluster.apply([account('reader'), account('other')]);
    await cluster.settle();
    const answer = await answersTo(cluster);
    const token = await tokenOf(cluster, 'reader', ['sts.amazonaws.com']);
    expect(await answer(token)).toBe('arn:aws:sts::111122223333:assumed-role/reader/test');
    const refused = 'AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity';
    expect(await answer(token, `${ROLE}s`)).toBe(refused);
    expect(await answer(await tokenOf(cluster, 'other', ['sts.amazonaws.com']))).toBe(refused);
    expect(await answer(await tokenOf(cluster, 'reader', ['elsewhere']))).toBe('InvalidIdentityToken: Incorrect token audience');
    expect(await answer('nonsense')).toBe(
      'InvalidIdentityToken: The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)',
    );
    const [header, , signature] = token.split('.');
    const forged = btoa(JSON.stringify({ iss: 'https://elsewhere.example.com', sub: 'x', aud: ['sts.amazonaws.com'], exp: 4e9 })).replace(
      /=+$/,
      '',
    );
    expect(await answer(`${header}.${forged}.${signature}`)).toBe(
      'InvalidIdentityToken: No OpenIDConnect provider found in your account for https://elsewhere.example.com',
    );
    expect(await answer(`${token.slice(0, -6)}AAAAAA`)).toContain("InvalidIdentityToken: Couldn't retrieve verification key");
    await cluster.advance(2 * 3600_000);
    expect(await answer(token)).toMatch(
      /^ExpiredTokenException: Token expired: current date\/time \S+ must be before the expiration date\/time \S+$/,
    );
  });
});
