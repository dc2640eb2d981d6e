import { inOnePiece } from '../../src/api/one-piece.ts';
import { invariant } from '../../src/sim/invariant.ts';
import { Compacted } from './compacted.ts';
import { lowerBound, SortedKeys } from './sorted-keys.ts';

/** One version of one key; a version without value is a deletion. The chain of `previous` is the history of the key. etcd api/mvccpb.KeyValue */
export interface Version<V = unknown> {
  readonly key: string;
  readonly value: V | undefined;
  /** The revision of the store at which this version was written. */
  readonly revision: number;
  /** The revision at which the key was created. */
  readonly createRevision: number;
  readonly previous: Version<V> | undefined;
}

export interface RangeOptions {
  /** State at this revision; the present if absent. */
  readonly revision?: number | undefined;
  /** First key to return; keys before it are skipped. */
  readonly from?: string | undefined;
  readonly limit?: number | undefined;
  /** Not for clients of the store: reads what was compacted too, if the store keeps it. */
  readonly beyondCompaction?: boolean | undefined;
}

export interface RangeResult<V> {
  readonly versions: Version<V>[];
  /** Keys after the last one returned. */
  readonly remaining: number;
  readonly revision: number;
}

/** The counters that all keyspaces of a store share. */
export interface Revisions {
  current: number;
  compacted: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The keys of a store that begin with one prefix, e.g. `/registry/pods/`. Each write is one revision of the whole store. */
export class Keyspace<V = unknown> {
  readonly prefix: string;
  readonly #revisions: Revisions;
  readonly #latest = new Map<string, Version<V>>();
  readonly #live = new SortedKeys();
  /** Keys with a history, deleted ones included. */
  readonly #known = new SortedKeys();
  /** Every write since the last compaction, in order. */
  #log: Version<V>[] = [];
  readonly #watchers = new Set<(version: Version<V>) => void>();

  /** @internal Use `Etcd.keyspace`. */
  constructor(prefix: string, revisions: Revisions) {
    this.prefix = prefix;
    this.#revisions = revisions;
  }

  /** Number of keys that exist. */
  get size(): number {
    return this.#live.size;
  }

  /** The version of a key at a revision (the present one if absent); undefined if it does not exist then. */
  get(key: string, revision?: number): Version<V> | undefined {
    if (revision === undefined) return existing(this.#latest.get(key));
    this.#assertKept(revision);
    return this.remembered(key, revision);
  }

  /** The version of a key at a revision, compacted or not, as far as the store keeps it: for looking back, not for clients of the store. */
  remembered(key: string, revision: number): Version<V> | undefined {
    let version = this.#latest.get(key);
    while (version && version.revision > revision) version = version.previous;
    return existing(version);
  }

  /** Keys with `prefix` in order. @throws Compacted */
  range(prefix: string, options: RangeOptions = {}): RangeResult<V> {
    const { revision, limit = Number.POSITIVE_INFINITY } = options;
    const past = revision !== undefined && revision < this.#revisions.current;
    if (past && !options.beyondCompaction) this.#assertKept(revision);
    const keys = past ? this.#known.read() : this.#live.read();
    const versions: Version<V>[] = [];
    let index = lowerBound(keys, options.from !== undefined && options.from > prefix ? options.from : prefix);
    let remaining = 0;
    for (let key = keys[index]; key?.startsWith(prefix); key = keys[++index]) {
      const version = past ? this.remembered(key, revision) : this.#latest.get(key);
      if (!version) continue;
      if (versions.length < limit) versions.push(version);
      else if (past) remaining++;
      else {
        remaining = this.#end(keys, prefix, index) - index;
        break;
      }
    }
    return { versions, remaining, revision: past ? revision : this.#revisions.current };
  }

  /** Writes a value; the caller has checked what the present version is. */
  put(key: string, value: V): Version<V> {
    const previous = this.#latest.get(key);
    const revision = ++this.#revisions.current;
    const createRevision = previous?.value === undefined ? revision : previous.createRevision;
    if (previous?.value === undefined) this.#live.add(key);
    return this.#commit({ key: previous?.key ?? inOnePiece(key), value, revision, createRevision, previous });
  }

  /** Deletes a key that exists. */
  delete(key: string): Version<V> {
    const previous = this.#latest.get(key);
    invariant(previous?.value !== undefined, `key exists: ${key}`);
    const revision = ++this.#revisions.current;
    this.#live.delete(key);
    return this.#commit({ key: previous.key, value: undefined, revision, createRevision: previous.createRevision, previous });
  }

  /** Calls `listener` at once with each write from now on, inside the write. Returns a function that ends it. */
  watch(listener: (version: Version<V>) => void): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  /** The writes after `revision`, oldest first. @throws Compacted */
  since(revision: number): readonly Version<V>[] {
    if (revision < this.#revisions.compacted) throw new Compacted(revision, this.#revisions.compacted);
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#log[middle] as Version<V>).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#log.slice(low);
  }

  /** @internal Forgets what is older than `revision`: of each key its newest version up to there is kept. */
  compact(revision: number): void {
    for (const version of this.#log) {
      if (version.revision > revision) break;
      // What this version replaced can no longer be read.
      (version as Mutable<Version<V>>).previous = undefined;
      if (version.value === undefined && this.#latest.get(version.key) === version) {
        this.#latest.delete(version.key);
        this.#known.delete(version.key);
      }
    }
    this.#log = this.#log.filter((version) => version.revision > revision);
  }

  #commit(version: Version<V>): Version<V> {
    this.#latest.set(version.key, version);
    if (!version.previous) this.#known.add(version.key);
    this.#log.push(version);
    for (const listener of this.#watchers) listener(version);
    return version;
  }

  #assertKept(revision: number): void {
    if (revision < this.#revisions.compacted) throw new Compacted(revision, this.#revisions.compacted);
  }

  #end(keys: readonly string[], prefix: string, from: number): number {
    if (prefix === this.prefix) return keys.length;
    const end = lowerBound(keys, `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`);
    return Math.max(end, from);
  }
}

/** A version without a value says that the key was deleted. */
function existing<V>(version: Version<V> | undefined): Version<V> | undefined {
  return version?.value === undefined ? undefined : version;
}
