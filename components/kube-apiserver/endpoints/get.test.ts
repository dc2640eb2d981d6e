import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

test('objects are no longer exported, and who asks for it is told', async () => {
  const api = new TestApiserver();
  const { code, body } = await api.send('GET /api/v1/namespaces/default?export=true');
  expect([code, body.message]).toEqual([400, 'the export parameter, deprecated since v1.14, is no longer supported']);
  expect((await api.send('GET /api/v1/namespaces/default?export=false')).code).toBe(200);
});
