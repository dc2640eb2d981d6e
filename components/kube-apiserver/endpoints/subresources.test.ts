import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

test.each(['exec', 'attach', 'portforward', 'proxy'])('%s cannot be tried without doing it', async (subresource) => {
  const api = new TestApiserver({ disableAdmissionPlugins: ['ServiceAccount'] });
  const at = '/api/v1/namespaces/default/pods';
  await api.send(`POST ${at}`, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const { code, body } = await api.send(`POST ${at}/p/${subresource}?dryRun=All`);
  expect([code, body.message]).toEqual([400, 'dryRun is not supported']);
});
