import type { Node } from '../../../../src/api/kinds/core-v1.ts';
import type { Snapshot, SnapshotChange } from '../../backend/cache/snapshot.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** What is added up over all nodes. */
export interface SnapshotTable {
  /** Counts a node and its pods in (`sign` 1), or out again (-1). */
  update(nodeInfo: NodeInfo, sign: 1 | -1): void;
  /** Counts `pods` like this on the node in, or out again when negative. */
  updateWithPod(existing: PodInfo, node: Node, pods: number): void;
  /** It depends on more than nodes and pods, so that it has to be made anew each time. */
  readonly volatile: boolean;
}

interface Followed<T> {
  readonly table: T;
  /** The changes of the snapshot that it has seen. */
  seen: number;
}

/** Labels come and go with workloads; the tables of old ones are dropped now and then. */
const MAX_TABLES = 200;

/**
 * Sums over all nodes, by key, that follow the changes of the snapshot: a pod costs what changed since the last one like it, not a walk over all nodes as upstream, which
 * spreads it over 16 threads.
 */
export class SnapshotTables<T extends SnapshotTable> {
  readonly #snapshot: Snapshot;
  readonly #tables = new Map<string, Followed<T>>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** The sum under `key`; made by `make` from `nodes` (those that can count anything) when there is none that can be brought up to date. */
  of(key: string, make: () => T, nodes: readonly NodeInfo[]): T {
    const followed = this.#tables.get(key);
    const changes = followed && !followed.table.volatile ? this.#snapshot.changesSince(followed.seen) : undefined;
    if (followed && changes) {
      for (const change of changes) follow(followed.table, change);
      followed.seen = this.#snapshot.changeCount;
      return followed.table;
    }
    if (this.#tables.size >= MAX_TABLES) this.#tables.clear();
    const table = make();
    for (const nodeInfo of nodes) table.update(nodeInfo, 1);
    this.#tables.set(key, { table, seen: this.#snapshot.changeCount });
    return table;
  }
}

function follow(table: SnapshotTable, { podChanges, before, after }: SnapshotChange): void {
  if (podChanges) {
    for (const info of podChanges.gone) table.updateWithPod(info, podChanges.node, -1);
    for (const info of podChanges.come) table.updateWithPod(info, podChanges.node, 1);
    return;
  }
  if (before) table.update(before, -1);
  if (after) table.update(after, 1);
}
