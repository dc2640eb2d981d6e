import { expect, test } from 'vitest';
import { secrets, serviceaccounts, tokenreviews } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

test('a secret that asks for a token is filled, and goes with its account', async () => {
  const plane = new ControlPlane(['serviceaccount-token-controller']);
  await plane.simulation.settle();
  const at = { namespace: 'default', name: 'bot-token' };
  const account = await plane.act(async (client) => {
    const annotations = { 'kubernetes.io/service-account.name': 'bot' };
    const bot = await client.resource(serviceaccounts).create({ metadata: { namespace: 'default', name: 'bot' } });
    await client.resource(secrets).create({ metadata: { ...at, annotations }, type: 'kubernetes.io/service-account-token' });
    return bot;
  });
  await plane.simulation.settle();
  const filled = await plane.act((client) => client.resource(secrets).get(at));
  expect(filled.metadata.annotations?.['kubernetes.io/service-account.uid']).toBe(account.metadata.uid);
  expect(atob(filled.data?.['ca.crt'] ?? '')).toMatch(/^-----BEGIN CERTIFICATE-----/);
  expect(atob(filled.data?.namespace ?? '')).toBe('default');
  const [, claims = ''] = atob(filled.data?.token ?? '').split('.');
  expect(JSON.parse(atob(claims))).toMatchObject({
    sub: 'system:serviceaccount:default:bot',
    'kubernetes.io/serviceaccount/secret.name': 'bot-token',
  });

  const token = atob(filled.data?.token ?? '');
  const review = async () => (await plane.act((client) => client.resource(tokenreviews).create({ metadata: {}, spec: { token } }))).status;
  expect(await review()).toMatchObject({ authenticated: true, user: { username: 'system:serviceaccount:default:bot' } });

  const labels = async () => (await plane.act((client) => client.resource(secrets).get(at))).metadata.labels;
  expect(await labels()).toEqual({ 'kubernetes.io/legacy-token-last-used': '2026-01-01' });
  const invalid = (since: string | null) => ({ metadata: { labels: { 'kubernetes.io/legacy-token-invalid-since': since } } });
  await plane.act((client) => client.resource(secrets).patch(at, invalid('2026-01-01'), { type: 'merge' }));
  expect((await review())?.authenticated ?? false).toBe(false);
  await plane.act((client) => client.resource(secrets).patch(at, invalid(null), { type: 'merge' }));
  expect(await review()).toMatchObject({ authenticated: true });

  await plane.act((client) => client.resource(serviceaccounts).delete({ namespace: 'default', name: 'bot' }));
  await plane.simulation.settle();
  await expect(plane.act((client) => client.resource(secrets).get(at))).rejects.toThrow('secrets "bot-token" not found');
  expect((await review())?.authenticated ?? false).toBe(false);
});

test('a secret of an account that does not exist is deleted', async () => {
  const plane = new ControlPlane(['serviceaccount-token-controller']);
  await plane.simulation.settle();
  const at = { namespace: 'default', name: 'ghost-token' };
  const annotations = { 'kubernetes.io/service-account.name': 'ghost' };
  await plane.act((client) =>
    client.resource(secrets).create({ metadata: { ...at, annotations }, type: 'kubernetes.io/service-account-token' }),
  );
  await plane.simulation.settle();
  await expect(plane.act((client) => client.resource(secrets).get(at))).rejects.toThrow('secrets "ghost-token" not found');
});
