import type { Node, Pod, Taint } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { tolerationsTolerateTaint } from '../../../src/api/taints.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { Status } from '../framework/status.ts';
import { tolerationsKey } from './helper/tolerations-key.ts';

const NAME = 'NodeUnschedulable';
const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const REFUSED = new Status('UnschedulableAndUnresolvable', ['node(s) were unschedulable'], NAME);

/** Keeps pods off cordoned nodes: pkg/scheduler/framework/plugins/nodeunschedulable NodeUnschedulable. */
export class NodeUnschedulable implements Plugin {
  readonly name = NAME;

  filter(_state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    if (!nodeInfo.unschedulable) return undefined;
    return tolerationsTolerateTaint(pod.spec?.tolerations, UNSCHEDULABLE) ? undefined : REFUSED;
  }

  filterKey(pod: Pod): string {
    return tolerationsKey(pod);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      { event: { resource: 'Node', actionType: ActionType.Add | ActionType.UpdateNodeTaint }, hint: isSchedulableAfterNodeChange },
      {
        event: { resource: 'UnschedulablePod', actionType: ActionType.UpdatePodToleration },
        hint: (pod, _old, changed) =>
          changed?.metadata.uid === pod.metadata.uid && tolerationsTolerateTaint((changed as Pod).spec?.tolerations, UNSCHEDULABLE),
      },
    ];
  }
}

function isSchedulableAfterNodeChange(_pod: Pod, before: KubernetesObject | undefined, after: KubernetesObject | undefined): boolean {
  const closed = (node: KubernetesObject | undefined): boolean => (node as Node | undefined)?.spec?.unschedulable === true;
  return !closed(after) && (before === undefined || closed(before));
}
