import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { podRequest } from '../lifecycle/pod-request.ts';
import type { UsageOfPods } from './pod-usage.ts';

interface Ranked {
  readonly pod: Pod;
  /** Absent when nothing is known of what it uses, as of a pod that has no running container. */
  readonly usage: number | undefined;
  readonly request: number;
}

type Comparison = (a: Ranked, b: Ranked) => number;

/**
 * The pods of a node, the first to be evicted first, by a resource that runs short. Memory and disk (pkg/kubelet/eviction rankMemoryPressure,
 * rankDiskPressureFunc): those of which nothing is known, more than requested, then lower priority, then the larger excess. Process ids (rankPIDPressure):
 * lower priority, then those of which nothing is known, then more processes.
 */
export function rankPods(pods: readonly Pod[], resource: string, usage: UsageOfPods): Pod[] {
  const ranked: Ranked[] = pods.map((pod) => {
    const found = usage.get(pod.metadata.uid ?? '');
    const used = resource === 'memory' ? found?.memory : resource === 'pids' ? found?.processes : found?.disk;
    return { pod, usage: used, request: resource === 'pids' ? 0 : (podRequest(pod).get(resource) ?? 0) };
  });
  const order = resource === 'pids' ? [byPriority, byExcess] : [byExceeding, byPriority, byExcess];
  ranked.sort((a, b) => order.reduce((decided, compare) => decided || compare(a, b), 0));
  return ranked.map(({ pod }) => pod);
}

const byPriority: Comparison = (a, b) => (a.pod.spec?.priority ?? 0) - (b.pod.spec?.priority ?? 0);

/** pkg/kubelet/eviction exceedMemoryRequests, exceedDiskRequests */
const byExceeding: Comparison = (a, b) =>
  compareKnown(a, b, (one, other) => Number(other.usage > other.request) - Number(one.usage > one.request));

/** pkg/kubelet/eviction memory, disk, process */
const byExcess: Comparison = (a, b) => compareKnown(a, b, (one, other) => other.usage - other.request - (one.usage - one.request));

type Known = Ranked & { readonly usage: number };

/** Those of which nothing is known come first. */
function compareKnown(a: Ranked, b: Ranked, compare: (a: Known, b: Known) => number): number {
  if (a.usage === undefined || b.usage === undefined) return Number(a.usage !== undefined) - Number(b.usage !== undefined);
  return compare({ ...a, usage: a.usage }, { ...b, usage: b.usage });
}
