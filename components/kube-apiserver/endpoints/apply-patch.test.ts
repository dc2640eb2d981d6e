import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const json = { 'content-type': 'application/json-patch+json' };

test('fields that no step of a JSON patch has are warned of, or refused', async () => {
  const api = new TestApiserver();
  const at = '/api/v1/namespaces/default/configmaps';
  await api.send(`POST ${at}`, { metadata: { name: 'a' } });
  const patch = '[{"op": "add", "op": "add", "path": "/data", "value": {"a": "b"}, "why": "so"}]';
  const refused = await api.send(`PATCH ${at}/a?fieldValidation=Strict`, patch, json);
  const problems = ['json patch duplicate field "[0].op"', 'json patch unknown field "[0].why"'];
  expect(refused.code).toBe(422);
  expect(refused.body.message).toContain(`strict decoding error: ${problems.join(', ')}`);
  const { body, warnings } = await api.send(`PATCH ${at}/a`, patch, json);
  expect(body.data).toEqual({ a: 'b' });
  expect(warnings).toEqual(problems.map((text) => `299 - "${text.replaceAll('"', '\\"')}"`));
});
