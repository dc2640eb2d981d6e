// Goal: many at once lose nothing and see everything in order. Method: a thousand watches, and a hundred writers at a time, in process and over HTTP; what they were answered and what
// they saw is held against what the store says.
import { expect, it } from 'vitest';
import type { ConfigMap } from '../src/api/kinds/core-v1.ts';
import type { WatchEvent } from '../src/api/request.ts';
import { configmaps } from '../src/api/resources.ts';
import { Cluster } from '../src/cluster/cluster.ts';
import { KUBERNETES_ADMIN } from '../src/cluster/users.ts';
import { ApiServer } from '../src/server/api-server.ts';

const WATCHES = 1_000;
const WRITERS = 100;
const WRITES = 10;
/** So many of those over HTTP write to one object too: each round of them costs a request of each. */
const SHARING = 20;
const PATH = '/api/v1/namespaces/default/configmaps';

async function settledCluster(): Promise<Cluster> {
  const cluster = new Cluster({ nodes: 0, trace: 'full', stages: false, history: true });
  await cluster.settle();
  return cluster;
}

const newMap = (name: string): ConfigMap => ({ metadata: { name, namespace: 'default' }, data: { count: '0' } });

const versionOf = ({ metadata }: ConfigMap): number => Number(metadata.resourceVersion);

/** Every write to the maps of the test, as the store has it: `revision name`, in order. */
function written({ etcd }: Cluster, since: number): string[] {
  const prefix = '/registry/configmaps/';
  const versions = etcd.keyspace<ConfigMap>(prefix).since(since);
  return versions.map(
    ({ key, revision, value }) => `${value ? 'written' : 'deleted'} ${key.slice(`${prefix}default/`.length)} ${revision}`,
  );
}

const seen = ({ type, object }: WatchEvent): string => {
  const map = object as ConfigMap;
  return `${type === 'DELETED' ? 'deleted' : 'written'} ${map.metadata.name} ${map.metadata.resourceVersion}`;
};

it('a thousand watches see every event in order', async () => {
  const cluster = await settledCluster();
  const start = cluster.etcd.revision;
  const heard: string[][] = [];
  for (let index = 0; index < WATCHES; index++) {
    const events: string[] = [];
    heard.push(events);
    cluster
      .addProcess(`watcher-${index}`, KUBERNETES_ADMIN, async (_, client) => {
        const sink = { next: (event: WatchEvent) => void events.push(seen(event)), end: () => {} };
        await client.resource(configmaps).watch({ namespace: 'default', resourceVersion: String(start) }, sink);
      })
      .start();
  }
  cluster
    .addProcess('writer', KUBERNETES_ADMIN, async (_, client) => {
      const maps = client.resource(configmaps);
      for (let index = 0; index < 10; index++) {
        const map = await maps.create(newMap(`m-${index}`));
        await maps.update({ ...map, data: { count: '1' } });
        if (index % 2 === 0) await maps.delete({ namespace: 'default', name: `m-${index}` });
      }
    })
    .start();
  await cluster.settle();
  const events = written(cluster, start);
  expect(events).toHaveLength(25);
  expect(heard.filter((one) => one.join('\n') !== events.join('\n'))).toEqual([]);
});

/** That each count is as high as writes were answered, each answer had a version of its own, and the store holds these versions and no others. */
function assertNothingLost(
  cluster: Cluster,
  since: number,
  { answers, sharing }: { readonly answers: readonly ConfigMap[]; readonly sharing: number },
): void {
  const versions = answers.map(versionOf).sort((a, b) => a - b);
  expect(new Set(versions).size).toBe(versions.length);
  expect(written(cluster, since).map((line) => Number(line.split(' ')[2]))).toEqual(versions);
  const prefix = '/registry/configmaps/default/';
  const maps = cluster.etcd
    .keyspace<ConfigMap>('/registry/configmaps/')
    .range(prefix)
    .versions.map(({ value }) => value);
  expect(maps.filter((map) => map?.metadata.name?.startsWith('m-')).map((map) => map?.data?.['count'])).toEqual(
    Array.from({ length: WRITERS }, () => String(WRITES)),
  );
  expect(maps.find((map) => map?.metadata.name === 'shared')?.data?.['count']).toBe(String(sharing));
}

it('a hundred writers at once lose nothing', async () => {
  const cluster = await settledCluster();
  const start = cluster.etcd.revision;
  const answers: ConfigMap[] = [];
  let conflicts = 0;
  for (let index = 0; index < WRITERS; index++) {
    cluster
      .addProcess(`writer-${index}`, KUBERNETES_ADMIN, async (_, client) => {
        const maps = client.resource(configmaps);
        let map = await maps.create(newMap(`m-${index}`));
        answers.push(map);
        for (let count = 1; count <= WRITES; count++) {
          map = await maps.update({ ...map, data: { count: String(count) } });
          answers.push(map);
        }
        if (index === 0) answers.push(await maps.create(newMap('shared')));
        // All of them count in one object: who comes too late reads again.
        for (let done = false; !done; ) {
          const shared = await maps.get({ namespace: 'default', name: 'shared' }).catch(() => undefined);
          const next = shared && { ...shared, data: { count: String(Number(shared.data?.['count']) + 1) } };
          const answer = next && (await maps.update(next).catch(() => undefined));
          if (answer) answers.push(answer);
          else conflicts++;
          done = answer !== undefined;
        }
      })
      .start();
  }
  await cluster.settle();
  assertNothingLost(cluster, start, { answers, sharing: WRITERS });
  expect(conflicts).toBeGreaterThan(0);
});

it('nor do a hundred clients over HTTP', async () => {
  const cluster = await settledCluster();
  const fail = (error: unknown): void => {
    throw error;
  };
  const server = new ApiServer({ cluster, speed: 0, keepInputs: false, onFailure: fail, insecurePort: 0 });
  const { insecure } = await server.start();
  const start = cluster.etcd.revision;
  const send = async (method: string, path: string, body?: object): Promise<{ status: number; map: ConfigMap }> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${insecure}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: response.status, map: (await response.json()) as ConfigMap };
  };
  const answers: ConfigMap[] = [(await send('POST', PATH, newMap('shared'))).map];
  const write = async (index: number): Promise<void> => {
    let { map } = await send('POST', PATH, newMap(`m-${index}`));
    answers.push(map);
    for (let count = 1; count <= WRITES; count++) {
      ({ map } = await send('PUT', `${PATH}/m-${index}`, { ...map, data: { count: String(count) } }));
      answers.push(map);
    }
    for (let status = index < SHARING ? 0 : 200; status !== 200; ) {
      const { map: shared } = await send('GET', `${PATH}/shared`);
      const answer = await send('PUT', `${PATH}/shared`, { ...shared, data: { count: String(Number(shared.data?.['count']) + 1) } });
      ({ status } = answer);
      if (status === 200) answers.push(answer.map);
      else expect(status).toBe(409);
    }
  };
  try {
    await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(index)));
    assertNothingLost(cluster, start, { answers, sharing: SHARING });
  } finally {
    await server.stop();
  }
});
