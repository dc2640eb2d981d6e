import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { podRequest } from '../lifecycle/pod-request.ts';
import type { UsageOfPods } from './pod-usage.ts';

interface Ranked {
  readonly pod: Pod;
  readonly usage: number;
  readonly request: number;
}

/**
 * The pods of a node, the first to be evicted first, by a resource that runs short. Memory and disk (pkg/kubelet/eviction rankMemoryPressure,
 * rankDiskPressureFunc): more than requested, then lower priority, then the larger excess. Process ids (rankPIDPressure): lower priority, then more processes.
 */
export function rankPods(pods: readonly Pod[], resource: string, usage: UsageOfPods): Pod[] {
  const ranked: Ranked[] = pods.flatMap((pod) => {
    const found = usage.get(pod.metadata.uid ?? '');
    if (!found) return [];
    const used = resource === 'memory' ? found.memory : resource === 'pids' ? found.processes : found.disk;
    return [{ pod, usage: used, request: podRequest(pod).get(resource) ?? 0 }];
  });
  const exceeds = (one: Ranked): number => Number(resource !== 'pids' && one.usage > one.request);
  ranked.sort((a, b) => exceeds(b) - exceeds(a) || priority(a.pod) - priority(b.pod) || b.usage - b.request - (a.usage - a.request));
  return ranked.map(({ pod }) => pod);
}

const priority = (pod: Pod): number => pod.spec?.priority ?? 0;
