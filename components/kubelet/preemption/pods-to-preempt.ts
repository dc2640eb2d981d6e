import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { computePodQOS } from '../../../src/api/pod-qos.ts';
import type { InsufficientResource } from '../lifecycle/admission.ts';
import type { PodRequest } from '../lifecycle/pod-request.ts';
import { isCriticalPod } from '../pod-priority.ts';

/** A pod of the node, with what it has been given. */
export interface AllocatedPod {
  readonly pod: Pod;
  readonly request: PodRequest;
}

/** How much of a resource is still to be freed. */
interface Requirement {
  readonly resource: string;
  readonly quantity: number;
}

/** No pods that may be ended have enough. */
export class PreemptionError extends Error {
  override name = 'PreemptionError';
}

/**
 * The pods that end so that a critical one has room: as few as possible of the highest classes of service, pkg/kubelet/preemption getPodsToPreempt.
 * @throws PreemptionError
 */
export function podsToPreempt(
  preemptor: Pod,
  pods: readonly AllocatedPod[],
  insufficient: readonly InsufficientResource[],
): AllocatedPod[] {
  const requirements = insufficient.map(({ resource, requested, used, capacity }) => ({
    resource,
    quantity: requested - (capacity - used),
  }));
  const preemptable = pods.filter(({ pod }) => isPreemptable(preemptor, pod));
  const ofClass = (name: string): AllocatedPod[] => preemptable.filter(({ pod }) => computePodQOS(pod) === name);
  const [bestEffort, burstable, guaranteed] = [ofClass('BestEffort'), ofClass('Burstable'), ofClass('Guaranteed')];
  const unmet = subtract(requirements, preemptable);
  if (unmet.length > 0) throw notEnough(unmet);
  const guaranteedVictims = byDistance(guaranteed, subtract(requirements, [...bestEffort, ...burstable]));
  const burstableVictims = byDistance(burstable, subtract(requirements, [...bestEffort, ...guaranteedVictims]));
  const bestEffortVictims = byDistance(bestEffort, subtract(requirements, [...burstableVictims, ...guaranteedVictims]));
  return [...bestEffortVictims, ...burstableVictims, ...guaranteedVictims];
}

/** pkg/kubelet/types Preemptable */
function isPreemptable(preemptor: Pod, pod: Pod): boolean {
  if (isCriticalPod(preemptor) && !isCriticalPod(pod)) return true;
  const [own, other] = [preemptor.spec?.priority, pod.spec?.priority];
  return own !== undefined && other !== undefined && own > other;
}

/** pkg/kubelet/preemption getPodsToPreemptByDistance: one pod after another, each time the one that leaves the least to be freed. */
function byDistance(pods: readonly AllocatedPod[], requirements: readonly Requirement[]): AllocatedPod[] {
  const left = [...pods];
  const victims: AllocatedPod[] = [];
  for (let open = requirements; open.length > 0; open = subtract(open, victims.slice(-1))) {
    const [first, ...others] = left;
    if (!first) throw notEnough(open);
    let best = first;
    for (const one of others) {
      const nearer = distance(open, one) - distance(open, best);
      if (nearer < 0 || (nearer === 0 && isSmaller(one, best))) best = one;
    }
    victims.push(best);
    // The last one takes its place, as in the real one: it decides among equals.
    const last = left.pop() as AllocatedPod;
    if (last !== best) left[left.indexOf(best)] = last;
  }
  return victims;
}

/** How far the pod is from freeing everything: the squares of the shares that would be left of each requirement. */
function distance(requirements: readonly Requirement[], pod: AllocatedPod): number {
  let sum = 0;
  for (const { resource, quantity } of requirements) {
    const left = quantity - requestOf(pod, resource);
    if (left > 0) sum += (left / quantity) ** 2;
  }
  return sum;
}

/** pkg/kubelet/preemption smallerResourceRequest: memory counts more than cpu. */
function isSmaller(one: AllocatedPod, other: AllocatedPod): boolean {
  for (const resource of ['memory', 'cpu']) {
    const difference = requestOf(one, resource) - requestOf(other, resource);
    if (difference !== 0) return difference < 0;
  }
  return true;
}

function subtract(requirements: readonly Requirement[], pods: readonly AllocatedPod[]): Requirement[] {
  return requirements.flatMap(({ resource, quantity }) => {
    const left = pods.reduce((rest, pod) => rest - requestOf(pod, resource), quantity);
    return left > 0 ? [{ resource, quantity: left }] : [];
  });
}

function requestOf({ request }: AllocatedPod, resource: string): number {
  return resource === 'pods' ? 1 : (request.get(resource) ?? 0);
}

function notEnough(requirements: readonly Requirement[]): PreemptionError {
  const list = requirements.map(({ resource, quantity }) => `(res: ${resource}, q: ${quantity}), `);
  return new PreemptionError(`no set of running pods found to reclaim resources: [${list.join('')}]`);
}
