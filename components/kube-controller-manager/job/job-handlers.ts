import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { Job } from '../../../src/api/kinds/batch-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { keyOf } from '../../../src/api/object.ts';
import { parseTime } from '../../../src/api/time.ts';
import type { SharedInformer } from '../../../src/client/informer.ts';
import type { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { listControlledBy } from '../controller/controller-index.ts';
import { urgencyOf } from '../controller/patience.ts';
import type { JobServices } from './job-sync.ts';
import { hasJobTrackingFinalizer, isJobFinished, JOB } from './job-utils.ts';
import { SYNC_JOB_BATCH_PERIOD_MS } from './manage-job.ts';

const SECOND = 1000;

export interface JobHandlerOptions {
  readonly jobs: SharedInformer<Job>;
  readonly pods: SharedInformer<Pod>;
  readonly services: JobServices;
  readonly orphanQueue: RateLimitingQueue;
}

/** What Jobs hear of. */
export function addJobHandlers(options: JobHandlerOptions): void {
  const handlers = new JobHandlers(options);
  options.jobs.addEventHandler({
    onAdd: (job) => options.services.queue.add(keyOf(job)),
    onUpdate: (old, job) => handlers.updateJob(old, job),
    onDelete: (job) => handlers.deleteJob(job),
  });
  options.pods.addEventHandler({
    onAdd: (pod) => handlers.addPod(pod),
    onUpdate: (old, pod) => handlers.updatePod(old, pod),
    onDelete: (pod) => handlers.deletePod(pod, true),
  });
}

/** The Job that controls the pod, if it is in the cache: pkg/controller/job/job_controller.go resolveControllerRef */
export function resolveControllerRef(jobs: SharedInformer<Job>, pod: Pod): Job | undefined {
  const reference = getControllerOf(pod);
  if (reference?.kind !== JOB.kind) return undefined;
  const job = jobs.store.get(keyOf({ namespace: pod.metadata.namespace, name: reference.name }));
  return job?.metadata.uid === reference.uid ? job : undefined;
}

class JobHandlers {
  readonly #options: JobHandlerOptions;

  constructor(options: JobHandlerOptions) {
    this.#options = options;
  }

  /** pkg/controller/job/job_controller.go updateJob */
  updateJob(old: Job, job: Job): void {
    const { queue, simulation } = this.#options.services;
    const key = keyOf(job);
    if (job.metadata.generation === old.metadata.generation) this.#enqueueBatched(job);
    else queue.add(key);
    if (isJobFinished(job)) this.#cleanupPodFinalizers(job);
    const startTime = parseTime(job.status?.startTime);
    const { activeDeadlineSeconds } = job.spec ?? {};
    if (startTime === undefined || activeDeadlineSeconds === undefined || activeDeadlineSeconds === old.spec?.activeDeadlineSeconds) return;
    const remaining = startTime + activeDeadlineSeconds * SECOND - simulation.wallTime;
    queue.addAfter(key, remaining, urgencyOf(remaining));
  }

  /** pkg/controller/job/job_controller.go deleteJob */
  deleteJob(job: Job): void {
    this.#options.services.queue.add(keyOf(job));
    this.#cleanupPodFinalizers(job);
  }

  /** pkg/controller/job/job_controller.go cleanupPodFinalizers */
  #cleanupPodFinalizers(job: Job): void {
    const selector = labelSelectorAsSelector(job.spec?.selector);
    for (const pod of listControlledBy(this.#options.pods.store, job.metadata.uid ?? '')) {
      if (hasJobTrackingFinalizer(pod) && selector.matches(pod.metadata.labels)) this.#enqueueOrphan(pod);
    }
  }

  /** pkg/controller/job/job_controller.go addPod */
  addPod(pod: Pod): void {
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.deletePod(pod, false);
      return;
    }
    if (getControllerOf(pod)) {
      const job = this.#jobOf(pod);
      if (!job) return;
      this.#options.services.expectations.creationObserved(keyOf(job));
      this.#enqueueBatched(job);
      return;
    }
    if (hasJobTrackingFinalizer(pod)) this.#enqueueOrphan(pod);
    this.#enqueueMatching(pod);
  }

  /** pkg/controller/job/job_controller.go updatePod */
  updatePod(old: Pod, pod: Pod): void {
    if (old.metadata.resourceVersion === pod.metadata.resourceVersion) return;
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.deletePod(pod, false);
      return;
    }
    const isFinalizerGone = !hasJobTrackingFinalizer(pod);
    const reference = getControllerOf(pod);
    const refChanged = reference?.uid !== getControllerOf(old)?.uid;
    const heard = [...(refChanged ? [this.#jobOf(old)] : []), this.#jobOf(pod)];
    for (const job of heard) {
      if (!job) continue;
      if (isFinalizerGone) this.#observeRemoval(job, pod);
      this.#enqueueBatched(job);
    }
    if (reference) return;
    if (!isFinalizerGone) this.#enqueueOrphan(pod);
    if (refChanged || !semanticDeepEqual(old.metadata.labels, pod.metadata.labels)) this.#enqueueMatching(pod);
  }

  /** @param isFinal the pod is gone, not only being deleted. pkg/controller/job/job_controller.go deletePod */
  deletePod(pod: Pod, isFinal: boolean): void {
    const hasFinalizer = hasJobTrackingFinalizer(pod);
    const job = this.#jobOf(pod);
    if (!job || isJobFinished(job)) {
      // No sync of a Job removes this finalizer.
      if (hasFinalizer) this.#enqueueOrphan(pod);
      return;
    }
    this.#options.services.expectations.deletionObserved(keyOf(job));
    if (isFinal || !hasFinalizer) this.#observeRemoval(job, pod);
    this.#enqueueBatched(job);
  }

  #jobOf(pod: Pod): Job | undefined {
    return resolveControllerRef(this.#options.jobs, pod);
  }

  #observeRemoval(job: Job, pod: Pod): void {
    this.#options.services.finalizerExpectations.finalizerRemovalObserved(keyOf(job), pod.metadata.uid ?? '');
  }

  /** pkg/controller/job/job_controller.go enqueueSyncJobBatched */
  #enqueueBatched(job: Job): void {
    this.#options.services.queue.addAfter(keyOf(job), SYNC_JOB_BATCH_PERIOD_MS);
  }

  #enqueueOrphan(pod: Pod): void {
    this.#options.orphanQueue.add(keyOf(pod));
  }

  /** An orphan: one of these may adopt it. pkg/controller/job/job_controller.go getPodJobs */
  #enqueueMatching(pod: Pod): void {
    for (const job of this.#options.jobs.store.listNamespace(pod.metadata.namespace ?? '')) {
      const selector = labelSelectorAsSelector(job.spec?.selector);
      if (!selector.empty && selector.matches(pod.metadata.labels)) this.#enqueueBatched(job);
    }
  }
}
