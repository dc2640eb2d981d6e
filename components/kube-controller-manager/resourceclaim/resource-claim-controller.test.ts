import { expect, test } from 'vitest';
import { events, namespaces, pods, resourceclaims, resourceclaimtemplates } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';
import { claimGenerateName } from './claim-names.ts';

const POD = {
  metadata: { namespace: 'x', name: 'p' },
  spec: {
    containers: [{ name: 'c', image: 'nginx', resources: { claims: [{ name: 'gpu' }] } }],
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }],
  },
};

test('a pod gets a claim for each template that it names, once there is one', async () => {
  const plane = new ControlPlane(['resourceclaim-controller', 'serviceaccount-controller']);
  await plane.act((client) => client.resource(namespaces).create({ metadata: { name: 'x' } }));
  await plane.simulation.settle();
  await plane.act((client) => client.resource(pods).create(POD));
  await plane.simulation.advance(100);
  const { items: told } = await plane.act((client) => client.resource(events).list({ namespace: 'x' }));
  expect(told[0]?.message).toBe('PodResourceClaim gpu: resource claim template "t": resourceclaimtemplate.resource.k8s.io "t" not found');
  const spec = { spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu.example.com' } }] } } };
  await plane.act((client) => client.resource(resourceclaimtemplates).create({ metadata: { namespace: 'x', name: 't' }, spec }));
  await plane.simulation.settle();
  const { items } = await plane.act((client) => client.resource(resourceclaims).list({ namespace: 'x' }));
  expect(items.map(({ metadata }) => metadata.generateName)).toEqual(['p-gpu-']);
  const pod = await plane.act((client) => client.resource(pods).get({ namespace: 'x', name: 'p' }));
  expect(pod.status?.resourceClaimStatuses).toEqual([{ name: 'gpu', resourceClaimName: items[0]?.metadata.name }]);
});

test('long names are cut in proportion', () => {
  expect(claimGenerateName('p'.repeat(60), 'e'.repeat(10))).toBe(`${'p'.repeat(47)}-${'e'.repeat(7)}`);
});
