import { type CoreV1, framework } from 'bottleship';

/** On nodes: grams of CO2 for each kWh. */
export const CARBON_LABEL = 'example.com/carbon';
/** On pods: no node that makes more than that. */
export const LIMIT_ANNOTATION = 'example.com/carbon-limit';

const TOO_MUCH = new framework.Status('UnschedulableAndUnresolvable', ['node(s) made too much carbon dioxide']);

/** Runs pods where power is clean: refuses nodes above a pod's limit, and prefers those that make least. */
export class LowCarbon implements framework.Plugin {
  readonly name = 'LowCarbon';

  filter(_state: framework.CycleState, pod: CoreV1.Pod, nodeInfo: framework.NodeInfo): framework.Status | undefined {
    const limit = pod.metadata.annotations?.[LIMIT_ANNOTATION];
    return limit !== undefined && carbonOf(nodeInfo) > Number(limit) ? TOO_MUCH : undefined;
  }

  score(_state: framework.CycleState, _pod: CoreV1.Pod, nodeInfo: framework.NodeInfo): number {
    return carbonOf(nodeInfo);
  }

  /** Grams become 0 to 100, the least the best. */
  normalizeScore(_state: framework.CycleState, _pod: CoreV1.Pod, scores: readonly framework.NodeScore[]): void {
    framework.defaultNormalizeScore(scores, true);
  }

  /** What may help a pod that was refused: a node that comes, or gets another label. */
  eventsToRegister(): readonly framework.ClusterEventWithHint[] {
    return [{ event: { resource: 'Node', actionType: framework.ActionType.Add | framework.ActionType.UpdateNodeLabel } }];
  }
}

function carbonOf({ node }: framework.NodeInfo): number {
  return Number(node?.metadata.labels?.[CARBON_LABEL] ?? 0);
}
