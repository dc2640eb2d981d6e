import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const names = (body: { items: { metadata: { name: string } }[] }): string => body.items.map(({ metadata }) => metadata.name).join('');

async function filled(): Promise<TestApiserver> {
  const api = new TestApiserver();
  for (const name of ['c', 'a', 'b', 'd']) await api.send(`POST ${MAPS}`, { metadata: { name, labels: { vowel: String(name === 'a') } } });
  return api;
}

test('pages belong to one revision', async () => {
  const api = await filled();
  const first = (await api.send(`GET ${MAPS}?limit=2`)).body;
  expect([names(first), first.metadata.remainingItemCount]).toEqual(['ab', 2]);
  await api.send(`DELETE ${MAPS}/c`);
  const second = (await api.send(`GET ${MAPS}?limit=2&continue=${first.metadata.continue}`)).body;
  expect([names(second), second.metadata.resourceVersion, second.metadata.continue]).toEqual([
    'cd',
    first.metadata.resourceVersion,
    undefined,
  ]);
});

test('a page whose revision is forgotten offers to go on inconsistently', async () => {
  const api = await filled();
  const first = (await api.send(`GET ${MAPS}?limit=2`)).body;
  await api.send(`DELETE ${MAPS}/c`);
  api.etcd.compact(api.etcd.revision);
  const expired = await api.send(`GET ${MAPS}?limit=2&continue=${first.metadata.continue}`);
  expect([expired.code, expired.body.reason]).toEqual([410, 'Expired']);
  expect(names((await api.send(`GET ${MAPS}?continue=${expired.body.metadata.continue}`)).body)).toBe('d');
});

test('versions: exactly, not older than, any', async () => {
  const api = await filled();
  const { resourceVersion } = (await api.send(`GET ${MAPS}`)).body.metadata;
  await api.send(`DELETE ${MAPS}/a`);
  expect(names((await api.send(`GET ${MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`)).body)).toBe('abcd');
  expect(names((await api.send(`GET ${MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=NotOlderThan`)).body)).toBe('bcd');
  expect(names((await api.send(`GET ${MAPS}?resourceVersion=0&limit=1`)).body)).toBe('bcd');
  expect((await api.send(`GET ${MAPS}?resourceVersion=999999`)).body.message).toMatch(
    /^Timeout: Too large resource version: 999999, current: /,
  );
});

test('selectors by label and field', async () => {
  const api = await filled();
  expect(names((await api.send(`GET ${MAPS}?labelSelector=vowel%3Dtrue`)).body)).toBe('a');
  expect(names((await api.send(`GET ${MAPS}?fieldSelector=metadata.name!%3Da`)).body)).toBe('bcd');
  expect((await api.send(`GET ${MAPS}?fieldSelector=data.x%3D1`)).body.message).toBe(
    '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  );
});

test('a page of a revision that is to come is not there', async () => {
  const api = await filled();
  const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1_000_000, start: 'a\0' })).toString('base64url');
  const { code, body } = await api.send(`GET ${MAPS}?continue=${token}`);
  expect([code, body.message]).toEqual([504, `Timeout: Too large resource version: 1000000, current: ${api.etcd.revision}`]);
});
