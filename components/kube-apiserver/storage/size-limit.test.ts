import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const AT = '/apis/example.com/v1/namespaces/default/blobs';

test('etcd refuses objects that are too large, also when they grow', async () => {
  const api = new TestApiserver();
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'blobs', kind: 'Blob' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  };
  await api.send('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: 'blobs.example.com' }, spec });
  await api.simulation.settle();
  const blob = (name: string, size: number): object => ({
    apiVersion: 'example.com/v1',
    kind: 'Blob',
    metadata: { name },
    contents: 'x'.repeat(size),
  });
  const refused = await api.send(`POST ${AT}`, blob('a', 1_600_000));
  expect(refused.body).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'etcdserver: request is too large',
    code: 500,
  });
  expect((await api.send(`POST ${AT}`, blob('a', 1_000_000))).code).toBe(201);
  expect((await api.send(`PATCH ${AT}/a`, { more: 'y'.repeat(600_000) })).body.message).toBe('etcdserver: request is too large');
  expect((await api.send(`PATCH ${AT}/a`, { more: 'y'.repeat(400_000) })).code).toBe(200);
});
