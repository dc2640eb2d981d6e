import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

test('what only the server says of a new object is taken off before anybody sees it, also from who owns what', async () => {
  const api = new TestApiserver();
  const metadata = {
    name: 'a',
    uid: 'mine',
    creationTimestamp: '2020-01-01T00:00:00Z',
    deletionTimestamp: '2020-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 5,
    labels: { a: 'b' },
  };
  const { body } = await api.send('POST /api/v1/namespaces/default/configmaps', { metadata });
  expect(body.metadata).not.toHaveProperty('deletionTimestamp');
  expect(body.metadata.uid).not.toBe('mine');
  expect(body.metadata.creationTimestamp).not.toBe(metadata.creationTimestamp);
  expect(body.metadata.managedFields[0].fieldsV1).toEqual({ 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } });
});

test('a version on a new object is refused, if it is one', async () => {
  const api = new TestApiserver();
  const create = async (resourceVersion: string): Promise<string> => {
    const metadata = { name: `v${resourceVersion}`, resourceVersion };
    const { code, body } = await api.send('POST /api/v1/namespaces/default/configmaps', { metadata });
    return code === 201 ? '201' : `${code} ${body.message}`;
  };
  expect([await create('0'), await create('7'), await create('abc')]).toEqual([
    '201',
    '500 resourceVersion should not be set on objects to be created',
    '201',
  ]);
});
