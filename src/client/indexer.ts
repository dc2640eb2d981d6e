import { type KubernetesObject, keyOf } from '../api/object.ts';
import { invariant } from '../sim/invariant.ts';

/** The values under which an object is found in one index. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** The read side of a cache of objects by key: what client-go calls a lister. Objects are shared and frozen. */
export interface Indexer<T extends KubernetesObject> {
  readonly size: number;
  /** By `namespace/name`, or `name`. */
  get(key: string): T | undefined;
  list(): readonly T[];
  listNamespace(namespace: string): readonly T[];
  /** The objects that index `name` files under `value`. */
  byIndex(name: string, value: string): readonly T[];
  keys(): Iterable<string>;
}

const NONE: readonly never[] = [];

/** Objects by key, and the same as an array that is made anew only after a change. */
class Bucket<T> {
  readonly items = new Map<string, T>();
  #array: readonly T[] | undefined;

  set(key: string, object: T): void {
    this.items.set(key, object);
    this.#array = undefined;
  }

  delete(key: string): void {
    this.items.delete(key);
    this.#array = undefined;
  }

  get array(): readonly T[] {
    this.#array ??= [...this.items.values()];
    return this.#array;
  }
}

/** A bucket for each value; empty ones are dropped. */
class Buckets<T> {
  readonly #buckets = new Map<string, Bucket<T>>();

  get(value: string): readonly T[] {
    return this.#buckets.get(value)?.array ?? NONE;
  }

  set(value: string, key: string, object: T): void {
    let bucket = this.#buckets.get(value);
    if (!bucket) {
      bucket = new Bucket();
      this.#buckets.set(value, bucket);
    }
    bucket.set(key, object);
  }

  delete(value: string, key: string): void {
    const bucket = this.#buckets.get(value);
    bucket?.delete(key);
    if (bucket?.items.size === 0) this.#buckets.delete(value);
  }
}

class Index<T> {
  readonly buckets = new Buckets<T>();
  readonly #valuesOf: IndexFunction<T>;

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  update(key: string, before: T | undefined, after: T | undefined): void {
    const next = after === undefined ? NONE : this.#valuesOf(after);
    if (before !== undefined) {
      for (const value of this.#valuesOf(before)) {
        if (!next.includes(value)) this.buckets.delete(value, key);
      }
    }
    if (after === undefined) return;
    for (const value of next) this.buckets.set(value, key, after);
  }
}

/**
 * A cache of objects with indexes: client-go tools/cache Indexer (ThreadSafeStore). Arrays that it hands out are kept until the next change, so that
 * reading one again costs nothing.
 * @example const store = new ObjectIndexer<Pod>({ node: (pod) => [pod.spec?.nodeName ?? ''] }); store.byIndex('node', 'n1');
 */
export class ObjectIndexer<T extends KubernetesObject> implements Indexer<T> {
  readonly #all = new Bucket<T>();
  /** Made when somebody asks for the objects of a namespace. */
  #namespaces: Buckets<T> | undefined;
  readonly #indexes = new Map<string, Index<T>>();

  constructor(indexers: Readonly<Record<string, IndexFunction<T>>> = {}) {
    this.addIndexers(indexers);
  }

  get size(): number {
    return this.#all.items.size;
  }

  get(key: string): T | undefined {
    return this.#all.items.get(key);
  }

  list(): readonly T[] {
    return this.#all.array;
  }

  listNamespace(namespace: string): readonly T[] {
    this.#namespaces ??= this.#byNamespace();
    return this.#namespaces.get(namespace);
  }

  byIndex(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name);
    invariant(index, `index ${name} exists`);
    return index.buckets.get(value);
  }

  keys(): Iterable<string> {
    return this.#all.items.keys();
  }

  /** Adds indexes; objects that are there already are filed under them. An index that exists under the name stays. */
  addIndexers(indexers: Readonly<Record<string, IndexFunction<T>>>): void {
    for (const [name, valuesOf] of Object.entries(indexers)) {
      if (this.#indexes.has(name)) continue;
      const index = new Index(valuesOf);
      for (const [key, object] of this.#all.items) index.update(key, undefined, object);
      this.#indexes.set(name, index);
    }
  }

  #byNamespace(): Buckets<T> {
    const namespaces = new Buckets<T>();
    for (const [key, object] of this.#all.items) namespaces.set(object.metadata.namespace ?? '', key, object);
    return namespaces;
  }

  /** Puts the object in; returns what was there under its key. */
  put(object: T, key = keyOf(object)): T | undefined {
    const before = this.#all.items.get(key);
    this.#all.set(key, object);
    this.#namespaces?.set(object.metadata.namespace ?? '', key, object);
    for (const index of this.#indexes.values()) index.update(key, before, object);
    return before;
  }

  /** Takes the object out; returns it. */
  delete(key: string): T | undefined {
    const before = this.#all.items.get(key);
    if (before === undefined) return undefined;
    this.#all.delete(key);
    this.#namespaces?.delete(before.metadata.namespace ?? '', key);
    for (const index of this.#indexes.values()) index.update(key, before, undefined);
    return before;
  }
}
