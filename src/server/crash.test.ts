// Goal: who is connected over HTTP notices that kube-apiserver went down. Method: a crash and a restart between two watches.
import { afterEach, expect, test } from 'vitest';
import { Cluster } from '../cluster/cluster.ts';
import { ApiServer } from './api-server.ts';

let server: ApiServer | undefined;
afterEach(() => server?.stop());

test('connections break when kube-apiserver goes down, and new ones hear everything after it is up again', async () => {
  const cluster = new Cluster({ nodes: 0 });
  await cluster.settle();
  const fail = (error: unknown): void => {
    throw error;
  };
  server = new ApiServer({ cluster, speed: 0, keepInputs: false, onFailure: fail, insecurePort: 0 });
  const maps = `${(await server.start()).insecure}/api/v1/namespaces/default/configmaps`;
  const watch = async (): Promise<ReadableStreamDefaultReader<Uint8Array> | undefined> =>
    (await fetch(`${maps}?watch=1&resourceVersion=${cluster.etcd.revision}`)).body?.getReader();
  const before = await watch();
  await server.pump.enter(() => {
    cluster.fault({ fault: 'crash', component: 'kube-apiserver' });
    cluster.fault({ fault: 'restart', component: 'kube-apiserver' });
  }, 1_000);
  const ended = await before?.read().then(
    ({ done }) => done,
    () => true,
  );
  expect(ended).toBe(true);
  const after = await watch();
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(maps, { method: 'POST', headers, body: '{"metadata":{"name":"a"}}' })).status).toBe(201);
  const { value } = (await after?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toContain('"name":"a"');
  await after?.cancel();
});
