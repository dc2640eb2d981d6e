import { expect, it } from 'vitest';
import type { Pod } from '../api/kinds/core-v1.ts';
import { ObjectIndexer } from './indexer.ts';

const pod = (name: string, options: { namespace?: string; node?: string; labels?: Record<string, string> } = {}): Pod => ({
  metadata: { name, namespace: options.namespace ?? 'default', ...(options.labels ? { labels: options.labels } : {}) },
  spec: { containers: [], ...(options.node ? { nodeName: options.node } : {}) },
});
const byNode = { node: (object: Pod) => (object.spec?.nodeName ? [object.spec.nodeName] : []) };
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);

it('finds by key, namespace and index', () => {
  const store = new ObjectIndexer<Pod>(byNode);
  for (const each of [pod('a', { node: 'n1' }), pod('b', { node: 'n2' }), pod('c', { namespace: 'other', node: 'n1' }), pod('d')])
    store.put(each);
  expect(store.size).toBe(4);
  expect(store.get('other/c')?.metadata.name).toBe('c');
  expect(names(store.list())).toEqual(['a', 'b', 'c', 'd']);
  expect(names(store.listNamespace('default'))).toEqual(['a', 'b', 'd']);
  expect(names(store.byIndex('node', 'n1'))).toEqual(['a', 'c']);
  expect(store.byIndex('node', 'n9')).toEqual([]);
});

it('follows changes', () => {
  const store = new ObjectIndexer<Pod>(byNode);
  store.put(pod('a', { node: 'n1' }));
  const before = store.put(pod('a', { node: 'n2' }));
  expect(before?.spec?.nodeName).toBe('n1');
  expect(names(store.byIndex('node', 'n1'))).toEqual([]);
  expect(names(store.byIndex('node', 'n2'))).toEqual(['a']);
  expect(store.delete('default/a')?.spec?.nodeName).toBe('n2');
  expect(store.byIndex('node', 'n2')).toEqual([]);
  expect(store.listNamespace('default')).toEqual([]);
  expect(store.delete('default/a')).toBeUndefined();
});

it('shows the newest object under a value that stays', () => {
  const store = new ObjectIndexer<Pod>(byNode);
  store.put(pod('a', { node: 'n1' }));
  store.put(pod('a', { node: 'n1', labels: { x: 'y' } }));
  expect(store.byIndex('node', 'n1')[0]?.metadata.labels).toEqual({ x: 'y' });
  expect(store.listNamespace('default')[0]?.metadata.labels).toEqual({ x: 'y' });
});

it('hands out the same array until something changes', () => {
  const store = new ObjectIndexer<Pod>(byNode);
  store.put(pod('a', { node: 'n1' }));
  const first = store.byIndex('node', 'n1');
  store.put(pod('b', { node: 'n2' }));
  expect(store.byIndex('node', 'n1')).toBe(first);
  store.put(pod('c', { node: 'n1' }));
  expect(store.byIndex('node', 'n1')).not.toBe(first);
  expect(names(first)).toEqual(['a']);
});

it('files what is there under an index that comes later', () => {
  const store = new ObjectIndexer<Pod>();
  store.put(pod('a', { node: 'n1' }));
  store.addIndexers(byNode);
  expect(names(store.byIndex('node', 'n1'))).toEqual(['a']);
  expect(() => store.byIndex('label', 'x')).toThrow('index label exists');
});
