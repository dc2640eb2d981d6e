import { deepEqual } from '../../../src/api/deep-equal.ts';
import { type HostPort, hostPortsOf } from '../../../src/api/host-ports.ts';
import type { ContainerStatus, Pod, PodAffinityTerm, WeightedPodAffinityTerm } from '../../../src/api/kinds/core-v1.ts';
import { AffinityTerm } from './affinity-term.ts';
import {
  DEFAULT_MEMORY_REQUEST,
  DEFAULT_MILLI_CPU_REQUEST,
  isPodLevelRequestsSet,
  isScalarResourceName,
  podRequests,
  type ResourceAmounts,
} from './resource.ts';

const NONE: readonly never[] = [];
const NO_AMOUNTS: ReadonlyMap<string, number> = new Map();
const DEFAULT_REQUESTS: ResourceAmounts = new Map([
  ['cpu', DEFAULT_MILLI_CPU_REQUEST],
  ['memory', DEFAULT_MEMORY_REQUEST],
]);

/** What the scheduler needs to know of a pod, worked out once: framework.PodInfo (pkg/scheduler/framework/types.go). */
export class PodInfo {
  /** Replaced by newer states of the pod as long as nothing below changes. */
  pod: Pod;
  readonly requests: ReadonlyMap<string, number>;
  readonly milliCPU: number;
  readonly memory: number;
  readonly ephemeralStorage: number;
  /** Extended resources, huge pages and the like. */
  readonly scalarResources: readonly (readonly [string, number])[];
  /** As scores count: each container without a request counts as a little. */
  readonly nonZeroMilliCPU: number;
  readonly nonZeroMemory: number;
  /** As scores count a pod that is to come: what its containers ask for, even if the pod as a whole asks for something else. */
  readonly scoredMilliCPU: number;
  readonly scoredMemory: number;
  readonly hostPorts: readonly HostPort[];
  /** `namespace/name` of the claims that the pod mounts, those of ephemeral volumes included. */
  readonly claims: readonly string[];
  readonly requiredAffinityTerms: readonly AffinityTerm[];
  readonly requiredAntiAffinityTerms: readonly AffinityTerm[];
  readonly preferredAffinityTerms: readonly AffinityTerm[];
  readonly preferredAntiAffinityTerms: readonly AffinityTerm[];
  /** Worked out by the first who asks. */
  affinityClassText: string | undefined;

  constructor(pod: Pod) {
    this.pod = pod;
    const requests = podRequests(pod);
    this.requests = requests.size ? requests : NO_AMOUNTS;
    this.milliCPU = requests.get('cpu') ?? 0;
    this.memory = requests.get('memory') ?? 0;
    this.ephemeralStorage = requests.get('ephemeral-storage') ?? 0;
    const scalars = [...requests].filter(([name]) => isScalarResourceName(name));
    this.scalarResources = scalars.length ? scalars : NONE;
    const nonZero = podRequests(pod, { nonMissing: nonMissingContainerRequests(pod, requests) });
    this.nonZeroMilliCPU = nonZero.get('cpu') ?? 0;
    this.nonZeroMemory = nonZero.get('memory') ?? 0;
    const scored = isPodLevelRequestsSet(pod) ? podRequests(pod, { nonMissing: DEFAULT_REQUESTS, skipPodLevel: true }) : nonZero;
    this.scoredMilliCPU = scored.get('cpu') ?? 0;
    this.scoredMemory = scored.get('memory') ?? 0;
    this.hostPorts = hostPortsOf(pod);
    this.claims = claimsOf(pod);
    const affinity = pod.spec?.affinity;
    this.requiredAffinityTerms = required(pod, affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
    this.requiredAntiAffinityTerms = required(pod, affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
    this.preferredAffinityTerms = preferred(pod, affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution);
    this.preferredAntiAffinityTerms = preferred(pod, affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution);
  }

  /** Equal for pods that inter-pod affinity cannot tell apart. */
  get affinityClass(): string {
    const { namespace, labels } = this.pod.metadata;
    const { podAffinity, podAntiAffinity } = this.pod.spec?.affinity ?? {};
    this.affinityClassText ??= JSON.stringify([namespace, labels, podAffinity, podAntiAffinity]);
    return this.affinityClassText;
  }

  get hasAffinity(): boolean {
    return (
      this.requiredAffinityTerms.length +
        this.requiredAntiAffinityTerms.length +
        this.preferredAffinityTerms.length +
        this.preferredAntiAffinityTerms.length >
      0
    );
  }

  /** All that the pod has is best effort: neither cpu nor memory asked for. */
  get isBestEffort(): boolean {
    return this.milliCPU === 0 && this.memory === 0;
  }
}

const known = new WeakMap<Pod, PodInfo>();
/** The one asked for last: a cycle asks for the same pod on each node. */
let last: PodInfo | undefined;

/** The info of a pod object; objects never change, so it is worked out once for each. */
export function podInfoOf(pod: Pod): PodInfo {
  if (last?.pod === pod) return last;
  let info = known.get(pod);
  if (!info) {
    info = new PodInfo(pod);
    known.set(pod, info);
  }
  last = info;
  return info;
}

/** The pod as it will be on the node, with all that is known of it. */
export function assumedPod(pod: Pod, nodeName: string): Pod {
  const assumed: Pod = { ...pod, spec: { ...pod.spec, nodeName } as NonNullable<Pod['spec']> };
  const info = Object.create(PodInfo.prototype) as PodInfo;
  known.set(assumed, Object.assign(info, podInfoOf(pod), { pod: assumed }));
  // Its old state may live long in the history of the store.
  known.delete(pod);
  return assumed;
}

/**
 * Makes the info of a pod on a node the info of a newer state of it, wherever it is in use, if that asks for nothing else: a new status costs no
 * changes of its node then. Returns whether it was so.
 */
export function carryOver(old: Pod, pod: Pod): boolean {
  const info = podInfoOf(old);
  if (info.pod !== old || !asksForTheSame(old, pod)) return false;
  info.pod = pod;
  known.delete(old);
  known.set(pod, info);
  return true;
}

/** Whether scheduling cannot tell two states of a pod apart. May be false when it could not either. */
export function asksForTheSame(old: Pod, pod: Pod): boolean {
  return (
    shareAllFields(old.spec, pod.spec) &&
    old.metadata.deletionTimestamp === pod.metadata.deletionTimestamp &&
    deepEqual(old.metadata.labels, pod.metadata.labels) &&
    hasSpecAmountsOnly(old) &&
    hasSpecAmountsOnly(pod)
  );
}

function shareAllFields(a: Pod['spec'] = { containers: [] }, b: Pod['spec'] = { containers: [] }): boolean {
  if (a === b) return true;
  for (const key in a) if (a[key as keyof typeof a] !== b[key as keyof typeof b]) return false;
  for (const key in b) if (!(key in a)) return false;
  return true;
}

/** No container's status tells of resources, which would count besides those of the spec. */
function hasSpecAmountsOnly({ status }: Pod): boolean {
  const tells = (container: ContainerStatus): boolean =>
    container.allocatedResources !== undefined || container.resources?.requests !== undefined;
  return !status?.containerStatuses?.some(tells) && !status?.initContainerStatuses?.some(tells);
}

/** pkg/scheduler/framework getNonMissingContainerRequests */
function nonMissingContainerRequests(pod: Pod, requests: ResourceAmounts): ResourceAmounts {
  const podLevel = isPodLevelRequestsSet(pod);
  if (!podLevel) return DEFAULT_REQUESTS;
  return new Map([...DEFAULT_REQUESTS].filter(([name]) => !requests.has(name)));
}

function claimsOf(pod: Pod): readonly string[] {
  let claims: string[] | undefined;
  for (const volume of pod.spec?.volumes ?? NONE) {
    const name = volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral ? `${pod.metadata.name}-${volume.name}` : undefined);
    if (name === undefined) continue;
    claims ??= [];
    claims.push(`${pod.metadata.namespace}/${name}`);
  }
  return claims ?? NONE;
}

function required(pod: Pod, terms: readonly PodAffinityTerm[] | undefined): readonly AffinityTerm[] {
  return terms?.length ? terms.map((term) => new AffinityTerm(pod, term)) : NONE;
}

function preferred(pod: Pod, terms: readonly WeightedPodAffinityTerm[] | undefined): readonly AffinityTerm[] {
  return terms?.length ? terms.map((one) => new AffinityTerm(pod, one.podAffinityTerm, one.weight)) : NONE;
}
