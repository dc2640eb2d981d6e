import { expect, test } from 'vitest';
import { Simulation } from '../../src/sim/simulation.ts';
import { Compacted } from './compacted.ts';
import { Etcd } from './etcd.ts';

const A = '/registry/pods/default/a';
const B = '/registry/pods/default/b';
const C = '/registry/pods/other/c';

function filled(): { etcd: Etcd; pods: ReturnType<Etcd['keyspace']> } {
  const etcd = new Etcd();
  const pods = etcd.keyspace<unknown>('/registry/pods/');
  pods.put(A, 1); // revision 2
  pods.put(B, 1); // 3
  pods.put(A, 2); // 4
  pods.delete(B); // 5
  pods.put(C, 1); // 6
  return { etcd, pods };
}

const keysAt = (pods: ReturnType<Etcd['keyspace']>, revision?: number): string[] =>
  pods.range('/registry/pods/', { revision }).versions.map(({ key, value }) => `${key.slice(15)}=${value}`);

test('one revision counts the writes of all keyspaces', () => {
  const { etcd, pods } = filled();
  const nodes = etcd.keyspace('/registry/minions/');
  expect(nodes.put('/registry/minions/n1', 1).revision).toBe(7);
  expect(etcd.revision).toBe(7);
  expect(pods.get(A)).toMatchObject({ value: 2, revision: 4, createRevision: 2 });
});

test('reads at any revision see the state of that moment', () => {
  const { pods } = filled();
  expect(keysAt(pods, 2)).toEqual(['default/a=1']);
  expect(keysAt(pods, 4)).toEqual(['default/a=2', 'default/b=1']);
  expect(keysAt(pods)).toEqual(['default/a=2', 'other/c=1']);
  expect(pods.range('/registry/pods/other/').versions).toHaveLength(1);
});

test('a range stops at its limit and says how much is left', () => {
  const { pods } = filled();
  const page = pods.range('/registry/pods/', { limit: 1 });
  expect([page.versions.length, page.remaining]).toEqual([1, 1]);
  expect(pods.range('/registry/pods/', { limit: 1, from: `${A}\0` }).versions[0]?.key).toBe(C);
});

test('since tells the writes after a revision, and compaction forgets', () => {
  const { etcd, pods } = filled();
  expect(pods.since(3).map(({ revision }) => revision)).toEqual([4, 5, 6]);
  etcd.compact(5);
  expect(() => pods.since(4)).toThrow(Compacted);
  expect(() => pods.get(A, 4)).toThrow('required revision has been compacted');
  expect(pods.since(5).map(({ revision }) => revision)).toEqual([6]);
  expect(keysAt(pods, 5)).toEqual(['default/a=2']);
});

test('watchers hear of each write with what it replaced', () => {
  const { pods } = filled();
  const seen: unknown[] = [];
  const stop = pods.watch(({ value, previous }) => seen.push([previous?.value, value]));
  pods.put(A, 3);
  pods.delete(A);
  stop();
  pods.put(A, 4);
  expect(seen).toEqual([
    [2, 3],
    [3, undefined],
  ]);
});

test('a lease deletes its key unless it was written again', async () => {
  const simulation = new Simulation({ seed: '1' });
  const actor = simulation.actor('etcd', () => {});
  actor.start();
  const etcd = new Etcd({ actor });
  const events = etcd.keyspace<number>('/registry/events/');
  etcd.expire(events, events.put('/registry/events/a', 1), 1000);
  etcd.expire(events, events.put('/registry/events/b', 1), 1000);
  await simulation.advance(500);
  etcd.expire(events, events.put('/registry/events/b', 2), 1000);
  await simulation.advance(600);
  expect(events.range('/registry/events/').versions.map(({ key }) => key)).toEqual(['/registry/events/b']);
  await simulation.advance(500);
  expect(events.size).toBe(0);
});

test('shows compacted history to those who look back, if it keeps it, and to nobody else', () => {
  const etcd = new Etcd({ keepHistory: true });
  const keys = etcd.keyspace<string>('/a/');
  const first = keys.put('/a/x', 'one').revision;
  keys.put('/a/x', 'two');
  keys.delete('/a/x');
  etcd.compact(etcd.revision);
  expect(() => keys.get('/a/x', first)).toThrow();
  expect(keys.remembered('/a/x', first)?.value).toBe('one');
  expect(keys.range('/a/', { revision: first, beyondCompaction: true }).versions.map(({ value }) => value)).toEqual(['one']);
});
