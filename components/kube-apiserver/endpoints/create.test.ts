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
