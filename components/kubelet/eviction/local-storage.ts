import type { HostFiles } from '../../../src/api/cri.ts';
import type { Container, Pod } from '../../../src/api/kinds/core-v1.ts';
import { newQuantity, parseQuantity } from '../../../src/api/quantity.ts';
import { diskOf, emptyDirBytes, type PodUsage } from './pod-usage.ts';

const STORAGE = 'ephemeral-storage';

const limited = new WeakMap<Pod, boolean>();

/** Whether there is a limit at all for what the pod stores. */
export function hasLocalStorageLimit(pod: Pod): boolean {
  let known = limited.get(pod);
  if (known === undefined) {
    const { volumes = [], containers = [] } = pod.spec ?? {};
    known = volumes.some(({ emptyDir }) => emptyDir?.sizeLimit !== undefined) || containers.some((one) => limitOf(one) !== undefined);
    limited.set(pod, known);
  }
  return known;
}

/** pkg/kubelet/eviction localStorageEviction: why a pod has to go for what it stores, whatever room there is. */
export function exceededLocalStorage(pod: Pod, usage: PodUsage | undefined, files: HostFiles): string | undefined {
  return emptyDirLimit(pod, files) ?? (usage && (podLimit(pod, usage) ?? containerLimit(pod, usage)));
}

/** pkg/kubelet/eviction emptyDirLimitEviction */
function emptyDirLimit(pod: Pod, files: HostFiles): string | undefined {
  for (const { name, emptyDir } of pod.spec?.volumes ?? []) {
    const limit = emptyDir?.sizeLimit;
    if (limit === undefined || parseQuantity(limit).value() === 0) continue;
    if (emptyDirBytes(files, pod, name) > parseQuantity(limit).value())
      return `Usage of EmptyDir volume "${name}" exceeds the limit "${limit}". `;
  }
  return undefined;
}

/** pkg/kubelet/eviction podEphemeralStorageLimitEviction: of all containers together, with volumes. */
function podLimit(pod: Pod, usage: PodUsage): string | undefined {
  const limits = (pod.spec?.containers ?? []).map(limitOf);
  const known = limits.filter((limit) => limit !== undefined);
  if (known.length === 0) return undefined;
  const total = known.reduce((sum, limit) => sum + limit, 0);
  if (usage.disk <= total) return undefined;
  return `Pod ephemeral local storage usage exceeds the total limit of containers ${newQuantity(total, 'BinarySI').toString()}. `;
}

/** pkg/kubelet/eviction containerEphemeralStorageLimitEviction */
function containerLimit(pod: Pod, usage: PodUsage): string | undefined {
  for (const stats of usage.containers) {
    const container = pod.spec?.containers.find(({ name }) => name === stats.container);
    const limit = container && limitOf(container);
    if (limit !== undefined && diskOf(stats) > limit)
      return `Container ${stats.container} exceeded its local ephemeral storage limit "${container?.resources?.limits?.[STORAGE]}". `;
  }
  return undefined;
}

function limitOf({ resources }: Container): number | undefined {
  const limit = resources?.limits?.[STORAGE];
  return limit === undefined ? undefined : parseQuantity(limit).value();
}
