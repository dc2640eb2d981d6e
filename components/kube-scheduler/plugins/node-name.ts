import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { Status } from '../framework/status.ts';

const NAME = 'NodeName';
const REFUSED = new Status('UnschedulableAndUnresolvable', ["node(s) didn't match the requested node name"], NAME);

/** A pod that names its node goes nowhere else: pkg/scheduler/framework/plugins/nodename NodeName. */
export class NodeName implements Plugin {
  readonly name = NAME;

  filter(_state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    const wanted = pod.spec?.nodeName;
    return wanted && wanted !== nodeInfo.name ? REFUSED : undefined;
  }

  filterKey(pod: Pod): string {
    return pod.spec?.nodeName ?? '';
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [{ event: { resource: 'Node', actionType: ActionType.Add } }];
  }
}
