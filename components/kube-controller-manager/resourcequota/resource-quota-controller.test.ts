import { expect, test } from 'vitest';
import { configmaps, namespaces, resourcequotas, services } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

test('what a quota limits is counted at once, and less is noticed when something goes', async () => {
  const plane = new ControlPlane(['resourcequota-controller']);
  await plane.act(async (client) => {
    await client.resource(namespaces).create({ metadata: { name: 'x' } });
    await client.resource(configmaps).create({ metadata: { namespace: 'x', name: 'a' } });
    await client.resource(configmaps).create({ metadata: { namespace: 'x', name: 'b' } });
    await client
      .resource(services)
      .create({ metadata: { namespace: 'x', name: 'web' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } });
  });
  const hard = { 'count/configmaps': '5', configmaps: '3', 'services.nodeports': '2', 'count/widgets.example.com': '1' };
  await plane.act((client) => client.resource(resourcequotas).create({ metadata: { namespace: 'x', name: 'q' }, spec: { hard } }));
  await plane.simulation.settle();
  const used = async (): Promise<unknown> =>
    (await plane.act((client) => client.resource(resourcequotas).get({ namespace: 'x', name: 'q' }))).status?.used;
  expect(await used()).toEqual({ 'count/configmaps': '2', configmaps: '2', 'services.nodeports': '1' });
  await plane.act((client) => client.resource(configmaps).delete({ namespace: 'x', name: 'a' }));
  const service = await plane.act((client) => client.resource(services).get({ namespace: 'x', name: 'web' }));
  await plane.act((client) =>
    client.resource(services).update({ ...service, spec: { ...service.spec, type: 'ClusterIP', ports: [{ port: 80 }] } }),
  );
  await plane.simulation.settle();
  expect(await used()).toEqual({ 'count/configmaps': '1', configmaps: '1', 'services.nodeports': '0' });
});
