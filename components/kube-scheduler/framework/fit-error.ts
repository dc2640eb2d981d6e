import type { NodeToStatus } from './interface.ts';
import type { Status } from './status.ts';

/** Why a pod fits nowhere, node by node: framework.Diagnosis. */
export interface Diagnosis {
  readonly nodeToStatus: NodeToStatus;
  readonly unschedulablePlugins: ReadonlySet<string>;
  readonly pendingPlugins: ReadonlySet<string>;
  readonly preFilterMessage: string;
  postFilterMessage: string;
}

/** Thrown by the scheduling of a pod that fits nowhere: framework.FitError (pkg/scheduler/framework/types.go). */
export class FitError extends Error {
  override name = 'FitError';
  readonly diagnosis: Diagnosis;
  readonly #numAllNodes: number;

  constructor(numAllNodes: number, diagnosis: Diagnosis) {
    super();
    this.diagnosis = diagnosis;
    this.#numAllNodes = numAllNodes;
  }

  /** FitError.Error: the text that the pod's condition and event show. */
  override get message(): string {
    const { preFilterMessage, postFilterMessage, nodeToStatus } = this.diagnosis;
    const filter = preFilterMessage || histogram(nodeToStatus, this.#numAllNodes);
    const head = `0/${this.#numAllNodes} nodes are available:`;
    return `${filter ? `${head} ${filter}.` : head}${postFilterMessage ? ` ${postFilterMessage}` : ''}`;
  }
}

/** How many nodes gave each reason, in the order of the texts. */
function histogram({ byNode, absent }: NodeToStatus, numAllNodes: number): string {
  const counts = new Map<string, number>();
  const count = (status: Status, nodes: number): void => {
    for (const reason of status.reasons) counts.set(reason, (counts.get(reason) ?? 0) + nodes);
  };
  for (const status of byNode.values()) count(status, 1);
  if (numAllNodes > byNode.size) count(absent, numAllNodes - byNode.size);
  return [...counts]
    .map(([reason, nodes]) => `${nodes} ${reason}`)
    .sort()
    .join(', ');
}
