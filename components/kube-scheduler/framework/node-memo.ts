import type { NodeInfo } from './node-info.ts';

/** A number for each node, kept until the node changes. For numbers that depend on nothing but the node. */
export class NodeMemo {
  readonly #generations: number[] = [];
  readonly #values: number[] = [];

  /** What `compute` gives for the node, worked out once for each of its generations. Nodes without one (of snapshots that nothing follows) are not kept. */
  of(node: NodeInfo, compute: (node: NodeInfo) => number): number {
    const { place, generation } = node;
    if (generation !== 0 && this.#generations[place] === generation) return this.#values[place] as number;
    const value = compute(node);
    while (this.#generations.length <= place) {
      this.#generations.push(0);
      this.#values.push(0);
    }
    this.#generations[place] = generation;
    this.#values[place] = value;
    return value;
  }
}

/** Memos by what their numbers depend on besides nodes: the requests of pods, a selector. Those of pods long gone are dropped now and then. */
export class NodeMemos {
  readonly #limit: number;
  readonly #memos = new Map<string, NodeMemo>();

  constructor(limit = 100) {
    this.#limit = limit;
  }

  get(key: string): NodeMemo {
    let memo = this.#memos.get(key);
    if (!memo) {
      if (this.#memos.size >= this.#limit) this.#memos.clear();
      memo = new NodeMemo();
      this.#memos.set(key, memo);
    }
    return memo;
  }
}
