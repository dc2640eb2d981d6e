import type { Container, PersistentVolumeClaim, Pod, Service } from './kinds/core-v1.ts';
import type { KubernetesObject } from './object.ts';
import { newQuantity, parseQuantity, type Quantity } from './quantity.ts';
import { groupResource, type Resource } from './resource.ts';
import { parseTime } from './time.ts';

/** What a quota can name that pods use, but for extended resources and huge pages. */
export const POD_QUOTA_NAMES: ReadonlySet<string> = new Set([
  'pods',
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

/** Amounts by resource name. */
export type Amounts = Readonly<Record<string, Quantity>>;

const ONE = newQuantity(1);
/** Kinds that are counted under their plain name as well. */
const SHORT_NAMES = new Set(['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas', 'services', 'persistentvolumeclaims']);

/** What one object uses of each name that a ResourceQuota can limit. pkg/quota/v1/evaluator/core */
export function quotaUsage(resource: Pick<Resource, 'group' | 'resource'>, object: KubernetesObject, wallTime: number): Amounts {
  const name = groupResource(resource);
  const count = { [`count/${name}`]: ONE, ...(SHORT_NAMES.has(name) ? { [name]: ONE } : {}) };
  if (name === 'pods') return { ...count, ...podUsage(object as Pod, wallTime) };
  if (name === 'services') return { ...count, ...serviceUsage(object as Service) };
  if (name === 'persistentvolumeclaims') return { ...count, ...claimUsage(object as PersistentVolumeClaim) };
  return count;
}

/** Whether a pod still counts: it has not ended, and its time to end is not over. pkg/quota/v1/evaluator/core.QuotaV1Pod */
export function isQuotaPod({ metadata, status }: Pod, wallTime: number): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return true;
  return wallTime <= (parseTime(deletionTimestamp) ?? 0) + deletionGracePeriodSeconds * 1000;
}

function podUsage(pod: Pod, wallTime: number): Amounts {
  if (!isQuotaPod(pod, wallTime)) return {};
  const out: Record<string, Quantity> = { pods: ONE };
  for (const [name, amount] of Object.entries(podAmounts(pod, 'requests'))) {
    if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-')) out[name] = amount;
    out[`requests.${name}`] = amount;
  }
  for (const [name, amount] of Object.entries(podAmounts(pod, 'limits'))) if (!name.includes('/')) out[`limits.${name}`] = amount;
  return out;
}

/** What a pod may use at most at one time: containers and sidecars together, or what an init container needs. component-helpers resource.PodRequests */
function podAmounts({ spec, status }: Pod, key: 'requests' | 'limits'): Amounts {
  const running: Record<string, Quantity> = {};
  const peak: Record<string, Quantity> = {};
  const sidecars: Record<string, Quantity> = {};
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const isInfeasible = status?.conditions?.some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible') ?? false;
  const amountsOf = ({ name, resources }: Container): Record<string, Quantity> => {
    const wanted = quantities(resources?.[key]);
    const status = statuses.find((one) => one.name === name);
    if (!status?.resources) return wanted;
    // While it is resized it may have more than it is to have; what it cannot get does not count.
    const amounts = isInfeasible ? {} : wanted;
    raise(amounts, quantities(status.resources[key]));
    if (key === 'requests') raise(amounts, quantities(status.allocatedResources));
    return amounts;
  };
  for (const container of spec?.containers ?? []) add(running, amountsOf(container));
  for (const container of spec?.initContainers ?? []) {
    const amounts = amountsOf(container);
    if (container.restartPolicy === 'Always') {
      add(running, amounts);
      add(sidecars, amounts);
      raise(peak, sidecars);
    } else {
      const together = { ...sidecars };
      add(together, amounts);
      raise(peak, together);
    }
  }
  raise(running, peak);
  Object.assign(running, quantities(spec?.resources?.[key]));
  const overhead = quantities(spec?.overhead);
  for (const name in overhead) if (key === 'requests' || running[name]) add(running, { [name]: overhead[name] as Quantity });
  return running;
}

function quantities(list: Readonly<Record<string, string>> | undefined): Record<string, Quantity> {
  return Object.fromEntries(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text)]));
}

function add(total: Record<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) total[name] = total[name]?.add(amount) ?? amount;
}

function raise(total: Record<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const present = total[name];
    if (!present || present.compare(amount) < 0) total[name] = amount;
  }
}

function serviceUsage({ spec }: Service): Amounts {
  const ports = spec?.ports ?? [];
  if (spec?.type === 'NodePort') return { 'services.nodeports': newQuantity(ports.length), 'services.loadbalancers': newQuantity(0) };
  if (spec?.type !== 'LoadBalancer') return { 'services.nodeports': newQuantity(0), 'services.loadbalancers': newQuantity(0) };
  const allocated = spec.allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort) : ports;
  return { 'services.nodeports': newQuantity(allocated.length), 'services.loadbalancers': ONE };
}

function claimUsage({ metadata, spec, status }: PersistentVolumeClaim): Amounts {
  const className = metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';
  const out: Record<string, Quantity> = {};
  if (className) out[`${className}.storageclass.storage.k8s.io/persistentvolumeclaims`] = ONE;
  const requested = spec?.resources?.requests?.['storage'];
  if (requested === undefined) return out;
  const allocated = status?.allocatedResources?.['storage'];
  const wanted = parseQuantity(requested);
  const amount = allocated !== undefined && parseQuantity(allocated).compare(wanted) > 0 ? parseQuantity(allocated) : wanted;
  out['requests.storage'] = amount;
  if (className) out[`${className}.storageclass.storage.k8s.io/requests.storage`] = amount;
  return out;
}
