import { expect, test } from 'vitest';
import { configmaps, namespaces, serviceaccounts } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const CONTROLLERS = ['namespace-controller', 'serviceaccount-controller', 'root-ca-certificate-publisher-controller'];

test('a new namespace gets its objects; a deleted one is emptied after 5 s and goes', async () => {
  const plane = new ControlPlane(CONTROLLERS);
  await plane.simulation.settle();
  await plane.act((client) => client.resource(namespaces).create({ metadata: { name: 'a' } }));
  await plane.simulation.settle();
  const [account, map] = await plane.act(async (client) => [
    await client.resource(serviceaccounts).get({ namespace: 'a', name: 'default' }),
    await client.resource(configmaps).get({ namespace: 'a', name: 'kube-root-ca.crt' }),
  ]);
  expect(account?.metadata.name).toBe('default');
  expect(map?.metadata.annotations?.['kubernetes.io/description']).toMatch(/^Contains a CA bundle/);

  const before = plane.simulation.now;
  await plane.act((client) => client.resource(namespaces).delete({ name: 'a' }));
  await plane.simulation.settle();
  const took = plane.simulation.now - before;
  await expect(plane.act((client) => client.resource(namespaces).get({ name: 'a' }))).rejects.toThrow('namespaces "a" not found');
  expect(took).toBeGreaterThan(5_000);
  expect(took).toBeLessThan(6_000);
  const left = await plane.act((client) => client.resource(configmaps).list({ namespace: 'a' }));
  expect(left.items).toEqual([]);
});

test('an object with a finalizer keeps its namespace, whose conditions say so', async () => {
  const plane = new ControlPlane(CONTROLLERS);
  await plane.act(async (client) => {
    await client.resource(namespaces).create({ metadata: { name: 'a' } });
    await client.resource(configmaps).create({ metadata: { namespace: 'a', name: 'held', finalizers: ['example.com/hold'] } });
    await client.resource(namespaces).delete({ name: 'a' });
  });
  await plane.simulation.settle();
  const stuck = await plane.act((client) => client.resource(namespaces).get({ name: 'a' }));
  expect(stuck.status?.conditions?.map(({ status, message }) => `${status} ${message}`)).toEqual([
    'False All resources successfully discovered',
    'False All legacy kube types successfully parsed',
    'False All content successfully deleted, may be waiting on finalization',
    'True Some resources are remaining: configmaps. has 1 resource instances',
    'True Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
  ]);
  const released = [{ op: 'remove', path: '/metadata/finalizers' }];
  await plane.act((client) => client.resource(configmaps).patch({ namespace: 'a', name: 'held' }, released, { type: 'json' }));
  await plane.simulation.advance(10_000);
  await expect(plane.act((client) => client.resource(namespaces).get({ name: 'a' }))).rejects.toThrow('namespaces "a" not found');
});

test('the account and the certificate come back, edits of the certificate are undone', async () => {
  const plane = new ControlPlane(CONTROLLERS);
  await plane.simulation.settle();
  await plane.act(async (client) => {
    await client.resource(serviceaccounts).delete({ namespace: 'default', name: 'default' });
    await client
      .resource(configmaps)
      .patch({ namespace: 'default', name: 'kube-root-ca.crt' }, { data: { 'ca.crt': 'x', more: 'y' } }, { type: 'merge' });
  });
  await plane.simulation.settle();
  const map = await plane.act((client) => client.resource(configmaps).get({ namespace: 'default', name: 'kube-root-ca.crt' }));
  expect(Object.keys(map.data ?? {})).toEqual(['ca.crt']);
  expect(map.data?.['ca.crt']).toMatch(/^-----BEGIN CERTIFICATE-----/);
  await plane.act((client) => client.resource(serviceaccounts).get({ namespace: 'default', name: 'default' }));
});
