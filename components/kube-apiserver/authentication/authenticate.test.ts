import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const REVIEW = 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews';

/** The name under which the server knows the sender. */
async function whoAmI(api: TestApiserver, headers: Record<string, string>): Promise<string> {
  const { code, body } = await api.send(REVIEW, {}, headers);
  return body.status?.userInfo?.username ?? `${code} ${body.message}`;
}

test('the token of a service account is good until the account is gone', async () => {
  const api = new TestApiserver();
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await api.send(`POST ${accounts}`, { metadata: { name: 'robot' } });
  const { body } = await api.send(`POST ${accounts}/robot/token`, { spec: { expirationSeconds: 600 } });
  const bearer = new TestApiserver({ authenticate: () => undefined });
  expect(await whoAmI(bearer, {})).toMatch(/^403 .*User "system:anonymous" cannot create/);
  expect(await whoAmI(bearer, { authorization: `Bearer ${body.status.token}` })).toBe('401 Unauthorized');
  const review = async (): Promise<string | undefined> =>
    (await api.send('POST /apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: body.status.token } })).body.status.user.username;
  expect(await review()).toBe('system:serviceaccount:default:robot');
  await api.send(`DELETE ${accounts}/robot`);
  expect(await review()).toBeUndefined();
});

test('impersonation adds the groups that everybody has', async () => {
  const api = new TestApiserver();
  const { body } = await api.send(REVIEW, {}, { 'impersonate-user': 'system:serviceaccount:default:robot' });
  expect(body.status.userInfo.groups).toEqual(['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated']);
  expect((await api.send(REVIEW, {}, { 'impersonate-group': 'x' })).body).toContain(
    'requested [{Group  x    }] without impersonating a user',
  );
});

test("tokens are signed: others can check them, a restarted server knows them, a changed one is nobody's", async () => {
  const api = new TestApiserver();
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await api.send(`POST ${accounts}`, { metadata: { name: 'robot' } });
  const { token } = (await api.send(`POST ${accounts}/robot/token`, { spec: { expirationSeconds: 600 } })).body.status;
  const [header = '', payload = '', signature = ''] = token.split('.');
  const { keys } = (await api.send('GET /openid/v1/jwks')).body;
  expect(JSON.parse(atob(header))).toEqual({ alg: 'RS256', kid: keys[0].kid });
  const key = createPublicKey({ key: keys[0], format: 'jwk' });
  expect(verify('RSA-SHA256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true);

  const restarted = new TestApiserver({ authenticate: () => undefined }, api);
  expect(await whoAmI(restarted, { authorization: `Bearer ${token}` })).toBe('system:serviceaccount:default:robot');
  const claims = { ...JSON.parse(atob(payload)), exp: 2 ** 40 };
  const forged = [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
  expect(await whoAmI(restarted, { authorization: `Bearer ${forged}` })).toBe('401 Unauthorized');
});
