import type { Node, Pod, Taint, Toleration } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { findMatchingUntoleratedTaint, tolerationsTolerateTaint } from '../../../src/api/taints.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { NodeScore, Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { Status } from '../framework/status.ts';
import { defaultNormalizeScore } from './helper/normalize-score.ts';
import { tolerationsKey } from './helper/tolerations-key.ts';

const NAME = 'TaintToleration';
const REFUSED = new Status('UnschedulableAndUnresolvable', ['node(s) had untolerated taint(s)'], NAME);

interface PreScoreState extends StateData {
  readonly tolerationsPreferNoSchedule: readonly Toleration[];
}

const PRE_SCORE = new StateKey<PreScoreState>(`PreScore${NAME}`);

/** Keeps pods off tainted nodes: pkg/scheduler/framework/plugins/tainttoleration TaintToleration. */
export class TaintToleration implements Plugin {
  readonly name = NAME;

  filter(_state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    const { taints } = nodeInfo;
    if (!taints) return undefined;
    return findMatchingUntoleratedTaint(taints, pod.spec?.tolerations, repels) ? REFUSED : undefined;
  }

  preScore(state: CycleState, pod: Pod): Status | undefined {
    const tolerations = (pod.spec?.tolerations ?? []).filter((one) => !one.effect || one.effect === 'PreferNoSchedule');
    const data: PreScoreState = { tolerationsPreferNoSchedule: tolerations, clone: () => data };
    state.write(PRE_SCORE, data);
    return undefined;
  }

  /** How many taints the pod would rather not meet. */
  score(state: CycleState, _pod: Pod, nodeInfo: NodeInfo): number {
    const { taints } = nodeInfo;
    if (!taints) return 0;
    const tolerations = state.read(PRE_SCORE)?.tolerationsPreferNoSchedule ?? [];
    let count = 0;
    for (const taint of taints) if (taint.effect === 'PreferNoSchedule' && !tolerationsTolerateTaint(tolerations, taint)) count++;
    return count;
  }

  filterKey(pod: Pod): string {
    return tolerationsKey(pod);
  }

  scoreKey(pod: Pod): string {
    return tolerationsKey(pod);
  }

  normalizeScore(_state: CycleState, _pod: Pod, scores: readonly NodeScore[]): void {
    defaultNormalizeScore(scores, true);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      { event: { resource: 'Node', actionType: ActionType.Add | ActionType.UpdateNodeTaint }, hint: isSchedulableAfterNodeChange },
      {
        event: { resource: 'UnschedulablePod', actionType: ActionType.UpdatePodToleration },
        hint: (pod, _old, changed) => changed?.metadata.uid === pod.metadata.uid,
      },
    ];
  }
}

function repels(taint: Taint): boolean {
  return taint.effect === 'NoSchedule' || taint.effect === 'NoExecute';
}

function isSchedulableAfterNodeChange(pod: Pod, before: KubernetesObject | undefined, after: KubernetesObject | undefined): boolean {
  const repelled = (node: KubernetesObject | undefined): boolean =>
    findMatchingUntoleratedTaint((node as Node | undefined)?.spec?.taints, pod.spec?.tolerations, repels) !== undefined;
  return !repelled(after) && (before === undefined || repelled(before));
}
