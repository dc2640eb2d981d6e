import { describe, expect, it } from 'vitest';
import { type ClientTest, clientTest, refusal } from '../../test/support/stand-in-apiserver.ts';
import type { ConfigMap } from '../api/kinds/core-v1.ts';
import { configmaps } from '../api/resources.ts';
import { ApiStatusError } from '../api/status-error.ts';
import { SharedInformer } from './informer.ts';
import { SharedInformerFactory } from './informer-factory.ts';

const RESOURCE = 'configmaps';
const map = (name: string, value = ''): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { value },
});

interface InformerTest extends ClientTest {
  readonly log: string[];
  readonly informer: () => SharedInformer<ConfigMap>;
}

/** A process with an informer that logs what its handler hears. */
function informerTest(options: { readonly watchList?: boolean } = {}): InformerTest {
  const log: string[] = [];
  let informer: SharedInformer<ConfigMap>;
  const test = clientTest(({ client }) => {
    const own = new SharedInformer({ client: client.resource(configmaps), ...options });
    informer = own;
    const cached = (object: ConfigMap) => own.store.get(`default/${object.metadata.name}`)?.data?.value ?? '-';
    own.addEventHandler({
      onAdd: (object, initial) =>
        log.push(`add ${object.metadata.name}=${object.data?.value}${initial ? ' (initial)' : ''}, cached ${cached(object)}`),
      onUpdate: (before, after) =>
        log.push(`update ${after.metadata.name} ${before.data?.value}->${after.data?.value}, cached ${cached(after)}`),
      onDelete: (last) => log.push(`delete ${last.metadata.name}=${last.data?.value}, cached ${cached(last)}`),
    });
    own.start();
  });
  return { ...test, log, informer: () => informer };
}

/** What the informer asked since the last call. */
const taken = (list: unknown[]) => list.splice(0);

describe('SharedInformer', () => {
  it('lists, watches, and tells of each change after its cache shows it', async () => {
    const { api, simulation, log, informer } = informerTest();
    api.put(RESOURCE, map('a', '1'));
    await simulation.settle();
    expect(informer().hasSynced).toBe(true);
    expect(api.log).toEqual(['list configmaps', 'watch configmaps']);
    api.put(RESOURCE, map('b', '1'));
    api.put(RESOURCE, map('a', '2'));
    api.remove(RESOURCE, 'default/b');
    await simulation.settle();
    expect(log).toEqual(['add a=1 (initial), cached 1', 'add b=1, cached 1', 'update a 1->2, cached 2', 'delete b=1, cached -']);
    expect(informer().store.list().length).toBe(1);
  });

  it('asks for any cached version first, then from the version it has, with bookmarks', async () => {
    const { api, simulation } = informerTest();
    api.put(RESOURCE, map('a'));
    await simulation.settle();
    const [list, watch] = api.requests;
    expect(list?.query).toEqual({ resourceVersion: '0' });
    expect(watch?.query).toMatchObject({ watch: 'true', resourceVersion: '101', allowWatchBookmarks: 'true' });
    const timeout = Number(watch?.query.timeoutSeconds);
    expect(timeout).toBeGreaterThanOrEqual(300);
    expect(timeout).toBeLessThan(600);
  });

  it('tells a late handler of what is there', async () => {
    const { api, simulation, informer } = informerTest();
    api.put(RESOURCE, map('a'));
    await simulation.settle();
    const heard: string[] = [];
    informer().addEventHandler({ onAdd: (object, initial) => heard.push(`${object.metadata.name} ${initial}`) });
    expect(heard).toEqual(['a true']);
  });

  it('resyncs in the background', async () => {
    const { api, simulation, informer } = informerTest();
    api.put(RESOURCE, map('a'));
    await simulation.settle();
    const heard: boolean[] = [];
    informer().addEventHandler({ onUpdate: (before, after) => heard.push(before === after) }, { resyncMs: 60_000 });
    await simulation.settle();
    expect(heard).toEqual([]);
    await simulation.advance(120_000);
    expect(heard).toEqual([true, true]);
  });
});

describe('with watchList', () => {
  it('gets the first state by the watch, which goes on', async () => {
    const { api, simulation, log, informer } = informerTest({ watchList: true });
    api.put(RESOURCE, map('a', '1'));
    api.put(RESOURCE, map('b', '1'));
    await simulation.settle();
    expect(informer().hasSynced).toBe(true);
    api.put(RESOURCE, map('b', '2'));
    await simulation.settle();
    expect(api.log).toEqual(['watch configmaps']);
    expect(api.requests[0]?.query).toMatchObject({
      resourceVersion: '',
      resourceVersionMatch: 'NotOlderThan',
      sendInitialEvents: 'true',
      allowWatchBookmarks: 'true',
    });
    expect(log).toEqual(['add a=1 (initial), cached 1', 'add b=1 (initial), cached 1', 'update b 1->2, cached 2']);
  });

  it('is in step with nothing, too', async () => {
    const { simulation, informer } = informerTest({ watchList: true });
    await simulation.settle();
    expect(informer().hasSynced).toBe(true);
  });

  it('falls back to a list when that is refused', async () => {
    const { api, simulation, informer } = informerTest({ watchList: true });
    api.intercept = ({ query }) =>
      query.sendInitialEvents
        ? refusal(new ApiStatusError({ code: 422, reason: 'Invalid', message: 'sendInitialEvents is forbidden for watch' }))
        : undefined;
    await simulation.settle();
    expect(informer().hasSynced).toBe(true);
    expect(api.log).toEqual(['watch configmaps', 'list configmaps', 'watch configmaps']);
  });
});

describe('after a watch has ended', () => {
  it('watches again from where it was when the end was in order', async () => {
    const { api, simulation } = informerTest();
    await simulation.settle();
    await simulation.advance(5_000);
    api.put(RESOURCE, map('a'));
    await simulation.settle();
    taken(api.requests);
    api.endWatches();
    await simulation.settle();
    expect(api.log).toEqual(['watch configmaps']);
    expect(api.requests[0]?.query.resourceVersion).toBe('101');
  });

  it('lists anew after a back-off when it had ended at once without an event', async () => {
    const { api, simulation } = informerTest();
    await simulation.settle();
    taken(api.requests);
    const before = simulation.now;
    api.endWatches();
    await simulation.settle();
    expect(api.log).toEqual(['list configmaps', 'watch configmaps']);
    expect(simulation.now - before).toBeGreaterThanOrEqual(800);
  });

  it('finds out by a new list what it has missed: deletions first, with the last state known', async () => {
    const { api, simulation, log } = informerTest();
    for (const name of ['a', 'b', 'c']) api.put(RESOURCE, map(name, '1'));
    await simulation.settle();
    taken(log);
    api.remove(RESOURCE, 'default/b', true);
    api.put(RESOURCE, map('c', '2'), true);
    api.put(RESOURCE, map('d', '1'), true);
    api.endWatches(new ApiStatusError({ code: 410, reason: 'Expired', message: 'too old resource version: 100 (101)' }));
    await simulation.settle();
    expect(log).toEqual(['delete b=1, cached -', 'update a 1->1, cached 1', 'update c 1->2, cached 2', 'add d=1, cached 1']);
  });
});

describe('when kube-apiserver refuses', () => {
  it('lists the newest when the version it asked for is gone', async () => {
    const { api, simulation } = informerTest();
    await simulation.settle();
    taken(api.requests);
    api.intercept = ({ info, query }) =>
      info.verb === 'list' && query.resourceVersion !== ''
        ? refusal(new ApiStatusError({ code: 410, reason: 'Expired', message: 'The resourceVersion for the provided list is too old.' }))
        : undefined;
    api.endWatches(new ApiStatusError({ code: 410, reason: 'Expired', message: 'too old' }));
    await simulation.settle();
    expect(api.requests.map(({ info, query }) => `${info.verb} ${query.resourceVersion}`)).toEqual(['list 100', 'list ', 'watch 100']);
  });

  it('watches again without a list after 429', async () => {
    const { api, simulation } = informerTest();
    let refusals = 2;
    api.intercept = ({ info }) =>
      info.verb === 'watch' && refusals-- > 0
        ? refusal(new ApiStatusError({ code: 429, reason: 'TooManyRequests', message: 'slow down' }))
        : undefined;
    await simulation.settle();
    expect(api.log).toEqual(['list configmaps', 'watch configmaps', 'watch configmaps', 'watch configmaps']);
  });

  it('lists anew after an internal error, each time later', async () => {
    const { api, simulation } = informerTest();
    let refusals = 4;
    const at: number[] = [];
    api.intercept = ({ info }) => {
      if (info.verb !== 'list') return undefined;
      at.push(simulation.now);
      return refusals-- > 0 ? refusal(new ApiStatusError({ code: 500, reason: 'InternalError', message: 'oops' })) : undefined;
    };
    await simulation.settle();
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(800 * 2 ** index);
      expect(gap).toBeLessThanOrEqual(1_600 * 2 ** index + 2);
    }
  });
});

it('is settled when what it wants is refused for good, and goes on trying', async () => {
  const { api, simulation, informer } = informerTest();
  api.intercept = ({ info }) => refusal(new ApiStatusError({ code: 403, reason: 'Forbidden', message: `${info.resource} is forbidden` }));
  await simulation.settle();
  expect(api.requests.length).toBe(6);
  api.intercept = () => undefined;
  await simulation.advance(60_000);
  expect(informer().hasSynced).toBe(true);
});

describe('when kube-apiserver is down', () => {
  it('is settled until it is back, then catches up', async () => {
    const { api, simulation, server, network, log } = informerTest();
    api.put(RESOURCE, map('a', '1'));
    await simulation.settle();
    await simulation.advance(5_000);
    network.closeAll();
    server.crash();
    await simulation.settle();
    await simulation.advance(20_000);
    taken(log);
    api.put(RESOURCE, map('a', '2'));
    taken(api.requests);
    server.start();
    await simulation.settle();
    expect(api.log).toEqual(['watch configmaps']);
    expect(log).toEqual([]);
  });

  it('catches up when the way to it is cut and healed while a request waits', async () => {
    const { api, simulation, network, log } = informerTest();
    await simulation.settle();
    await simulation.advance(5_000);
    network.cut('tester');
    await simulation.advance(2);
    api.put(RESOURCE, map('a', '1'));
    network.restore('tester');
    await simulation.settle();
    expect(log).toEqual(['add a=1, cached 1']);
  });
});

describe('SharedInformerFactory', () => {
  it('has one informer for each resource', async () => {
    let synced = false;
    const { api, simulation } = clientTest(async ({ client }) => {
      const factory = new SharedInformerFactory(client);
      expect(factory.forResource(configmaps)).toBe(factory.forResource(configmaps));
      factory.start();
      await factory.waitForCacheSync();
      synced = true;
    });
    await simulation.settle();
    expect(synced).toBe(true);
    expect(api.log).toEqual(['list configmaps', 'watch configmaps']);
  });
});

it('serves 10,000 objects quickly', async () => {
  let heard = 0;
  const { api, simulation } = clientTest(({ client }) => {
    const informer = new SharedInformer({ client: client.resource(configmaps), indexers: { value: ({ data }) => [data?.value ?? ''] } });
    informer.addEventHandler({ onAdd: () => heard++, onUpdate: () => heard++ });
    informer.start();
  });
  for (let i = 0; i < 10_000; i++) api.put(RESOURCE, map(`m${i}`, String(i % 100)));
  await simulation.settle();
  const before = performance.now();
  for (let i = 0; i < 10_000; i++) api.put(RESOURCE, map(`m${i}`, String(i % 7)));
  await simulation.settle();
  expect(heard).toBe(20_000);
  expect(performance.now() - before).toBeLessThan(2_000);
});
