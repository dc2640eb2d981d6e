import { expect, test } from 'vitest';
import { ipaddresses, servicecidrs } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const NAME = 'more';

async function start(): Promise<ControlPlane> {
  const plane = new ControlPlane(['service-cidr-controller']);
  await plane.act((client) => client.resource(servicecidrs).create({ metadata: { name: NAME }, spec: { cidrs: ['10.200.0.0/24'] } }));
  await plane.simulation.settle();
  return plane;
}

test('a range says that it is ready, and is gone ten seconds after its deletion', async () => {
  const plane = await start();
  const { metadata, status } = await plane.act((client) => client.resource(servicecidrs).get({ name: NAME }));
  expect(metadata.finalizers).toEqual(['networking.k8s.io/service-cidr-finalizer']);
  expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' }]);
  const before = plane.simulation.now;
  await plane.act((client) => client.resource(servicecidrs).delete({ name: NAME }));
  await plane.simulation.settle();
  const { items } = await plane.act((client) => client.resource(servicecidrs).list());
  expect(items.map((item) => item.metadata.name)).not.toContain(NAME);
  expect(plane.simulation.now - before).toBeGreaterThan(9_000);
});

test('a range with an address that no other has stays', async () => {
  const plane = await start();
  const labels = { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io', 'ipaddress.kubernetes.io/ip-family': 'IPv4' };
  const parentRef = { group: '', resource: 'services', namespace: 'default', name: 'web' };
  await plane.act((client) => client.resource(ipaddresses).create({ metadata: { name: '10.200.0.9', labels }, spec: { parentRef } }));
  await plane.act((client) => client.resource(servicecidrs).delete({ name: NAME }));
  await plane.simulation.settle();
  const { status } = await plane.act((client) => client.resource(servicecidrs).get({ name: NAME }));
  expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'False', reason: 'Terminating' }]);
  await plane.act((client) => client.resource(ipaddresses).delete({ name: '10.200.0.9' }));
  await plane.simulation.settle();
  const { items } = await plane.act((client) => client.resource(servicecidrs).list());
  expect(items.map((item) => item.metadata.name)).not.toContain(NAME);
});
