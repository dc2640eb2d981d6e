import { HostPortInfo } from '../../../src/api/host-ports.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { podInfoOf } from '../framework/pod-info.ts';
import { Status } from '../framework/status.ts';

const NAME = 'NodePorts';
const REFUSED = new Status('Unschedulable', ["node(s) didn't have free ports for the requested pod ports"], NAME);
const SKIP = { status: new Status('Skip') };

/** Two pods cannot have one port of a node: pkg/scheduler/framework/plugins/nodeports NodePorts. */
export class NodePorts implements Plugin {
  readonly name = NAME;

  preFilter(_state: CycleState, pod: Pod): { status?: Status } {
    return podInfoOf(pod).hostPorts.length ? {} : SKIP;
  }

  filter(_state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    if (nodeInfo.usedPorts.isEmpty) return undefined;
    return podInfoOf(pod).hostPorts.some((port) => nodeInfo.usedPorts.conflicts(port)) ? REFUSED : undefined;
  }

  filterKey(pod: Pod): string {
    return JSON.stringify(podInfoOf(pod).hostPorts);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      { event: { resource: 'Pod', actionType: ActionType.Delete }, hint: isSchedulableAfterPodDeleted },
      { event: { resource: 'Node', actionType: ActionType.Add } },
    ];
  }
}

function isSchedulableAfterPodDeleted(pod: Pod, before: KubernetesObject | undefined): boolean {
  const deleted = before as Pod | undefined;
  if (!deleted || (!deleted.spec?.nodeName && !deleted.status?.nominatedNodeName)) return false;
  const freed = new HostPortInfo();
  for (const port of podInfoOf(deleted).hostPorts) freed.add(port);
  return podInfoOf(pod).hostPorts.some((port) => freed.conflicts(port));
}
