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
