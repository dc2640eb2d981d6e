import { expect, test } from 'vitest';
import { decodeProtobuf } from '../../../src/api/protobuf/decode.ts';
import { encodeProtobuf } from '../../../src/api/protobuf/encode.ts';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const MAPS = 'http://apiserver/api/v1/namespaces/default/configmaps';
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };

test('objects, lists and refusals go in and out in protobuf', async () => {
  const { apiserver } = new TestApiserver();
  const headers = { accept: `${PROTOBUF},application/json`, 'content-type': PROTOBUF };
  const created = await apiserver.fetch(new Request(MAPS, { method: 'POST', headers, body: encodeProtobuf(map) }));
  expect([created.status, created.headers.get('content-type')]).toEqual([201, PROTOBUF]);
  expect(decodeProtobuf(new Uint8Array(await created.arrayBuffer()))).toMatchObject({ kind: 'ConfigMap', data: { k: 'v' } });
  const list = await apiserver.fetch(new Request(MAPS, { headers: { accept: PROTOBUF } }));
  expect(decodeProtobuf(new Uint8Array(await list.arrayBuffer()))).toMatchObject({ kind: 'ConfigMapList', items: [{ data: { k: 'v' } }] });
  const missing = await apiserver.fetch(new Request(`${MAPS}/none`, { headers: { accept: PROTOBUF } }));
  expect(decodeProtobuf(new Uint8Array(await missing.arrayBuffer()))).toMatchObject({ kind: 'Status', code: 404 });
});

test('a watch comes in frames', async () => {
  const { apiserver } = new TestApiserver();
  await apiserver.fetch(new Request(MAPS, { method: 'POST', headers: { 'content-type': PROTOBUF }, body: encodeProtobuf(map) }));
  const stop = new AbortController();
  const watch = await apiserver.fetch(new Request(`${MAPS}?watch=1`, { headers: { accept: PROTOBUF }, signal: stop.signal }));
  expect(watch.headers.get('content-type')).toBe(`${PROTOBUF};stream=watch`);
  const { value = new Uint8Array() } = (await watch.body?.getReader().read()) ?? {};
  expect(new DataView(value.buffer, value.byteOffset).getUint32(0)).toBe(value.length - 4);
  expect(new TextDecoder().decode(value)).toContain('ADDED');
  stop.abort();
});

test('a Table has no such form', async () => {
  const { apiserver } = new TestApiserver();
  const accept = `${PROTOBUF};as=Table;g=meta.k8s.io;v=v1`;
  const refused = await apiserver.fetch(new Request(MAPS, { headers: { accept } }));
  expect(refused.status).toBe(406);
});
