import type { Node, Pod, Taint } from '../../../src/api/kinds/core-v1.ts';
import { matchesRequiredNodeAffinity } from '../../../src/api/node-affinity.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { tolerationsTolerateTaint } from '../../../src/api/taints.ts';
import { type PodRequest, podRequest } from './pod-request.ts';

export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

interface AdmissionParts {
  /** Handlers that are asked before the resources are looked at, e.g. the eviction manager. */
  readonly before: readonly ((pod: Pod) => Refusal | undefined)[];
  /** Handlers that are asked last. */
  readonly after?: readonly ((pod: Pod) => Refusal | undefined)[];
  readonly node: () => Node | undefined;
  /** Gives the pod the devices that it asks for; nothing when it asks for none. */
  readonly devices?: {
    readonly admit: (pod: Pod) => (() => Promise<Refusal | undefined>) | undefined;
    /** How many of a resource are taken already. */
    readonly allocated: (resource: string) => number;
  };
}

/** Order in which resources are checked and reported. */
const CHECKED = ['cpu', 'memory', 'ephemeral-storage'];

/** pkg/kubelet/lifecycle predicateAdmitHandler: whether a pod that was given to this node fits it. */
export class PodAdmission {
  readonly #parts: AdmissionParts;
  readonly #reserved = new Map<string, PodRequest>();
  readonly #used = new Map<string, number>();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** @returns why the pod cannot run here; a function that asks when others must be waited for, e.g. a device plugin */
  admit(pod: Pod): Refusal | undefined | (() => Promise<Refusal | undefined>) {
    const node = this.#parts.node();
    if (!node) return undefined;
    for (const handler of this.#parts.before) {
      const refusal = handler(pod);
      if (refusal) return refusal;
    }
    const devices = this.#parts.devices?.admit(pod);
    return devices ? async () => (await devices()) ?? this.#predicates(pod, node) : this.#predicates(pod, node);
  }

  #predicates(pod: Pod, node: Node): Refusal | undefined {
    const refusal = this.#checkResources(pod, node) ?? checkNodeAffinity(pod, node) ?? checkTaints(pod, node);
    if (refusal) return refusal;
    for (const handler of this.#parts.after ?? []) {
      const last = handler(pod);
      if (last) return last;
    }
    return undefined;
  }

  /** Whether the pod fits beside the others with what its spec asks for now. */
  admitResize(pod: Pod): Refusal | undefined {
    const node = this.#parts.node();
    const uid = pod.metadata.uid ?? '';
    const before = this.#reserved.get(uid);
    this.release(uid);
    const refusal = node && this.#checkResources(pod, node);
    if (before) this.#take(uid, before);
    return refusal;
  }

  /** The pod takes its share of the node until it has ended. */
  reserve(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    if (!this.#reserved.has(uid)) this.#take(uid, podRequest(pod));
  }

  #take(uid: string, request: PodRequest): void {
    this.#reserved.set(uid, request);
    for (const [name, amount] of request) this.#used.set(name, (this.#used.get(name) ?? 0) + amount);
  }

  release(uid: string): void {
    for (const [name, amount] of this.#reserved.get(uid) ?? []) this.#used.set(name, (this.#used.get(name) ?? 0) - amount);
    this.#reserved.delete(uid);
  }

  #checkResources(pod: Pod, node: Node): Refusal | undefined {
    const allocatable = node.status?.allocatable ?? {};
    const pods = Number(allocatable['pods'] ?? '110');
    if (this.#reserved.size + 1 > pods) return outOf('pods', { requested: 1, used: this.#reserved.size, capacity: pods });
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
      if (used + requested > capacity) return outOf(name, { requested, used, capacity });
    }
    return undefined;
  }
}

function outOf(name: string, { requested, used, capacity }: { requested: number; used: number; capacity: number }): Refusal {
  return {
    reason: `OutOf${name}`,
    message: `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  };
}

function checkNodeAffinity(pod: Pod, node: Node): Refusal | undefined {
  if (pod.spec && matchesRequiredNodeAffinity(pod.spec, node)) return undefined;
  return { reason: 'NodeAffinity', message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector" };
}

function checkTaints(pod: Pod, node: Node): Refusal | undefined {
  const taints: readonly Taint[] = node.spec?.taints ?? [];
  const untolerated = taints.find((taint) => taint.effect === 'NoExecute' && !tolerationsTolerateTaint(pod.spec?.tolerations, taint));
  if (!untolerated) return undefined;
  return { reason: 'TaintToleration', message: "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate" };
}
