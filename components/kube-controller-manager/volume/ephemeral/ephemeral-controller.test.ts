import { expect, test } from 'vitest';
import { events, namespaces, persistentvolumeclaims, pods } from '../../../../src/api/resources.ts';
import { ControlPlane } from '../../../../test/support/control-plane.ts';

const TEMPLATE = {
  metadata: { labels: { a: 'b' } },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const POD = {
  metadata: { namespace: 'x', name: 'p' },
  spec: { containers: [{ name: 'c', image: 'nginx' }], volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: TEMPLATE } }] },
};

async function start(): Promise<ControlPlane> {
  const plane = new ControlPlane(['ephemeral-volume-controller', 'serviceaccount-controller']);
  await plane.act((client) => client.resource(namespaces).create({ metadata: { name: 'x' } }));
  await plane.simulation.settle();
  return plane;
}

test('a pod with a volume of its own gets a claim that belongs to it', async () => {
  const plane = await start();
  const pod = await plane.act((client) => client.resource(pods).create(POD));
  await plane.simulation.settle();
  const claim = await plane.act((client) => client.resource(persistentvolumeclaims).get({ namespace: 'x', name: 'p-scratch' }));
  expect(claim.metadata.labels).toEqual({ a: 'b' });
  expect(claim.metadata.ownerReferences).toMatchObject([{ kind: 'Pod', uid: pod.metadata.uid, controller: true }]);
});

test('a claim of that name that is not the pod’s is left alone', async () => {
  const plane = await start();
  await plane.act((client) =>
    client.resource(persistentvolumeclaims).create({ metadata: { namespace: 'x', name: 'p-scratch' }, spec: TEMPLATE.spec }),
  );
  await plane.act((client) => client.resource(pods).create(POD));
  await plane.simulation.advance(1_000);
  const { items } = await plane.act((client) => client.resource(events).list({ namespace: 'x' }));
  expect(items[0]).toMatchObject({
    reason: 'FailedBinding',
    message: 'ephemeral volume scratch: PVC x/p-scratch was not created for pod x/p (pod is not owner)',
  });
});
