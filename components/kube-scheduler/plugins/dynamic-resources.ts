import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Handle, NodeToStatus, Plugin, PostFilterResult } from '../framework/interface.ts';
import { Status } from '../framework/status.ts';

const NAME = 'DynamicResources';
const SKIP = { status: new Status('Skip') };
// Selectors of device classes are CEL; without them nothing can be allocated, and to schedule the pod without its devices would be wrong.
const NOT_ALLOCATED = {
  status: new Status('UnschedulableAndUnresolvable', ['devices of resource claims are not allocated in this simulation'], NAME),
};
const STATE_MISSING = { status: new Status('Error', ['not found'], NAME) };
const NOTHING_TO_DEALLOCATE = { status: new Status('Unschedulable', ['no new claims to deallocate'], NAME) };

interface PreFilterState extends StateData {
  readonly claims: readonly string[];
}

const PRE_FILTER = new StateKey<PreFilterState>(`PreFilter${NAME}`);

/**
 * Devices that pods claim: pkg/scheduler/framework/plugins/dynamicresources DynamicResources. It keeps pods out whose claims do not exist, and refuses pods that
 * have claims, since it allocates nothing.
 */
export class DynamicResources implements Plugin {
  readonly name = NAME;
  readonly #handle: Pick<Handle, 'listers'>;

  constructor(handle: Pick<Handle, 'listers'>) {
    this.#handle = handle;
  }

  /** A pod whose claims do not exist is kept out of the queue, without a word to the user. */
  preEnqueue(pod: Pod): Status | undefined {
    for (const { name, resourceClaimName } of pod.spec?.resourceClaims ?? []) {
      const claim = resourceClaimName ?? pod.status?.resourceClaimStatuses?.find((one) => one.name === name)?.resourceClaimName;
      const { namespace } = pod.metadata;
      if (claim === undefined) return refuse(`pod "${namespace}/${pod.metadata.name}": ResourceClaim not created yet`);
      if (!this.#handle.listers.resourceClaims.get(`${namespace}/${claim}`))
        return refuse(`resourceclaim.resource.k8s.io "${claim}" not found`);
    }
    return undefined;
  }

  preFilter(state: CycleState, pod: Pod): { status?: Status } {
    const data: PreFilterState = { claims: (pod.spec?.resourceClaims ?? []).map((one) => one.name), clone: () => data };
    state.write(PRE_FILTER, data);
    return data.claims.length === 0 ? SKIP : NOT_ALLOCATED;
  }

  postFilter(state: CycleState, _pod: Pod, _statuses: NodeToStatus): { result?: PostFilterResult; status?: Status } {
    return state.read(PRE_FILTER) ? NOTHING_TO_DEALLOCATE : STATE_MISSING;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      { event: { resource: 'ResourceClaim', actionType: ActionType.Add | ActionType.Update | ActionType.Delete } },
      { event: { resource: 'UnschedulablePod', actionType: ActionType.UpdatePodGeneratedResourceClaim } },
      { event: { resource: 'Node', actionType: ActionType.Add | ActionType.UpdateNodeLabel } },
      { event: { resource: 'DeviceClass', actionType: ActionType.Add | ActionType.Update } },
      { event: { resource: 'ResourceSlice', actionType: ActionType.Add | ActionType.Update } },
    ];
  }
}

function refuse(reason: string): Status {
  return new Status('UnschedulableAndUnresolvable', [reason], NAME);
}
