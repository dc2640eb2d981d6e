import { expect, it } from 'vitest';
import { type ClientTest, clientTest, refusal } from '../../test/support/stand-in-apiserver.ts';
import type { ConfigMap } from '../api/kinds/core-v1.ts';
import { configmaps, pods } from '../api/resources.ts';
import { ApiStatusError } from '../api/status-error.ts';
import { Client } from './client.ts';

const at = { namespace: 'default', name: 'a' };
const map: ConfigMap = { metadata: { ...at } };

/** What a call comes to. */
async function outcome<T>(test: ClientTest, body: (client: Client) => Promise<T>): Promise<T | ApiStatusError> {
  let result: T | ApiStatusError | undefined;
  test.actor.schedule(0, async () => {
    result = await body(test.client).catch((error: ApiStatusError) => error);
  });
  await test.simulation.settle();
  return result as T | ApiStatusError;
}

it('adds kind and apiVersion to what is created', async () => {
  const test = clientTest();
  expect(await outcome(test, (client) => client.resource(configmaps).create(map))).toMatchObject({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: at,
  });
});

it('rejects with the Status of a refusal', async () => {
  const error = await outcome(clientTest(), (client) => client.resource(configmaps).get(at));
  expect(error).toBeInstanceOf(ApiStatusError);
  expect(error).toMatchObject({ code: 404, reason: 'NotFound', message: 'configmaps "a" not found' });
});

it('names itself, its user and the kind of patch', async () => {
  const test = clientTest();
  test.api.put('configmaps', map);
  const user = { username: 'system:serviceaccount:default:robot', groups: [] };
  await outcome(test, (client) =>
    client
      .as(user, 'robot')
      .resource(configmaps)
      .patch(at, { data: { x: '1' } }, { type: 'apply', fieldManager: 'robot', force: true }),
  );
  expect(test.api.requests).toMatchObject([
    {
      user,
      info: { verb: 'patch', resource: 'configmaps', namespace: 'default', name: 'a' },
      headers: { userAgent: 'robot', contentType: 'application/apply-patch+yaml' },
      query: { fieldManager: 'robot', force: 'true' },
      body: { data: { x: '1' } },
    },
  ]);
});

it('sends delete options, subresources and selectors where they belong', async () => {
  const test = clientTest();
  test.api.put('pods', { ...map });
  await outcome(test, (client) => client.resource(pods).list({ namespace: 'default', labelSelector: 'app=web', limit: 5 }));
  await outcome(test, (client) => client.resource(pods).createSubresource(at, 'binding', { target: { name: 'n1' } }));
  await outcome(test, (client) => client.resource(pods).delete(at, { gracePeriodSeconds: 0, dryRun: true }));
  expect(test.api.requests.map(({ query, info, body }) => [info.verb, info.subresource, query, body])).toEqual([
    ['list', '', { labelSelector: 'app=web', limit: '5' }, undefined],
    ['create', 'binding', {}, { target: { name: 'n1' } }],
    ['delete', '', {}, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, dryRun: ['All'] }],
  ]);
});

it('comes again when kube-apiserver says when, at most ten times', async () => {
  const test = clientTest();
  test.api.intercept = () =>
    refusal(new ApiStatusError({ code: 429, reason: 'TooManyRequests', message: 'later', details: { retryAfterSeconds: 2 } }));
  expect(await outcome(test, (client) => client.resource(configmaps).list())).toMatchObject({ reason: 'TooManyRequests' });
  expect(test.api.requests.length).toBe(11);
  expect(test.simulation.now).toBeGreaterThanOrEqual(20_000);
});

it('keeps to its rate limit', async () => {
  const test = clientTest();
  const slow = new Client({ actor: test.actor, transport: test.transport, user: test.client.user, rateLimit: { qps: 10, burst: 2 } });
  const at: number[] = [];
  test.actor.schedule(0, () => {
    for (let i = 0; i < 5; i++) {
      void slow
        .resource(configmaps)
        .list()
        .then(() => at.push(test.simulation.now));
    }
  });
  await test.simulation.settle();
  expect(at).toEqual([2, 2, 102, 202, 302]);
});
