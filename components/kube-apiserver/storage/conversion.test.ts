import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

test('a patch through the other group that changes nothing writes nothing', async () => {
  const api = new TestApiserver();
  const event = { metadata: { name: 'e' }, involvedObject: { namespace: 'default', kind: 'Pod', name: 'p' }, reason: 'r', message: 'm' };
  const { body: created } = await api.send('POST /api/v1/namespaces/default/events', event);
  const { body: patched } = await api.send('PATCH /apis/events.k8s.io/v1/namespaces/default/events/e', { note: 'm' });
  expect(patched.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
  expect(patched).toMatchObject({ note: 'm', deprecatedFirstTimestamp: null, deprecatedLastTimestamp: null, eventTime: null });
});
