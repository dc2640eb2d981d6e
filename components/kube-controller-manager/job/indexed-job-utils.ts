import type { Job } from '../../../src/api/kinds/batch-v1.ts';
import type { EnvVar, Pod, PodTemplateSpec } from '../../../src/api/kinds/core-v1.ts';
import { sortActivePods } from '../controller/active-pods-order.ts';
import { getFinishedTime } from './backoff-utils.ts';
import { hasJobTrackingFinalizer, isPodFailed, isPodSucceeded } from './job-utils.ts';
import { OrderedIntervals } from './ordered-intervals.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';

const INDEX_ANNOTATION = 'batch.kubernetes.io/job-completion-index';
const FAILURE_COUNT_ANNOTATION = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED_FAILURE_COUNT_ANNOTATION = 'batch.kubernetes.io/job-index-ignored-failure-count';
const INDEX_ENV_NAME = 'JOB_COMPLETION_INDEX';
/** apiserver pkg/storage/names maxGeneratedNameLength */
const MAX_GENERATED_NAME_LENGTH = 58;

/** -1 when the pod has none: pkg/controller/job/indexed_job_utils.go getCompletionIndex */
export function getCompletionIndex(pod: Pod): number {
  const text = pod.metadata.annotations?.[INDEX_ANNOTATION];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : -1;
}

export function completionsOf(job: Job): number {
  return job.spec?.completions ?? 0;
}

/** An index that the Job has. */
export function isValidIndex(job: Job, index: number): boolean {
  return index >= 0 && index < completionsOf(job);
}

/** The indexes of the pods: pkg/controller/job/indexed_job_utils.go getIndexes */
export function getIndexes(pods: readonly Pod[]): Set<number> {
  return new Set(pods.map(getCompletionIndex).filter((index) => index >= 0));
}

/** pkg/controller/job/indexed_job_utils.go calculateSucceededIndexes */
export function calculateSucceededIndexes(job: Job, pods: readonly Pod[]): { previous: OrderedIntervals; now: OrderedIntervals } {
  const previous = OrderedIntervals.parse(job.status?.completedIndexes, completionsOf(job));
  const succeeded = pods.filter((pod) => isPodSucceeded(pod) && hasJobTrackingFinalizer(pod)).map(getCompletionIndex);
  return { previous, now: previous.with(new Set(succeeded.filter((index) => isValidIndex(job, index)))) };
}

/** pkg/controller/job/indexed_job_utils.go calculateFailedIndexes */
export function calculateFailedIndexes(job: Job, pods: readonly Pod[]): OrderedIntervals {
  const previous = OrderedIntervals.parse(job.status?.failedIndexes, completionsOf(job));
  const failed = pods.filter((pod) => isIndexFailed(job, pod)).map(getCompletionIndex);
  return previous.with(new Set(failed.filter((index) => isValidIndex(job, index) && !previous.has(index))));
}

/** pkg/controller/job/indexed_job_utils.go isIndexFailed */
function isIndexFailed(job: Job, pod: Pod): boolean {
  if (!isPodFailed(pod, job)) return false;
  const { countFailed, action } = matchPodFailurePolicy(job, pod);
  if (action === 'FailIndex') return true;
  return countFailed && countOf(pod, FAILURE_COUNT_ANNOTATION) >= (job.spec?.backoffLimitPerIndex ?? 0);
}

function countOf(pod: Pod, annotation: string): number {
  const text = pod.metadata.annotations?.[annotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
}

/** How often the index has failed before this pod: pkg/controller/job/indexed_job_utils.go getIndexAbsoluteFailureCount */
export function getIndexAbsoluteFailureCount(pod: Pod): number {
  return countOf(pod, FAILURE_COUNT_ANNOTATION) + countOf(pod, IGNORED_FAILURE_COUNT_ANNOTATION);
}

/**
 * Of each index that waits for its next pod the last failed one, which must stay until its count has been handed on.
 * @param candidates pods with the finalizer and a valid index. pkg/controller/job/indexed_job_utils.go getPodsWithDelayedDeletionPerIndex
 */
export function getPodsWithDelayedDeletionPerIndex(
  job: Job,
  { candidates, isSettled }: { candidates: readonly Pod[]; isSettled: (index: number) => boolean },
): ReadonlyMap<number, Pod> {
  const delayed = new Map<number, Pod>();
  for (const pod of candidates) {
    const index = getCompletionIndex(pod);
    if (!isPodFailed(pod, job) || isSettled(index)) continue;
    const last = delayed.get(index);
    const isLater =
      !last || (getIndexAbsoluteFailureCount(last) <= getIndexAbsoluteFailureCount(pod) && getFinishedTime(pod) >= getFinishedTime(last));
    if (isLater) delayed.set(index, pod);
  }
  return delayed;
}

/** Puts several pods of one index, and pods of indexes that are not wanted, first: pkg/controller/job/indexed_job_utils.go appendDuplicatedIndexPodsForRemoval */
export function splitDuplicatedIndexPods(job: Job, pods: readonly Pod[]): { remove: Pod[]; left: Pod[] } {
  const byIndex = new Map<number, Pod[]>();
  for (const pod of pods) {
    const index = getCompletionIndex(pod);
    byIndex.set(index, [...(byIndex.get(index) ?? []), pod]);
  }
  const remove: Pod[] = [];
  const left: Pod[] = [];
  for (const [index, same] of [...byIndex].sort(([a], [b]) => a - b)) {
    const sorted = sortActivePods(same);
    if (isValidIndex(job, index)) left.push(...sorted.splice(-1));
    remove.push(...sorted);
  }
  return { remove, left };
}

/** What makes the pod of an index out of the Job's template. */
export interface IndexedPod {
  readonly template: PodTemplateSpec;
  readonly generateName: string;
}

/**
 * @param replaced the last failed pod of the index; only with a limit per index
 * pkg/controller/job/indexed_job_utils.go addCompletionIndexAnnotation, addCompletionIndexLabel, addIndexFailureCountAnnotation, podGenerateNameWithIndex
 */
export function indexedPod(
  job: Job,
  { template, index, replaced }: { template: PodTemplateSpec; index: number; replaced: Pod | undefined },
): IndexedPod {
  const { name: jobName = '' } = job.metadata;
  const text = String(index);
  const metadata = {
    ...template.metadata,
    annotations: { ...template.metadata?.annotations, [INDEX_ANNOTATION]: text, ...failureCounts(job, replaced) },
    labels: { ...template.metadata?.labels, [INDEX_ANNOTATION]: text },
  };
  const suffix = `-${index}-`;
  return {
    template: { ...template, metadata, spec: { containers: [], ...template.spec, hostname: `${jobName}-${index}` } },
    generateName: jobName.slice(0, MAX_GENERATED_NAME_LENGTH - suffix.length) + suffix,
  };
}

/** pkg/controller/job/indexed_job_utils.go getNewIndexFailureCounts */
function failureCounts(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (job.spec?.backoffLimitPerIndex === undefined) return {};
  const counted = replaced ? countOf(replaced, FAILURE_COUNT_ANNOTATION) : 0;
  const ignored = replaced ? countOf(replaced, IGNORED_FAILURE_COUNT_ANNOTATION) : 0;
  const countFailed = replaced !== undefined && matchPodFailurePolicy(job, replaced).countFailed;
  const nowIgnored = ignored + (replaced && !countFailed ? 1 : 0);
  return {
    [FAILURE_COUNT_ANNOTATION]: String(counted + (countFailed ? 1 : 0)),
    ...(nowIgnored > 0 ? { [IGNORED_FAILURE_COUNT_ANNOTATION]: String(nowIgnored) } : {}),
  };
}

/** Lets the containers know their index, by the pod's label: pkg/controller/job/indexed_job_utils.go addCompletionIndexEnvVariables */
export function addCompletionIndexEnvVariables(template: PodTemplateSpec): PodTemplateSpec {
  const fieldPath = `metadata.labels['${INDEX_ANNOTATION}']`;
  const variable: EnvVar = { name: INDEX_ENV_NAME, valueFrom: { fieldRef: { fieldPath } } };
  const withIndex = <C extends { env?: EnvVar[] }>(container: C): C =>
    container.env?.some(({ name }) => name === INDEX_ENV_NAME) ? container : { ...container, env: [...(container.env ?? []), variable] };
  const { initContainers, containers = [], ...spec } = template.spec ?? { containers: [] };
  const started = initContainers ? { initContainers: initContainers.map(withIndex) } : {};
  return { ...template, spec: { ...spec, ...started, containers: containers.map(withIndex) } };
}
