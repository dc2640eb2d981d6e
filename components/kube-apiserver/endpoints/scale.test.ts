import { beforeEach, expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const AT = '/apis/apps/v1/namespaces/default/deployments';
let api: TestApiserver;
let uid: string;

beforeEach(async () => {
  api = new TestApiserver();
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const { body } = await api.send(`POST ${AT}`, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'web' } }, template },
  });
  uid = body.metadata.uid;
});

/** What is answered when the Scale is put with such metadata. */
async function put(metadata: object): Promise<string> {
  const { code, body } = await api.send(`PUT ${AT}/web/scale`, { metadata, spec: { replicas: 2 } });
  return code === 200 ? `${code} ${body.spec.replicas}` : `${code} ${body.message}`;
}

test('a Scale is of one object, by name, namespace and uid', async () => {
  expect(await put({ name: 'web', namespace: 'other' })).toBe(
    '400 the namespace of the provided object does not match the namespace sent on the request',
  );
  expect(await put({})).toBe('400 the name of the object (web based on URL) was undeterminable: name must be provided');
  expect(await put({ name: 'web', uid: 'u' })).toBe(
    '409 Operation cannot be fulfilled on deployments.apps "web": StorageError: invalid object, Code: 4, Key: /registry/deployments/default/web, ' +
      `ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: ${uid}`,
  );
  expect(await put({ name: 'web', namespace: 'default', uid })).toBe('200 2');
});

test('a patch may name the uid as well', async () => {
  const { code, body } = await api.send(`PATCH ${AT}/web/scale`, { metadata: { uid: 'u' } });
  expect([code, body.message]).toEqual([
    409,
    `Operation cannot be fulfilled on deployments/scale.apps "web": Precondition failed: UID in precondition: u, UID in object meta: ${uid}`,
  ]);
});
