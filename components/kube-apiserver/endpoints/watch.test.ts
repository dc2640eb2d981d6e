import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { WatchEvent } from '../../../src/api/request.ts';
import { TestApiserver } from '../../../test/support/apiserver.ts';
import { requestInfoOf } from '../request-info.ts';

const ADMIN = { username: 'admin', groups: ['system:masters'] };
const SECRETS = '/api/v1/namespaces/default/secrets';

/** Opens a watch and shows each event in a word. */
async function watch(api: TestApiserver, query: Record<string, string>, path = SECRETS): Promise<string[]> {
  const seen: string[] = [];
  const all = { watch: 'true', ...query };
  const response = await api.apiserver.handle({ info: requestInfoOf('GET', path, all), query: all, headers: {}, user: ADMIN, traced: 0 });
  response.watch?.start({
    next: ({ type, object }: WatchEvent) => {
      const { metadata, message } = object as KubernetesObject & { message?: string };
      seen.push(`${type} ${message ?? metadata.name ?? (metadata.annotations ? 'initial events end' : '')}`.trim());
    },
    end: () => seen.push('end'),
  });
  return seen;
}

const create = (api: TestApiserver, name: string): Promise<{ body: KubernetesObject }> =>
  api.send(`POST ${SECRETS}`, { metadata: { name } });

test('without a version it begins with what is there', async () => {
  const api = new TestApiserver();
  await create(api, 'a');
  const seen = await watch(api, { allowWatchBookmarks: 'true' });
  await create(api, 'b');
  expect(seen).toEqual(['ADDED a', 'BOOKMARK initial events end', 'ADDED b']);
});

test('from a version it tells everything after it, lost in between or not', async () => {
  const api = new TestApiserver();
  const { body } = await create(api, 'a');
  await create(api, 'b');
  await api.send(`DELETE ${SECRETS}/a`);
  expect(await watch(api, { resourceVersion: body.metadata.resourceVersion ?? '' })).toEqual(['ADDED b', 'DELETED a']);
});

test('a version that is forgotten ends the watch with an error', async () => {
  const api = new TestApiserver();
  expect(await watch(api, { resourceVersion: '1' })).toEqual([`ERROR too old resource version: 1 (${api.etcd.compactRevision})`, 'end']);
});

test('it ends after its time, with bookmarks each minute and before the end', async () => {
  const api = new TestApiserver();
  const seen = await watch(api, {
    resourceVersion: '0',
    sendInitialEvents: 'false',
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: 'true',
    timeoutSeconds: '90',
  });
  await api.simulation.advance(61_000);
  expect(seen).toEqual(['BOOKMARK']);
  await api.simulation.advance(30_000);
  expect(seen).toEqual(['BOOKMARK', 'BOOKMARK', 'end']);
});

test('watches of one object or one node hear of nothing else', async () => {
  const api = new TestApiserver();
  const one = await watch(api, { fieldSelector: 'metadata.name=a' });
  const node = await watch(api, { fieldSelector: 'spec.nodeName=n1' }, '/api/v1/pods');
  await create(api, 'a');
  await create(api, 'b');
  await api.send('POST /api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  for (const [name, nodeName] of [
    ['p', 'n1'],
    ['q', 'n2'],
  ]) {
    await api.send('POST /api/v1/namespaces/default/pods', {
      metadata: { name },
      spec: { nodeName, containers: [{ name: 'c', image: 'i' }] },
    });
  }
  expect([one, node]).toEqual([['ADDED a'], ['ADDED p']]);
});
