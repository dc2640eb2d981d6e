import type { ContainerStatus, Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseTime } from '../../../src/api/time.ts';
import { isPodReady, podReadyTime } from './controller-utils.ts';

/** pkg/apis/core annotation_key_constants.go PodDeletionCost */
export const POD_DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

const PHASE_ORDER: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
const NANOSECONDS = 1e6;

/** What the order looks at. */
interface Traits {
  readonly uid: string;
  readonly unassigned: boolean;
  readonly phase: number;
  readonly ready: boolean;
  readonly readySince: number | undefined;
  readonly cost: number;
  readonly restarts: readonly [regular: number, sidecars: number];
  readonly created: number | undefined;
}

interface RankedPod {
  readonly pod: Pod;
  readonly traits: Traits;
  readonly rank: number;
}

/** Pods do not change, so what was read of one holds for as long as it lives. */
const known = new WeakMap<Pod, Traits>();

/**
 * The first `count` pods in the order in which a scale-down takes them: pkg/controller/controller_utils.go ActivePodsWithRanks.
 * @param options.rankOf how many active pods of the same controller's sets share the pod's node
 */
export function firstActivePodsWithRanks(
  pods: readonly Pod[],
  count: number,
  { rankOf, now }: { rankOf: (pod: Pod) => number; now: number },
): Pod[] {
  const kept: RankedPod[] = [];
  for (const pod of pods) {
    const ranked = { pod, traits: traitsOf(pod), rank: rankOf(pod) };
    const last = kept.length === count ? kept.at(-1) : undefined;
    if (last && comparePods(ranked, last, now) >= 0) continue;
    kept.splice(placeOf(ranked, kept, now), 0, ranked);
    if (kept.length > count) kept.pop();
  }
  return kept.map(({ pod }) => pod);
}

/** Behind those that are equal, as in a stable sort. */
function placeOf(ranked: RankedPod, sorted: readonly RankedPod[], now: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other && comparePods(ranked, other, now) >= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The order of Job and of controllers without ranks: pkg/controller/controller_utils.go ActivePods */
export function sortActivePods(pods: readonly Pod[]): Pod[] {
  const compare = (a: Traits, b: Traits): number => byState(a, b) || byReadyTime(a, b) || byRestarts(a, b) || byAge(a, b);
  return [...pods].sort((a, b) => compare(traitsOf(a), traitsOf(b)));
}

function comparePods({ traits: a, rank: rankA }: RankedPod, { traits: b, rank: rankB }: RankedPod, now: number): number {
  return byState(a, b) || a.cost - b.cost || rankB - rankA || byReadyTime(a, b, now) || byRestarts(a, b) || byAge(a, b, now);
}

function byState(a: Traits, b: Traits): number {
  return Number(b.unassigned) - Number(a.unassigned) || a.phase - b.phase || Number(a.ready) - Number(b.ready);
}

function byReadyTime(a: Traits, b: Traits, now?: number): number {
  return a.ready && b.ready ? youngerFirst({ of: a, at: a.readySince }, { of: b, at: b.readySince }, now) : 0;
}

function byRestarts(a: Traits, b: Traits): number {
  return b.restarts[0] - a.restarts[0] || b.restarts[1] - a.restarts[1];
}

function byAge(a: Traits, b: Traits, now?: number): number {
  return youngerFirst({ of: a, at: a.created }, { of: b, at: b.created }, now);
}

interface Aged {
  readonly of: Traits;
  readonly at: number | undefined;
}

/** With `now` ages count in powers of two, and the UID decides within one (LogarithmicScaleDown), so that not always the youngest pod goes. */
function youngerFirst(a: Aged, b: Aged, now: number | undefined): number {
  if (a.at === b.at) return 0;
  if (a.at === undefined) return -1;
  if (b.at === undefined) return 1;
  if (now === undefined) return b.at - a.at;
  return ageRank(a.at, now) - ageRank(b.at, now) || (a.of.uid < b.of.uid ? -1 : 1);
}

/** pkg/controller/controller_utils.go logarithmicRankDiff */
function ageRank(at: number, now: number): number {
  return now > at ? Math.floor(Math.log2((now - at) * NANOSECONDS)) : -1;
}

function traitsOf(pod: Pod): Traits {
  const remembered = known.get(pod);
  if (remembered) return remembered;
  const traits = readTraits(pod);
  known.set(pod, traits);
  return traits;
}

function readTraits(pod: Pod): Traits {
  return {
    uid: pod.metadata.uid ?? '',
    unassigned: !pod.spec?.nodeName,
    phase: PHASE_ORDER[pod.status?.phase ?? ''] ?? 0,
    ready: isPodReady(pod),
    readySince: podReadyTime(pod),
    cost: deletionCost(pod),
    restarts: maxContainerRestarts(pod),
    created: parseTime(pod.metadata.creationTimestamp),
  };
}

/** pkg/apis/core/helper GetDeletionCostFromPodAnnotations; what is no 32-bit number counts as 0. */
function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[POD_DELETION_COST];
  if (text === undefined || !/^(-?[1-9]\d*|0)$/.test(text)) return 0;
  const cost = Number(text);
  return cost === (cost | 0) ? cost : 0;
}

/** pkg/controller/controller_utils.go compareMaxContainerRestarts */
function maxContainerRestarts(pod: Pod): [number, number] {
  const most = (statuses: readonly ContainerStatus[] | undefined, counts: (name: string) => boolean): number =>
    (statuses ?? []).reduce((max, status) => (counts(status.name) ? Math.max(max, status.restartCount) : max), 0);
  const sidecars = new Set(
    (pod.spec?.initContainers ?? []).filter((container) => container.restartPolicy === 'Always').map(({ name }) => name),
  );
  return [most(pod.status?.containerStatuses, () => true), most(pod.status?.initContainerStatuses, (name) => sidecars.has(name))];
}
