import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { AllocationResult, ResourceClaim } from '../../../src/api/kinds/resource-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { resourceclaims } from '../../../src/api/resources.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { retryOnConflict } from '../../../src/client/retry.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Handle, NodeToStatus, Plugin, PostFilterOutcome } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { asStatus, Status } from '../framework/status.ts';
import { allocate, deviceId, unsupported } from './helper/device-allocator.ts';
import { nodeSelectorMatcher } from './helper/node-affinity.ts';

const NAME = 'DynamicResources';
const SKIP = { status: new Status('Skip') };
const CANNOT_ALLOCATE = new Status('Unschedulable', ['cannot allocate all claims'], NAME);
const NOT_ON_NODE = new Status('Unschedulable', ['resourceclaim not available on the node'], NAME);
const STATE_MISSING = { status: new Status('Error', ['not found'], NAME) };
const NOTHING_TO_DEALLOCATE = { status: new Status('Unschedulable', ['no new claims to deallocate'], NAME) };
/** resource.k8s.io Finalizer */
const FINALIZER = 'resource.kubernetes.io/delete-protection';

interface PreFilterState extends StateData {
  readonly claims: readonly ResourceClaim[];
  /** What each node that passed would give to the claims that have nothing yet, by claim. */
  readonly allocations: Map<string, ReadonlyMap<string, AllocationResult>>;
  readonly taken: ReadonlySet<string>;
}

const PRE_FILTER = new StateKey<PreFilterState>(`PreFilter${NAME}`);

/**
 * Devices that pods claim: pkg/scheduler/framework/plugins/dynamicresources DynamicResources. It allocates whole devices in a number, chosen by class and selectors;
 * pods whose claims ask for more than that are refused, and told so.
 */
export class DynamicResources implements Plugin {
  readonly name = NAME;
  readonly #handle: Pick<Handle, 'listers' | 'client' | 'actor'>;
  /** Allocations that are not written down yet, by claim: inFlightAllocations. */
  readonly #inFlight = new Map<string, AllocationResult>();

  constructor(handle: Pick<Handle, 'listers' | 'client' | 'actor'>) {
    this.#handle = handle;
  }

  /** A pod whose claims do not exist is kept out of the queue, without a word to the user. */
  preEnqueue(pod: Pod): Status | undefined {
    for (const { name, key } of claimsOf(pod)) {
      if (key === undefined) return refuse(`pod "${keyOf(pod)}": ResourceClaim not created yet`);
      if (!this.#handle.listers.resourceClaims.get(key)) return refuse(`resourceclaim.resource.k8s.io "${name}" not found`);
    }
    return undefined;
  }

  preFilter(state: CycleState, pod: Pod): { status?: Status } {
    const { listers } = this.#handle;
    const claims = claimsOf(pod).flatMap(({ key = '' }) => listers.resourceClaims.get(key) ?? []);
    const data: PreFilterState = { claims, allocations: new Map(), taken: this.#taken(), clone: () => data };
    state.write(PRE_FILTER, data);
    if (claims.length === 0) return SKIP;
    for (const claim of claims) {
      if (this.#allocationOf(claim)) continue;
      const problem = unsupported(claim) ?? this.#missingClass(claim);
      if (problem) return { status: new Status('UnschedulableAndUnresolvable', [problem], NAME) };
    }
    return {};
  }

  filter(state: CycleState, _pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    const data = state.read(PRE_FILTER);
    const { node } = nodeInfo;
    if (!data || !node) return undefined;
    for (const claim of data.claims) {
      const terms = this.#allocationOf(claim)?.nodeSelector?.nodeSelectorTerms;
      if (terms && !nodeSelectorMatcher(terms)(node)) return NOT_ON_NODE;
    }
    const open = data.claims.filter((claim) => !this.#allocationOf(claim));
    if (open.length === 0) return undefined;
    const { listers } = this.#handle;
    const inventory = {
      slices: listers.resourceSlices.list(),
      classOf: (name: string) => listers.deviceClasses.get(name),
      taken: data.taken,
    };
    const allocations = allocate(open, node, inventory);
    if (typeof allocations === 'string') return new Status('Error', [allocations], NAME);
    if (!allocations) return CANNOT_ALLOCATE;
    data.allocations.set(nodeInfo.name, allocations);
    return undefined;
  }

  postFilter(state: CycleState, _pod: Pod, _statuses: NodeToStatus): PostFilterOutcome {
    return state.read(PRE_FILTER) ? NOTHING_TO_DEALLOCATE : STATE_MISSING;
  }

  reserve(state: CycleState, _pod: Pod, nodeName: string): undefined {
    for (const [key, allocation] of state.read(PRE_FILTER)?.allocations.get(nodeName) ?? []) this.#inFlight.set(key, allocation);
  }

  unreserve(state: CycleState, _pod: Pod, nodeName: string): void {
    for (const key of state.read(PRE_FILTER)?.allocations.get(nodeName)?.keys() ?? []) this.#inFlight.delete(key);
  }

  preBindPreFlight(state: CycleState): Status | undefined {
    return state.read(PRE_FILTER)?.claims.length ? undefined : SKIP.status;
  }

  async preBind(state: CycleState, pod: Pod): Promise<Status | undefined> {
    try {
      for (const claim of state.read(PRE_FILTER)?.claims ?? []) await this.#bindClaim(claim, pod);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
      return asStatus(error, NAME);
    }
  }

  /** Writes down what the claim gets, and that the pod may use it: bindClaim. */
  async #bindClaim({ metadata: { namespace = '', name = '' } }: ResourceClaim, pod: Pod): Promise<void> {
    const client = this.#handle.client.resource(resourceclaims);
    const allocation = this.#inFlight.get(`${namespace}/${name}`);
    await retryOnConflict({ actor: this.#handle.actor }, async () => {
      let claim = await client.get({ namespace, name });
      if (allocation && !claim.status?.allocation && !claim.metadata.finalizers?.includes(FINALIZER)) {
        claim = await client.update({
          ...claim,
          metadata: { ...claim.metadata, finalizers: [...(claim.metadata.finalizers ?? []), FINALIZER] },
        });
      }
      const { name: podName = '', uid = '' } = pod.metadata;
      const reservedFor = claim.status?.reservedFor ?? [];
      if (claim.status?.allocation && reservedFor.some((one) => one.uid === uid)) return;
      const consumers = [...reservedFor.filter((one) => one.uid !== uid), { resource: 'pods', name: podName, uid }];
      await client.updateStatus({ ...claim, status: { ...claim.status, ...(allocation ? { allocation } : {}), reservedFor: consumers } });
    });
  }

  #allocationOf(claim: ResourceClaim): AllocationResult | undefined {
    return claim.status?.allocation ?? this.#inFlight.get(keyOf(claim));
  }

  /** The devices that claims have: those written down, and those that are about to be. */
  #taken(): ReadonlySet<string> {
    const taken = new Set<string>();
    for (const claim of this.#handle.listers.resourceClaims.list()) {
      if (claim.status?.allocation) this.#inFlight.delete(keyOf(claim));
      for (const result of this.#allocationOf(claim)?.devices?.results ?? []) taken.add(deviceId(result));
    }
    return taken;
  }

  #missingClass({ spec }: ResourceClaim): string | undefined {
    for (const { name, exactly } of spec.devices?.requests ?? []) {
      const className = exactly?.deviceClassName ?? '';
      if (!this.#handle.listers.deviceClasses.get(className)) return `request ${name}: device class ${className} does not exist`;
    }
    return undefined;
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

/** The claims of a pod; without key when one that is made from a template is not there yet. */
function claimsOf({ metadata, spec, status }: Pod): readonly { readonly name: string; readonly key: string | undefined }[] {
  return (spec?.resourceClaims ?? []).map(({ name, resourceClaimName }) => {
    const claim = resourceClaimName ?? status?.resourceClaimStatuses?.find((one) => one.name === name)?.resourceClaimName;
    return { name: claim ?? name, key: claim === undefined ? undefined : `${metadata.namespace}/${claim}` };
  });
}

function refuse(reason: string): Status {
  return new Status('UnschedulableAndUnresolvable', [reason], NAME);
}
