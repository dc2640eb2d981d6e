// Goal: what an extension API server serves is reached through kube-apiserver. Method: its Service is of type ExternalName, and the outside a function.
import { expect, test } from 'vitest';
import { OutboundError, type OutboundRequest } from '../../../src/api/outbound.ts';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const resources = [{ name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get'] }];

async function serverWith(answer: (request: OutboundRequest) => object): Promise<TestApiserver> {
  const api = new TestApiserver({
    outbound: async (request) => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer(request)) }),
  });
  await api.send('POST /api/v1/namespaces/default/services', {
    metadata: { name: 'ext' },
    spec: { type: 'ExternalName', externalName: 'ext.test' },
  });
  const spec = { group: 'ext.test', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, insecureSkipTLSVerify: true };
  await api.send(`POST ${SERVICES}`, {
    metadata: { name: 'v1.ext.test' },
    spec: { ...spec, service: { namespace: 'default', name: 'ext' } },
  });
  await api.simulation.advance(1_000);
  return api;
}

test('requests are handed on with who sends them', async () => {
  const api = await serverWith(({ url, headers }) => ({
    kind: 'Thing',
    apiVersion: 'ext.test/v1',
    url,
    user: headers['x-remote-user'],
    resources,
  }));
  const { body } = await api.send('GET /apis/ext.test/v1/namespaces/default/things/a?x=y');
  expect(body).toMatchObject({ url: 'https://ext.test:443/apis/ext.test/v1/namespaces/default/things/a?x=y', user: 'admin' });
});

test('its group and resources join discovery', async () => {
  const api = await serverWith(() => ({ resources }));
  const { body: group } = await api.send('GET /apis/ext.test');
  expect(group.preferredVersion).toEqual({ groupVersion: 'ext.test/v1', version: 'v1' });
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const { body } = await api.send('GET /apis', undefined, { accept });
  const found = body.items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'ext.test');
  expect(found.versions[0].resources[0]).toMatchObject({ resource: 'things', scope: 'Namespaced' });
});

test('one that does not answer is not available', async () => {
  const api = await serverWith(() => {
    throw new OutboundError('dial tcp 10.0.0.9:443: connect: connection refused');
  });
  const { body } = await api.send(`GET ${SERVICES}/v1.ext.test`);
  expect(body.status.conditions[0]).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' });
  expect(await api.send('GET /apis/ext.test/v1/namespaces/default/things/a')).toMatchObject({ code: 503, body: 'service unavailable\n' });
});

test('what cannot be asked any more is stale in discovery', async () => {
  let up = true;
  const api = await serverWith(() => {
    if (!up) throw new OutboundError('connect: connection refused');
    return { resources };
  });
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const freshness = async () => {
    const { body } = await api.send('GET /apis', undefined, { accept });
    const found = body.items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'ext.test');
    return [found.versions[0].freshness, found.versions[0].resources.length];
  };
  expect(await freshness()).toEqual(['Current', 1]);
  up = false;
  await api.simulation.advance(60_000);
  expect(await freshness()).toEqual(['Stale', 1]);
  up = true;
  await api.simulation.advance(60_000);
  expect(await freshness()).toEqual(['Current', 1]);
});
