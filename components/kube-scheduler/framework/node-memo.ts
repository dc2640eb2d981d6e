import type { NodeInfo } from './node-info.ts';

/** A number for each node, kept until the node changes. For numbers that depend on nothing but the node. */
export class NodeMemo {
  /** By place in the list of nodes, side by side: the generation of the node, and its number. */
  readonly #kept: number[] = [];

  /** What `compute` gives for the node, worked out once for each of its generations. Nodes without one (of snapshots that nothing follows) are not kept. */
  of(node: NodeInfo, compute: (node: NodeInfo) => number): number {
    const { generation } = node;
    const at = 2 * node.place;
    const kept = this.#kept;
    if (kept[at] === generation && generation !== 0) return kept[at + 1] as number;
    const value = compute(node);
    while (kept.length < at) kept.push(0);
    kept[at] = generation;
    kept[at + 1] = value;
    return value;
  }
}

const MAX_MEMOS = 100;

/** Memos by what their numbers depend on besides nodes: the requests of pods, a selector. Those of pods long gone are dropped now and then. */
export class NodeMemos {
  readonly #memos = new Map<string, NodeMemo>();

  get(key: string): NodeMemo {
    let memo = this.#memos.get(key);
    if (!memo) {
      if (this.#memos.size >= MAX_MEMOS) this.#memos.clear();
      memo = new NodeMemo();
      this.#memos.set(key, memo);
    }
    return memo;
  }
}
