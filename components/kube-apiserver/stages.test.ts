import { expect, test } from 'vitest';
import { TestApiserver } from '../../test/support/apiserver.ts';

/** The way of the last request, a line for each trace entry. */
function wayOfLastRequest({ simulation: { trace } }: TestApiserver): string[] {
  const start = trace.entries.findLastIndex(({ kind }) => kind === 'request');
  const request = trace.entries[start]?.seq;
  return trace.entries.slice(start).flatMap((entry) => {
    if (entry.kind === 'request') return [`request ${entry.verb}`];
    if (entry.kind === 'stage' && entry.request === request) return [`${entry.stage} ${entry.outcome}`];
    if (entry.kind === 'write' && entry.cause === request) return [`write ${entry.verb} ${entry.object.name}`];
    return entry.kind === 'response' && entry.request === request ? [`response ${entry.code}`] : [];
  });
}

test('a create goes through every stage', async () => {
  const api = new TestApiserver();
  await api.send('POST /api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  expect(wayOfLastRequest(api)).toEqual([
    'request create',
    'authentication ok',
    'authorization ok',
    'decoding ok',
    'mutating-admission ok',
    'validation ok',
    'validating-admission ok',
    'write create a',
    'storage ok',
    'response 201',
  ]);
});

test('a refused request ends at the stage that refuses', async () => {
  const api = new TestApiserver();
  await api.send('POST /api/v1/namespaces/none/configmaps', { metadata: { name: 'a' } });
  expect(wayOfLastRequest(api).slice(-2)).toEqual(['mutating-admission refused', 'response 404']);
  await api.send('POST /api/v1/namespaces/default/configmaps', { metadata: { name: 'A' } });
  expect(wayOfLastRequest(api).slice(-2)).toEqual(['validation refused', 'response 422']);
});

test('where only refusals are wanted, the rest leaves no trace', async () => {
  const api = new TestApiserver({ stages: 'refused' });
  await api.send('POST /api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  expect(wayOfLastRequest(api)).toEqual(['request create', 'write create a', 'response 201']);
});
