import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { isScalarResourceName } from '../../framework/resource.ts';
import type { ResourceScorer, ResourceSpec } from './resource-scorers.ts';

/** plugins/noderesources resource_allocation.go resourceAllocationScorer: gathers amounts of a node with the pod on it, and scores them. */
export class ResourceAllocationScorer {
  readonly #names: readonly string[];
  /** Count what pods ask for as it is, or with a little for containers that ask for nothing. */
  readonly #useRequested: boolean;
  readonly #scorer: ResourceScorer;
  readonly #requested: number[];
  readonly #allocatable: number[];

  constructor(options: { resources: readonly ResourceSpec[]; useRequested: boolean; scorer: ResourceScorer }) {
    this.#names = options.resources.map((one) => one.name);
    this.#useRequested = options.useRequested;
    this.#scorer = options.scorer;
    this.#requested = this.#names.map(() => 0);
    this.#allocatable = this.#names.map(() => 0);
  }

  score(pod: PodInfo, node: NodeInfo): number {
    for (let i = 0; i < this.#names.length; i++) this.#measure(i, pod, node);
    return this.#scorer(this.#requested, this.#allocatable);
  }

  /** All of the pod that its score depends on. */
  key(pod: PodInfo): string {
    return this.podRequests(pod).join('/');
  }

  /** What the pod asks for of each resource that is scored. */
  podRequests(pod: PodInfo): number[] {
    return this.#names.map((name) => this.#podRequest(name, pod));
  }

  #podRequest(name: string, pod: PodInfo): number {
    if (name === 'cpu') return this.#useRequested ? pod.milliCPU : pod.scoredMilliCPU;
    if (name === 'memory') return this.#useRequested ? pod.memory : pod.scoredMemory;
    return pod.requests.get(name) ?? 0;
  }

  #measure(i: number, pod: PodInfo, node: NodeInfo): void {
    const name = this.#names[i] ?? '';
    const own = this.#podRequest(name, pod);
    if (name === 'cpu') {
      this.#allocatable[i] = node.allocatable.milliCPU;
      this.#requested[i] = own + (this.#useRequested ? node.requested.milliCPU : node.nonZeroMilliCPU);
    } else if (name === 'memory') {
      this.#allocatable[i] = node.allocatable.memory;
      this.#requested[i] = own + (this.#useRequested ? node.requested.memory : node.nonZeroMemory);
    } else if (name === 'ephemeral-storage') {
      this.#allocatable[i] = node.allocatable.ephemeralStorage;
      this.#requested[i] = own + node.requested.ephemeralStorage;
    } else {
      const asked = own > 0 && isScalarResourceName(name);
      this.#allocatable[i] = asked ? (node.allocatable.scalarResources.get(name) ?? 0) : 0;
      this.#requested[i] = asked ? own + (node.requested.scalarResources.get(name) ?? 0) : 0;
    }
  }
}
