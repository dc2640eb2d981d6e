import type { ContainerStats } from '../../../src/api/cri.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { podRequest } from '../lifecycle/pod-request.ts';

interface Ranked {
  readonly pod: Pod;
  readonly usage: number;
  readonly request: number;
}

/** pkg/kubelet/eviction rankMemoryPressure, the first to be evicted first: more than requested, then lower priority, then the larger excess. */
export function rankMemoryPressure(pods: readonly Pod[], stats: readonly ContainerStats[]): Pod[] {
  const usage = new Map<string, number>();
  for (const { podUid, memoryBytes } of stats) usage.set(podUid, (usage.get(podUid) ?? 0) + memoryBytes);
  const ranked: Ranked[] = pods
    .filter((pod) => usage.has(pod.metadata.uid ?? ''))
    .map((pod) => ({ pod, usage: usage.get(pod.metadata.uid ?? '') ?? 0, request: podRequest(pod).get('memory') ?? 0 }));
  ranked.sort(
    (a, b) =>
      Number(b.usage > b.request) - Number(a.usage > a.request) ||
      priority(a.pod) - priority(b.pod) ||
      b.usage - b.request - (a.usage - a.request),
  );
  return ranked.map(({ pod }) => pod);
}

const priority = (pod: Pod): number => pod.spec?.priority ?? 0;
