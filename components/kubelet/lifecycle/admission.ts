import { HostPortInfo, hostPortsOf } from '../../../src/api/host-ports.ts';
import type { Node, Pod, Taint } from '../../../src/api/kinds/core-v1.ts';
import { matchesRequiredNodeAffinity } from '../../../src/api/node-affinity.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { tolerationsTolerateTaint } from '../../../src/api/taints.ts';
import { isCriticalPod } from '../pod-priority.ts';
import { isStaticPod } from '../types/pod-update.ts';
import { type PodRequest, podRequest } from './pod-request.ts';

export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** More of a resource is asked for than is left: pkg/kubelet/lifecycle InsufficientResourceError. */
export interface InsufficientResource {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** The answer of those who must be waited for, e.g. of a device plugin. */
type Asked = () => Promise<Refusal | undefined>;

interface AdmissionParts {
  /** Handlers that are asked before the resources are looked at, e.g. the eviction manager. */
  readonly before: readonly ((pod: Pod) => Refusal | undefined)[];
  /** Handlers that are asked last. */
  readonly after?: readonly ((pod: Pod) => Refusal | undefined)[];
  readonly node: () => Node | undefined;
  /** Makes room for a critical pod. Resolves with a refusal when there is none to be made. */
  readonly preempt?: (pod: Pod, insufficient: readonly InsufficientResource[]) => Promise<Refusal | undefined>;
  /** Gives the pod the devices that it asks for; nothing when it asks for none. */
  readonly devices?: {
    readonly admit: (pod: Pod) => Asked | undefined;
    /** How many of a resource are taken already. */
    readonly allocated: (resource: string) => number;
  };
}

/** A pod that has its share of the node. */
interface Reserved {
  readonly pod: Pod;
  readonly request: PodRequest;
}

const OS = 'linux';
const OS_LABEL = 'kubernetes.io/os';
/** Order in which resources are checked and reported. */
const CHECKED = ['cpu', 'memory', 'ephemeral-storage'];

/** pkg/kubelet/lifecycle predicateAdmitHandler: whether a pod that was given to this node fits it. */
export class PodAdmission {
  readonly #parts: AdmissionParts;
  readonly #reserved = new Map<string, Reserved>();
  readonly #used = new Map<string, number>();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** @returns why the pod cannot run here; a function that asks when others must be waited for, e.g. a device plugin or the end of lesser pods */
  admit(pod: Pod): Refusal | undefined | Asked {
    const node = this.#parts.node();
    if (!node) return undefined;
    for (const handler of this.#parts.before) {
      const refusal = handler(pod);
      if (refusal) return refusal;
    }
    const devices = this.#parts.devices?.admit(pod);
    if (!devices) return this.#predicates(pod, node);
    return async () => {
      const refusal = (await devices()) ?? this.#predicates(pod, node);
      return typeof refusal === 'function' ? refusal() : refusal;
    };
  }

  /** The pods that have a share of the node, and what they have of it. */
  get reserved(): Iterable<Reserved> {
    return this.#reserved.values();
  }

  /** pkg/kubelet/lifecycle generalFilter: the first reason is told, but for a critical pod resources are found where nothing else is amiss. */
  #predicates(pod: Pod, node: Node): Refusal | undefined | Asked {
    const os = checkOS(pod, node);
    if (os) return os;
    const insufficient = this.#insufficientResources(pod, node);
    const other = checkNodeAffinity(pod, node) ?? checkNodeName(pod, node) ?? this.#checkNodePorts(pod) ?? checkTaints(pod, node);
    const { preempt } = this.#parts;
    const [first] = insufficient;
    if (first && isCriticalPod(pod) && preempt) {
      if (!other) return async () => (await preempt(pod, insufficient)) ?? this.#last(pod);
      return other;
    }
    return (first && outOf(first)) ?? other ?? this.#last(pod);
  }

  #last(pod: Pod): Refusal | undefined {
    for (const handler of this.#parts.after ?? []) {
      const refusal = handler(pod);
      if (refusal) return refusal;
    }
    return undefined;
  }

  /** Whether the pod fits beside the others with what its spec asks for now. */
  admitResize(pod: Pod): Refusal | undefined {
    const node = this.#parts.node();
    const uid = pod.metadata.uid ?? '';
    const before = this.#reserved.get(uid);
    this.release(uid);
    const [insufficient] = node ? this.#insufficientResources(pod, node) : [];
    if (before) this.#take(before);
    return insufficient && outOf(insufficient);
  }

  /** The pod takes its share of the node until it has ended. */
  reserve(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    if (!this.#reserved.has(uid)) this.#take({ pod, request: podRequest(pod) });
  }

  #take(reserved: Reserved): void {
    this.#reserved.set(reserved.pod.metadata.uid ?? '', reserved);
    for (const [name, amount] of reserved.request) this.#used.set(name, (this.#used.get(name) ?? 0) + amount);
  }

  release(uid: string): void {
    for (const [name, amount] of this.#reserved.get(uid)?.request ?? []) this.#used.set(name, (this.#used.get(name) ?? 0) - amount);
    this.#reserved.delete(uid);
  }

  /** pkg/scheduler/framework/plugins/noderesources Fits */
  #insufficientResources(pod: Pod, node: Node): InsufficientResource[] {
    const allocatable = node.status?.allocatable ?? {};
    const pods = Number(allocatable['pods'] ?? '110');
    const missing: InsufficientResource[] = [];
    if (this.#reserved.size + 1 > pods) missing.push({ resource: 'pods', requested: 1, used: this.#reserved.size, capacity: pods });
    const request = podRequest(pod);
    const names = [...CHECKED, ...[...request.keys()].filter((name) => !CHECKED.includes(name))];
    for (const name of names) {
      const requested = request.get(name) ?? 0;
      const quantity = allocatable[name];
      if (requested === 0 || quantity === undefined) continue;
      const given = name === 'cpu' ? parseQuantity(quantity).milliValue() : parseQuantity(quantity).value();
      // Devices that fell ill while a pod has them still count: pkg/kubelet/cm/devicemanager sanitizeNodeAllocatable.
      const capacity = Math.max(given, this.#parts.devices?.allocated(name) ?? 0);
      const used = this.#used.get(name) ?? 0;
      if (used + requested > capacity) missing.push({ resource: name, requested, used, capacity });
    }
    return missing;
  }

  #checkNodePorts(pod: Pod): Refusal | undefined {
    const wanted = hostPortsOf(pod);
    if (wanted.length === 0) return undefined;
    const taken = new HostPortInfo();
    for (const other of this.#reserved.values()) for (const port of hostPortsOf(other.pod)) taken.add(port);
    if (!wanted.some((port) => taken.conflicts(port))) return undefined;
    return predicateFailed('NodePorts', "node(s) didn't have free ports for the requested pod ports");
  }
}

function outOf({ resource, requested, used, capacity }: InsufficientResource): Refusal {
  return {
    reason: `OutOf${resource}`,
    message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  };
}

/** pkg/kubelet/lifecycle PredicateFailureError */
function predicateFailed(name: string, why: string): Refusal {
  return { reason: name, message: `Predicate ${name} failed: ${why}` };
}

/** pkg/kubelet/lifecycle rejectPodAdmissionBasedOnOSSelector, rejectPodAdmissionBasedOnOSField */
function checkOS({ metadata, spec }: Pod, node: Node): Refusal | undefined {
  const label = metadata.labels?.[OS_LABEL];
  if (label !== undefined && label !== (node.metadata.labels?.[OS_LABEL] ?? OS))
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    };
  if (spec?.os && spec.os.name !== OS)
    return { reason: 'PodOSNotSupported', message: "Failed to admit pod as the OS field doesn't match node OS" };
  return undefined;
}

function checkNodeAffinity(pod: Pod, node: Node): Refusal | undefined {
  if (pod.spec && matchesRequiredNodeAffinity(pod.spec, node)) return undefined;
  return predicateFailed('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
}

function checkNodeName(pod: Pod, node: Node): Refusal | undefined {
  if (!pod.spec?.nodeName || pod.spec.nodeName === node.metadata.name) return undefined;
  return predicateFailed('NodeName', "node(s) didn't match the requested node name");
}

function checkTaints(pod: Pod, node: Node): Refusal | undefined {
  if (isStaticPod(pod)) return undefined;
  const taints: readonly Taint[] = node.spec?.taints ?? [];
  const untolerated = taints.find((taint) => taint.effect === 'NoExecute' && !tolerationsTolerateTaint(pod.spec?.tolerations, taint));
  return untolerated && predicateFailed('TaintToleration', "node(s) had taints that the pod didn't tolerate");
}
