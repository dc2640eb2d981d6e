import type { Actor, Timer } from '../../src/sim/actor.ts';
import { invariant } from '../../src/sim/invariant.ts';
import { Keyspace, type Revisions, type Version } from './keyspace.ts';

/**
 * A multi-version store: one revision counter, per key a history of frozen values, reads and watches at any revision that was not compacted.
 * kube-apiserver is its only client. What etcd does for durability and consensus (raft, WAL, snapshots) is not there.
 * @example
 * const pods = new Etcd().keyspace('/registry/pods/');
 * pods.put('/registry/pods/default/web', pod);
 */
export class Etcd {
  readonly #revisions: Revisions = { current: 1, compacted: 0 };
  readonly #keyspaces = new Map<string, Keyspace>();
  readonly #actor: Actor | undefined;
  readonly #compactEveryMs: number;
  readonly #keepHistory: boolean;
  readonly #expiries: { readonly due: number; readonly keyspace: Keyspace; readonly version: Version }[] = [];
  #timer: Timer | undefined;

  /**
   * @param options.actor whose timers end leases and compact; without it leases never end
   * @param options.compactEveryMs compacts so often: what is older can no longer be read or watched; 0 (the default): never
   * @param options.keepHistory keeps what was compacted for those who look back (`beyondCompaction`); otherwise a long run needs no more memory than a short one
   */
  constructor(options: { readonly actor?: Actor; readonly compactEveryMs?: number; readonly keepHistory?: boolean } = {}) {
    this.#keepHistory = options.keepHistory ?? false;
    this.#actor = options.actor;
    this.#compactEveryMs = options.compactEveryMs ?? 0;
    if (this.#compactEveryMs > 0) this.#scheduleCompaction(this.revision);
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revisions.current;
  }

  /** What is older than this cannot be read. */
  get compactRevision(): number {
    return this.#revisions.compacted;
  }

  get keyspaces(): ReadonlyMap<string, Keyspace> {
    return this.#keyspaces;
  }

  /** The keys that begin with `prefix`. Prefixes of keyspaces must not contain each other. */
  keyspace<V>(prefix: string): Keyspace<V> {
    let keyspace = this.#keyspaces.get(prefix);
    if (!keyspace) {
      invariant(prefix.endsWith('/'), `prefix of a keyspace ends with a slash: ${prefix}`);
      keyspace = new Keyspace(prefix, this.#revisions);
      this.#keyspaces.set(prefix, keyspace);
    }
    return keyspace as Keyspace<V>;
  }

  /** Forgets history before `revision`, of every key. */
  compact(revision: number): void {
    invariant(revision <= this.revision, 'compaction is not ahead of the store');
    if (revision <= this.#revisions.compacted) return;
    this.#revisions.compacted = revision;
    if (this.#keepHistory) return;
    for (const keyspace of this.#keyspaces.values()) keyspace.compact(revision);
  }

  /**
   * Deletes the key of `version` after `ttlMs` unless it was written again by then: a lease on a key. Leases of one length end in the order in which
   * they were granted.
   */
  expire<V>(keyspace: Keyspace<V>, version: Version<V>, ttlMs: number): void {
    if (!this.#actor) return;
    const due = this.#actor.simulation.now + ttlMs;
    this.#expiries.push({ due, keyspace: keyspace as Keyspace, version });
    this.#arm();
  }

  /** Forgets what was there before `revision` a whole interval from now. apiserver pkg/storage/etcd3.compactor */
  #scheduleCompaction(revision: number): void {
    const compact = (): void => {
      this.compact(revision);
      this.#scheduleCompaction(this.revision);
    };
    this.#actor?.schedule(this.#compactEveryMs, compact, { priority: 'background', label: 'etcd: compaction' });
  }

  #arm(): void {
    const first = this.#expiries[0];
    if (this.#timer || !first || !this.#actor) return;
    const { simulation } = this.#actor;
    this.#timer = this.#actor.schedule(first.due - simulation.now, () => this.#revoke(), { priority: 'background', label: 'etcd: leases' });
  }

  #revoke(): void {
    this.#timer = undefined;
    const now = this.#actor?.simulation.now ?? 0;
    let count = 0;
    for (const { due, keyspace, version } of this.#expiries) {
      if (due > now) break;
      count++;
      if (keyspace.get(version.key) === version) keyspace.delete(version.key);
    }
    this.#expiries.splice(0, count);
    this.#arm();
  }
}
