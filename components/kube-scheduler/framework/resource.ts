import type { Container, ContainerStatus, Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';

/** Amounts by resource name: cpu in thousandths, everything else in whole units. */
export type ResourceAmounts = Map<string, number>;

/** pkg/scheduler/util DefaultMilliCPURequest and DefaultMemoryRequest: what a container without a request counts as in scores. */
export const DEFAULT_MILLI_CPU_REQUEST = 100;
export const DEFAULT_MEMORY_REQUEST = 200 * 1024 * 1024;

const MAX_CACHED_AMOUNTS = 10_000;
const cpuAmounts = new Map<string, number>();
const otherAmounts = new Map<string, number>();

/** The amount of `text` of resource `name`. The same few texts come again and again, so they are remembered. */
export function amountOf(name: string, text: string | number): number {
  const cache = name === 'cpu' ? cpuAmounts : otherAmounts;
  const key = String(text);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const quantity = parseQuantity(key);
  const amount = Number(name === 'cpu' ? quantity.milliValue() : quantity.value());
  if (cache.size >= MAX_CACHED_AMOUNTS) cache.clear();
  cache.set(key, amount);
  return amount;
}

export function amountsOf(list: Readonly<Record<string, string>> | undefined): ResourceAmounts {
  const amounts: ResourceAmounts = new Map();
  for (const name in list) amounts.set(name, amountOf(name, list[name] ?? '0'));
  return amounts;
}

function addTo(total: ResourceAmounts, more: ResourceAmounts): void {
  for (const [name, amount] of more) total.set(name, (total.get(name) ?? 0) + amount);
}

function raiseTo(total: ResourceAmounts, other: ResourceAmounts): void {
  for (const [name, amount] of other) if (amount > (total.get(name) ?? -1)) total.set(name, amount);
}

/** pkg/apis/core/v1/helper IsScalarResourceName, as far as requests can have such names: anything but the four native ones. */
export function isScalarResourceName(name: string): boolean {
  return name !== 'cpu' && name !== 'memory' && name !== 'ephemeral-storage' && name !== 'pods';
}

/** pkg/apis/core/v1/helper IsExtendedResourceName */
export function isExtendedResourceName(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
}

/** component-helpers resource.IsPodLevelRequestsSet: the pod as a whole asks for a resource that pods can ask for. */
export function isPodLevelRequestsSet(pod: Pod): boolean {
  return Object.keys(pod.spec?.resources?.requests ?? {}).some(isSupportedPodLevelResource);
}

function isSupportedPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/**
 * What a pod asks for: component-helpers resource.PodRequests, with the allocated and actual resources of a running pod taken into account.
 * @param options.nonMissing what a container counts as that does not ask for a resource
 * @param options.skipPodLevel count containers, although the pod as a whole asks
 */
export function podRequests(
  pod: Pod,
  options: { readonly nonMissing?: ResourceAmounts; readonly skipPodLevel?: boolean } = {},
): ResourceAmounts {
  const { nonMissing, skipPodLevel = false } = options;
  const spec = pod.spec;
  const total: ResourceAmounts = new Map();
  if (!spec) return total;
  const infeasible = isPodResizeInfeasible(pod);
  const requestsOf = (container: Container, statuses: readonly ContainerStatus[] | undefined): ResourceAmounts => {
    const amounts = containerRequests(container, statuses, infeasible);
    if (nonMissing) for (const [name, amount] of nonMissing) if (!amounts.has(name)) amounts.set(name, amount);
    return amounts;
  };
  for (const container of spec.containers) addTo(total, requestsOf(container, pod.status?.containerStatuses));
  if (spec.initContainers?.length) raiseTo(total, initContainerRequests(pod, total, requestsOf));
  if (!skipPodLevel && isPodLevelRequestsSet(pod)) {
    for (const [name, amount] of amountsOf(spec.resources?.requests)) if (isSupportedPodLevelResource(name)) total.set(name, amount);
  }
  if (spec.overhead) addTo(total, amountsOf(spec.overhead));
  return total;
}

type RequestsOf = (container: Container, statuses: readonly ContainerStatus[] | undefined) => ResourceAmounts;

/** Sidecars add to the pod for good (to `total`); each other init container runs beside the sidecars before it. */
function initContainerRequests(pod: Pod, total: ResourceAmounts, requestsOf: RequestsOf): ResourceAmounts {
  const sidecars: ResourceAmounts = new Map();
  const highest: ResourceAmounts = new Map();
  for (const container of pod.spec?.initContainers ?? []) {
    const requests = requestsOf(container, pod.status?.initContainerStatuses);
    if (container.restartPolicy === 'Always') {
      addTo(total, requests);
      addTo(sidecars, requests);
      raiseTo(highest, sidecars);
    } else {
      addTo(requests, sidecars);
      raiseTo(highest, requests);
    }
  }
  return highest;
}

function containerRequests(container: Container, statuses: readonly ContainerStatus[] | undefined, infeasible: boolean): ResourceAmounts {
  const spec = amountsOf(container.resources?.requests);
  const status = statuses?.find((one) => one.name === container.name);
  if (!status?.resources) return spec;
  const amounts = infeasible ? new Map<string, number>() : spec;
  raiseTo(amounts, amountsOf(status.resources.requests));
  raiseTo(amounts, amountsOf(status.allocatedResources));
  return amounts;
}

function isPodResizeInfeasible(pod: Pod): boolean {
  return (pod.status?.conditions ?? []).some((one) => one.type === 'PodResizePending' && one.reason === 'Infeasible');
}
