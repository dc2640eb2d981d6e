import type { Node } from '../../../../src/api/kinds/core-v1.ts';
import type { Snapshot, SnapshotChange } from '../../backend/cache/snapshot.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { TopologySpreadConstraint } from '../pod-topology-spread-constraint.ts';

interface Domain {
  nodes: number;
  pods: number;
}

interface Table {
  /** The changes of the snapshot that it has seen. */
  seen: number;
  readonly domains: Map<string, Domain>;
}

/** Which nodes count. */
export interface Where {
  readonly keys: readonly string[];
  /** What the pod demands of its node. */
  readonly affinity: ((node: Node) => boolean) | undefined;
}

/** Selectors come and go with ReplicaSets; the tables of old ones are dropped now and then. */
const MAX_TABLES = 200;

/**
 * How many pods each value of a topology key has, for constraints to which all nodes count alike. Follows the snapshot's changes, so that a pod costs what changed
 * since the last one like it, not a walk over all nodes as upstream, which spreads it over 16 threads.
 */
export class DomainCounts {
  readonly #snapshot: Snapshot;
  readonly #tables = new Map<string, Table>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** The pods of each value on nodes that have all `keys` and that the constraint's policies include. */
  podsByValue(constraint: TopologySpreadConstraint, where: Where): Map<string, number> {
    const { affinity, keys } = where;
    if (constraint.includesAll(affinity)) return new Map([...this.#of(constraint, keys)].map(([value, { pods }]) => [value, pods]));
    const counts = new Map<string, number>();
    for (const nodeInfo of this.#snapshot.list) {
      const { node } = nodeInfo;
      if (!node || !hasKeys(node, keys) || !constraint.includes(node, affinity)) continue;
      const value = node.metadata.labels?.[constraint.topologyKey] ?? '';
      counts.set(value, (counts.get(value) ?? 0) + constraint.count(nodeInfo));
    }
    return counts;
  }

  #of(constraint: TopologySpreadConstraint, keys: readonly string[]): ReadonlyMap<string, Readonly<Domain>> {
    const name = `${constraint.topologyKey} ${keys.join(' ')} ${constraint.countKey}`;
    let table = this.#tables.get(name);
    const changes = table && this.#snapshot.changesSince(table.seen);
    if (table && changes) {
      for (const change of changes) follow(table, { constraint, keys, change });
    } else {
      if (this.#tables.size >= MAX_TABLES) this.#tables.clear();
      table = { seen: 0, domains: new Map() };
      this.#tables.set(name, table);
      for (const nodeInfo of this.#snapshot.list) count(table, { constraint, keys, nodeInfo, sign: 1 });
    }
    table.seen = this.#snapshot.changeCount;
    return table.domains;
  }
}

function follow(
  table: Table,
  { constraint, keys, change }: { constraint: TopologySpreadConstraint; keys: readonly string[]; change: SnapshotChange },
): void {
  const { podChanges, before, after } = change;
  if (!podChanges) {
    if (before) count(table, { constraint, keys, nodeInfo: before, sign: -1 });
    if (after) count(table, { constraint, keys, nodeInfo: after, sign: 1 });
    return;
  }
  const { node, gone, come } = podChanges;
  const domain = hasKeys(node, keys) ? table.domains.get(node.metadata.labels?.[constraint.topologyKey] ?? '') : undefined;
  if (!domain) return;
  for (const { pod } of gone) if (constraint.counts(pod)) domain.pods--;
  for (const { pod } of come) if (constraint.counts(pod)) domain.pods++;
}

function count(
  { domains }: Table,
  { constraint, keys, nodeInfo, sign }: { constraint: TopologySpreadConstraint; keys: readonly string[]; nodeInfo: NodeInfo; sign: 1 | -1 },
): void {
  const { node } = nodeInfo;
  if (!node || !hasKeys(node, keys)) return;
  const value = node.metadata.labels?.[constraint.topologyKey] ?? '';
  let domain = domains.get(value);
  if (!domain) {
    domain = { nodes: 0, pods: 0 };
    domains.set(value, domain);
  }
  domain.nodes += sign;
  domain.pods += sign * constraint.count(nodeInfo);
  if (domain.nodes === 0) domains.delete(value);
}

function hasKeys(node: Node, keys: readonly string[]): boolean {
  for (const key of keys) if (node.metadata.labels?.[key] === undefined) return false;
  return true;
}
