import { deepEqual, semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { Container, Node, Pod, PodCondition, ResourceRequirements } from '../../../src/api/kinds/core-v1.ts';
import { computePodQOS } from '../../../src/api/pod-qos.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { isSidecar, isTerminalPhase } from '../container/runtime.ts';
import type { PodAdmission } from '../lifecycle/admission.ts';
import { podRequest } from '../lifecycle/pod-request.ts';

interface Pending {
  readonly reason: 'Infeasible' | 'Deferred';
  readonly message: string;
}

interface AllocationParts {
  readonly node: () => Node | undefined;
  readonly admission: PodAdmission;
}

const NONE: ResourceRequirements = {};
const QOS_ORDER = ['Guaranteed', 'Burstable', 'BestEffort'];

/** pkg/kubelet/allocation manager: what a pod may use, apart from what its spec asks for since it was resized. */
export class AllocationManager {
  readonly #parts: AllocationParts;
  /** By pod uid, then container. */
  readonly #allocated = new Map<string, Map<string, ResourceRequirements>>();
  /** What the runtime was last told. */
  readonly #actuated = new Map<string, Map<string, ResourceRequirements>>();
  /** By pod uid, the one that has waited longest first; why it has to wait, once it was tried. */
  readonly #pending = new Map<string, Pending | undefined>();
  /** Pods whose containers have not all got what the pod was given. */
  readonly #inProgress = new Set<string>();

  constructor(parts: AllocationParts) {
    this.#parts = parts;
  }

  /** pkg/kubelet/allocation AddPod: a new pod gets what it asks for. */
  addPod(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    if (!this.#allocated.has(uid)) this.#allocated.set(uid, resourcesOf(pod));
  }

  forget(uid: string): void {
    this.#allocated.delete(uid);
    this.#actuated.delete(uid);
    this.#pending.delete(uid);
    this.#inProgress.delete(uid);
  }

  /** pkg/kubelet/allocation UpdatePodFromAllocation: the pod with what it was given. The same object where that is what it asks for. */
  updatePodFromAllocation(pod: Pod): Pod {
    const allocated = this.#allocated.get(pod.metadata.uid ?? '');
    if (!allocated || !pod.spec || !this.#differs(pod, allocated)) return pod;
    const give = (container: Container): Container => ({
      ...container,
      resources: allocated.get(container.name) ?? container.resources ?? NONE,
    });
    const { initContainers } = pod.spec;
    return {
      ...pod,
      spec: {
        ...pod.spec,
        containers: pod.spec.containers.map(give),
        ...(initContainers ? { initContainers: initContainers.map(give) } : {}),
      },
    };
  }

  /** pkg/kubelet/allocation PushPendingResize: whether the pod's spec asks for something else than it was given. Then it is to be tried. */
  pushPendingResize(pod: Pod): boolean {
    const uid = pod.metadata.uid ?? '';
    const allocated = this.#allocated.get(uid);
    if (!allocated || isTerminalPhase(pod.status?.phase) || !this.#differs(pod, allocated)) {
      this.#pending.delete(uid);
      return false;
    }
    if (!this.#pending.has(uid)) this.#pending.set(uid, undefined);
    return true;
  }

  /**
   * pkg/kubelet/allocation RetryPendingResizes: gives pods what their specs ask for as far as there is room. First come those that ask for no more than
   * they have, then the more important ones, then those that have waited longest. Returns those for which something has changed.
   */
  retryPendingResizes(podOf: (uid: string) => Pod | undefined): Pod[] {
    const waiting = [...this.#pending.keys()].flatMap((uid) => podOf(uid) ?? []);
    waiting.sort(
      (a, b) =>
        Number(this.#asksForMore(a)) - Number(this.#asksForMore(b)) ||
        (b.spec?.priority ?? 0) - (a.spec?.priority ?? 0) ||
        QOS_ORDER.indexOf(computePodQOS(a)) - QOS_ORDER.indexOf(computePodQOS(b)),
    );
    return waiting.filter((pod) => this.#resize(pod));
  }

  /** pkg/kubelet/allocation handlePodResourcesResize. Returns whether the pod has got it, or waits for another reason than before. */
  #resize(pod: Pod): boolean {
    const uid = pod.metadata.uid ?? '';
    const refusal = this.#canResizePod(pod);
    if (refusal) {
      const before = this.#pending.get(uid);
      this.#pending.set(uid, refusal);
      return before?.reason !== refusal.reason || before.message !== refusal.message;
    }
    this.#pending.delete(uid);
    this.#allocated.set(uid, resourcesOf(pod));
    this.#parts.admission.release(uid);
    this.#parts.admission.reserve(pod);
    return true;
  }

  /** pkg/kubelet/allocation isResizeIncreasingRequests */
  #asksForMore(pod: Pod): boolean {
    const wanted = podRequest(pod);
    const given = podRequest(this.updatePodFromAllocation(pod));
    return ['cpu', 'memory'].some((name) => (wanted.get(name) ?? 0) > (given.get(name) ?? 0));
  }

  /** There are pods that wait until there is room. */
  get hasDeferred(): boolean {
    return [...this.#pending.values()].some((pending) => pending?.reason === 'Deferred');
  }

  /** The runtime runs the container with these resources. */
  setActuated(uid: string, container: Container): void {
    const actuated = this.#actuated.get(uid) ?? new Map<string, ResourceRequirements>();
    actuated.set(container.name, container.resources ?? NONE);
    this.#actuated.set(uid, actuated);
  }

  actuated(uid: string, name: string): ResourceRequirements | undefined {
    return this.#actuated.get(uid)?.get(name);
  }

  /** The resources of a container that differ from what the runtime was told. */
  changedResources(uid: string, container: Container): readonly string[] {
    const before = this.actuated(uid, container.name);
    if (!before) return [];
    const after = container.resources ?? NONE;
    return ['cpu', 'memory'].filter(
      (name) => before.requests?.[name] !== after.requests?.[name] || before.limits?.[name] !== after.limits?.[name],
    );
  }

  /** pkg/kubelet/status: conditions of a resize. `pod` is the pod with what it was given. */
  conditions(pod: Pod): PodCondition[] {
    const uid = pod.metadata.uid ?? '';
    const pending = this.#pending.get(uid);
    const observed = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation };
    const conditions: PodCondition[] = [];
    if (pending) conditions.push({ type: 'PodResizePending', ...observed, status: 'True', ...pending });
    if (this.isResizeInProgress(pod)) conditions.push({ type: 'PodResizeInProgress', ...observed, status: 'True' });
    return conditions;
  }

  isResizeInProgress(pod: Pod): boolean {
    const uid = pod.metadata.uid ?? '';
    return this.#actuated.has(uid) && resizableContainers(pod).some((container) => this.changedResources(uid, container).length > 0);
  }

  /** Whether a resize that the last sync found in progress is done by now: then it is to be told. */
  isResizeCompleted(pod: Pod): boolean {
    const uid = pod.metadata.uid ?? '';
    if (!this.isResizeInProgress(pod)) return this.#inProgress.delete(uid);
    this.#inProgress.add(uid);
    return false;
  }

  #differs(pod: Pod, allocated: ReadonlyMap<string, ResourceRequirements>): boolean {
    const { containers = [], initContainers = [] } = pod.spec ?? {};
    const changed = ({ name, resources }: Container): boolean => {
      const given = allocated.get(name);
      return given !== undefined && given !== resources && !deepEqual(given, resources) && !semanticDeepEqual(given, resources);
    };
    return containers.some(changed) || initContainers.some(changed);
  }

  /** pkg/kubelet/allocation canResizePod */
  #canResizePod(pod: Pod): Pending | undefined {
    if (pod.metadata.annotations?.['kubernetes.io/config.source'] === 'file')
      return { reason: 'Infeasible', message: 'In-place resize of static-pods is not supported' };
    const allocatable = this.#parts.node()?.status?.allocatable ?? {};
    const request = podRequest(pod);
    for (const name of ['cpu', 'memory']) {
      const requested = request.get(name) ?? 0;
      const quantity = parseQuantity(allocatable[name] ?? '0');
      const capacity = name === 'cpu' ? quantity.milliValue() : quantity.value();
      if (requested > capacity)
        return {
          reason: 'Infeasible',
          message: `Node didn't have enough capacity: ${name}, requested: ${requested}, capacity: ${capacity}`,
        };
    }
    const refusal = this.#parts.admission.admitResize(pod);
    return refusal && { reason: 'Deferred', message: refusal.message };
  }
}

/** The containers of a pod that can be resized: not those that only initialize it. */
export function resizableContainers({ spec }: Pod): readonly Container[] {
  const sidecars = spec?.initContainers?.filter(isSidecar) ?? [];
  return sidecars.length > 0 ? [...sidecars, ...(spec?.containers ?? [])] : (spec?.containers ?? []);
}

function resourcesOf(pod: Pod): Map<string, ResourceRequirements> {
  const all = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  return new Map(all.map(({ name, resources = NONE }) => [name, resources]));
}
