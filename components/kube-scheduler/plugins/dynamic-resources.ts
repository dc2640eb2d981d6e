import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { AllocationResult, ResourceClaim } from '../../../src/api/kinds/resource-v1.ts';
import { isControlledBy } from '../../../src/api/meta.ts';
import { type KubernetesObject, keyOf } from '../../../src/api/object.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Handle, Plugin, PostFilterOutcome } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { asStatus, Status } from '../framework/status.ts';
import { AllocationError } from './dynamicresources/allocation-error.ts';
import { Allocator } from './dynamicresources/allocator.ts';
import { ClaimBinder, isReservedForPod } from './dynamicresources/claim-binder.ts';
import { deviceId } from './dynamicresources/pools.ts';
import { classedRequestsOf } from './dynamicresources/requests.ts';
import { AssumeCache } from './helper/assume-cache.ts';
import { nodeSelectorMatcher } from './helper/node-affinity.ts';

const NAME = 'DynamicResources';
const SKIP = { status: new Status('Skip') };
const CANNOT_ALLOCATE = refuse('cannot allocate all claims');
const TIMED_OUT = refuse('timed out trying to allocate devices');
const NOT_ON_NODE = refuse('resourceclaim not available on the node');
const STATE_MISSING = { status: new Status('Error', ['not found'], NAME) };
const NOTHING_TO_DEALLOCATE = { status: new Status('Unschedulable', ['no new claims to deallocate'], NAME) };
const STILL_NOT_SCHEDULABLE = { status: new Status('Unschedulable', ['still not schedulable'], NAME) };
const DEALLOCATED = { status: new Status('Unschedulable', ['deallocation of ResourceClaim completed'], NAME) };
/** resource.k8s.io ResourceClaimReservedForMaxSize */
const RESERVED_FOR_MAX = 256;

interface PreFilterState extends StateData {
  readonly claims: readonly ResourceClaim[];
  /** Absent when all claims have what they ask for. */
  readonly allocator: Allocator | undefined;
  /** What each node that passed would give to the claims that have nothing yet, by claim. */
  readonly allocations: Map<string, ReadonlyMap<string, AllocationResult>>;
  /** Claims whose devices some node cannot reach. */
  readonly unavailable: Set<ResourceClaim>;
}

const PRE_FILTER = new StateKey<PreFilterState>(`PreFilter${NAME}`);

/** Devices that pods claim: pkg/scheduler/framework/plugins/dynamicresources DynamicResources. */
export class DynamicResources implements Plugin {
  readonly name = NAME;
  readonly #handle: Pick<Handle, 'listers' | 'client' | 'actor' | 'random'>;
  readonly #binder: ClaimBinder;
  readonly #claims: AssumeCache<ResourceClaim>;
  /** Allocations that are not written down yet, by claim: SignalClaimPendingAllocation. */
  readonly #pending = new Map<string, AllocationResult>();

  constructor(handle: Pick<Handle, 'listers' | 'client' | 'actor' | 'random'>) {
    this.#handle = handle;
    this.#binder = new ClaimBinder(handle);
    this.#claims = new AssumeCache(handle.listers.resourceClaims);
  }

  /** A pod whose claims do not exist is kept out of the queue, without a word to the user. */
  preEnqueue(pod: Pod): Status | undefined {
    const claims = this.#claimsOf(pod);
    return typeof claims === 'string' ? refuse(claims) : undefined;
  }

  preFilter(state: CycleState, pod: Pod): { status?: Status } {
    const claims = this.#claimsOf(pod);
    if (typeof claims === 'string') return { status: refuse(claims) };
    const data: PreFilterState = {
      claims,
      allocator: claims.length ? this.#allocatorFor(claims) : undefined,
      allocations: new Map(),
      unavailable: new Set(),
      clone: () => data,
    };
    state.write(PRE_FILTER, data);
    if (claims.length === 0) return SKIP;
    for (const claim of claims) {
      const status = this.#whyNot(pod, claim);
      if (status) return { status };
    }
    return {};
  }

  /** What is wrong with a claim, whatever the node. */
  #whyNot(pod: Pod, claim: ResourceClaim): Status | undefined {
    if (claim.status?.allocation) {
      const full = (claim.status.reservedFor?.length ?? 0) >= RESERVED_FOR_MAX;
      return full && !isReservedForPod(claim, pod) ? refuse('resourceclaim in use') : undefined;
    }
    if (this.#pending.has(keyOf(claim))) return refuse(`resource claim ${claim.metadata.name} is in the process of being allocated`);
    for (const request of claim.spec.devices?.requests ?? []) {
      for (const { name, one } of classedRequestsOf(request)) {
        if (!this.#handle.listers.deviceClasses.get(one.deviceClassName))
          return refuse(`request ${name}: device class ${one.deviceClassName} does not exist`);
      }
    }
    return undefined;
  }

  #allocatorFor(claims: readonly ResourceClaim[]): Allocator | undefined {
    const open = claims.filter((claim) => !claim.status?.allocation);
    if (open.length === 0) return undefined;
    const { resourceSlices, deviceClasses } = this.#handle.listers;
    return new Allocator(open, { slices: resourceSlices.list(), classOf: (name) => deviceClasses.get(name), taken: this.#taken() });
  }

  /** The devices that claims have: those written down, and those that are about to be. Administrators share them. */
  #taken(): ReadonlySet<string> {
    const taken = new Set<string>();
    for (const claim of this.#claims.list()) {
      const allocation = claim.status?.allocation ?? this.#pending.get(keyOf(claim));
      for (const result of allocation?.devices?.results ?? []) if (!result.adminAccess) taken.add(deviceId(result));
    }
    return taken;
  }

  filter(state: CycleState, _pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    const data = state.read(PRE_FILTER);
    const { node } = nodeInfo;
    if (!data || !node) return undefined;
    const unavailable = data.claims.filter(({ status }) => {
      const terms = status?.allocation?.nodeSelector?.nodeSelectorTerms;
      return terms !== undefined && !nodeSelectorMatcher(terms)(node);
    });
    try {
      const allocations = data.allocator?.allocate(node);
      if (allocations === 'timeout') return TIMED_OUT;
      if (data.allocator && !allocations) return CANNOT_ALLOCATE;
      for (const claim of unavailable) data.unavailable.add(claim);
      if (unavailable.length) return NOT_ON_NODE;
      if (allocations) data.allocations.set(nodeInfo.name, allocations);
      return undefined;
    } catch (error) {
      if (error instanceof AllocationError) return asStatus(error, NAME);
      throw error;
    }
  }

  /** Takes the devices of one claim back that nobody uses, where they are out of reach: the next attempt may allocate others. */
  postFilter(state: CycleState, pod: Pod): PostFilterOutcome | Promise<PostFilterOutcome> {
    const data = state.read(PRE_FILTER);
    if (!data) return STATE_MISSING;
    if (data.claims.length === 0) return NOTHING_TO_DEALLOCATE;
    const free = [...data.unavailable].filter(({ status }) => (status?.reservedFor ?? []).every(({ uid }) => uid === pod.metadata.uid));
    const claim = this.#handle.random.pick(free);
    if (!claim) return STILL_NOT_SCHEDULABLE;
    return this.#binder.deallocate(claim).then((failure) => (failure ? { status: failure } : DEALLOCATED));
  }

  reserve(state: CycleState, _pod: Pod, nodeName: string): undefined {
    for (const [key, allocation] of this.allocationsOn(state, nodeName)) this.#pending.set(key, allocation);
  }

  unreserve(state: CycleState, pod: Pod, nodeName: string): void {
    for (const key of this.allocationsOn(state, nodeName).keys()) this.#pending.delete(key);
    for (const { metadata } of state.read(PRE_FILTER)?.claims ?? []) {
      const claim = this.#claims.get(`${metadata.namespace}/${metadata.name}`);
      if (claim?.status?.allocation && isReservedForPod(claim, pod)) this.#binder.unreserve(claim, pod);
    }
  }

  /** What claims of the pod would get on the node. */
  allocationsOn(state: CycleState, nodeName: string): ReadonlyMap<string, AllocationResult> {
    return state.read(PRE_FILTER)?.allocations.get(nodeName) ?? new Map();
  }

  preBindPreFlight(state: CycleState): Status | undefined {
    return state.read(PRE_FILTER)?.claims.length ? undefined : SKIP.status;
  }

  async preBind(state: CycleState, pod: Pod): Promise<Status | undefined> {
    try {
      for (const claim of state.read(PRE_FILTER)?.claims ?? []) {
        const key = keyOf(claim);
        if (!isReservedForPod(claim, pod)) this.#claims.assume(await this.#binder.bindClaim(claim, pod, this.#pending.get(key)));
        this.#pending.delete(key);
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiStatusError) && !(error instanceof AllocationError) && !(error instanceof ActorUnavailable)) throw error;
      return asStatus(error, NAME);
    }
  }

  /** foreachPodResourceClaim: the claims of a pod, or why they cannot be had. */
  #claimsOf({ metadata, spec, status }: Pod): ResourceClaim[] | string {
    const claims: ResourceClaim[] = [];
    for (const { name, resourceClaimName } of spec?.resourceClaims ?? []) {
      const made = status?.resourceClaimStatuses?.find((one) => one.name === name);
      if (resourceClaimName === undefined && !made) return `pod "${metadata.namespace}/${metadata.name}": ResourceClaim not created yet`;
      const claimName = resourceClaimName ?? made?.resourceClaimName;
      // Whoever makes claims from templates found that none is needed.
      if (claimName === undefined) continue;
      const claim = this.#claims.get(`${metadata.namespace}/${claimName}`);
      if (!claim) return `resourceclaim.resource.k8s.io "${claimName}" not found`;
      if (claim.metadata.deletionTimestamp) return `resourceclaim "${claimName}" is being deleted`;
      if (made && resourceClaimName === undefined && !isControlledBy(claim, { metadata }))
        return `ResourceClaim ${keyOf(claim)} was not created for pod ${metadata.namespace}/${metadata.name} (pod is not owner)`;
      claims.push(claim);
    }
    return claims;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    const { Add, Update, UpdateNodeLabel, UpdatePodGeneratedResourceClaim } = ActionType;
    return [
      { event: { resource: 'Node', actionType: Add | UpdateNodeLabel } },
      {
        event: { resource: 'ResourceClaim', actionType: Add | Update },
        hint: (pod, before, after) => this.#isSchedulableAfterClaimChange(pod, before, after as ResourceClaim | undefined),
      },
      {
        event: { resource: 'UnschedulablePod', actionType: UpdatePodGeneratedResourceClaim },
        hint: (pod, _before, after) => pod.metadata.uid === after?.metadata.uid && typeof this.#claimsOf(after as Pod) !== 'string',
      },
      { event: { resource: 'DeviceClass', actionType: Add | Update } },
      { event: { resource: 'ResourceSlice', actionType: Add | Update } },
    ];
  }

  /** Devices became free, or something happened to a claim of the pod's own. */
  #isSchedulableAfterClaimChange(pod: Pod, before: KubernetesObject | undefined, after: ResourceClaim | undefined): boolean {
    const claims = this.#claimsOf(pod);
    if (typeof claims === 'string' || !after) return false;
    const old = before as ResourceClaim | undefined;
    if (old?.status?.allocation && !after.status?.allocation) return true;
    if (!claims.some(({ metadata }) => metadata.uid === after.metadata.uid)) return false;
    return !old || !deepEqual(old.status ?? {}, after.status ?? {});
  }
}

function refuse(reason: string): Status {
  return new Status('UnschedulableAndUnresolvable', [reason], NAME);
}
