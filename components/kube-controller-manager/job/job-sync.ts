import type { Job, JobCondition, JobStatus } from '../../../src/api/kinds/batch-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { jobs as JOBS } from '../../../src/api/resources.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { ControllerExpectations } from '../../../src/client/expectations.ts';
import type { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Simulation } from '../../../src/sim/simulation.ts';
import { filterActivePods, isPodReady, isPodTerminating } from '../controller/controller-utils.ts';
import type { PodControl } from '../controller/pod-control.ts';
import type { BackoffRecord, BackoffStore } from './backoff-utils.ts';
import type { FinalizerExpectations } from './finalizer-expectations.ts';
import {
  calculateFailedIndexes,
  calculateSucceededIndexes,
  getCompletionIndex,
  getIndexes,
  getPodsWithDelayedDeletionPerIndex,
  isValidIndex,
} from './indexed-job-utils.ts';
import { hasBackoffLimitPerIndex, hasJobTrackingFinalizer, isIndexedJob, isPodFailed, isPodSucceeded, jobSuspended } from './job-utils.ts';
import { OrderedIntervals } from './ordered-intervals.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';

/** What the job controller works with. */
export interface JobServices {
  readonly simulation: Simulation;
  readonly jobs: ResourceClient<Job>;
  readonly pods: ResourceClient<Pod>;
  readonly podControl: PodControl;
  readonly recorder: EventRecorder;
  readonly queue: RateLimitingQueue;
  readonly expectations: ControllerExpectations;
  readonly finalizerExpectations: FinalizerExpectations;
  readonly backoffStore: BackoffStore;
}

/** A status that is being put together; zeros and empty texts are left out when it is written. */
export interface StatusDraft {
  active: number;
  ready: number | undefined;
  terminating: number | undefined;
  succeeded: number;
  failed: number;
  startTime: string | undefined;
  completionTime: string | undefined;
  completedIndexes: string;
  failedIndexes: string | undefined;
  conditions: readonly JobCondition[];
  /** UIDs of pods that have ended and whose finalizer may be there still. */
  uncounted: { succeeded: readonly string[]; failed: readonly string[] };
}

/** One sync of one Job: pkg/controller/job/job_controller.go syncJobCtx */
export class JobSync {
  readonly services: JobServices;
  readonly key: string;
  readonly pods: readonly Pod[];
  readonly activePods: readonly Pod[];
  readonly expectedRmFinalizers: ReadonlySet<string>;
  /** UIDs that the status listed when the sync began. */
  readonly uncounted: { readonly succeeded: ReadonlySet<string>; readonly failed: ReadonlySet<string> };
  readonly newBackoffRecord: BackoffRecord;
  readonly prevSucceededIndexes: OrderedIntervals;
  readonly failedIndexes: OrderedIntervals | undefined;
  readonly podsWithDelayedDeletionPerIndex: ReadonlyMap<number, Pod>;
  readonly succeeded: number;
  readonly failed: number;
  succeededIndexes: OrderedIntervals;
  ready: number;
  terminating: number;
  finishedCondition: JobCondition | undefined;
  /** As it was last read or written; the sync's changes are in `status`. */
  job: Job;
  status: StatusDraft;

  constructor(services: JobServices, job: Job, pods: readonly Pod[]) {
    this.services = services;
    this.key = keyOf(job);
    this.job = job;
    this.pods = pods;
    this.status = draftOf(job.status);
    this.activePods = filterActivePods(pods);
    this.ready = this.activePods.filter(isPodReady).length;
    this.terminating = pods.filter(isPodTerminating).length;
    this.expectedRmFinalizers = services.finalizerExpectations.getExpectedUIDs(this.key);
    const { succeeded, failed } = this.status.uncounted;
    this.uncounted = { succeeded: new Set(succeeded), failed: new Set(failed) };
    const newSucceeded = this.#validPods((pod) => isPodSucceeded(pod) && !this.uncounted.succeeded.has(uidOf(pod)));
    const newFailed = this.#validPods((pod) => isPodFailed(pod, job) && !this.uncounted.failed.has(uidOf(pod)));
    this.newBackoffRecord = services.backoffStore.newBackoffRecord(this.key, newSucceeded, newFailed);
    const counted = newFailed.filter((pod) => matchPodFailurePolicy(job, pod).countFailed);
    this.failed = this.status.failed + counted.length + failed.length;
    const indexes = isIndexedJob(job) ? calculateSucceededIndexes(job, pods) : undefined;
    this.prevSucceededIndexes = indexes?.previous ?? OrderedIntervals.empty;
    this.succeededIndexes = indexes?.now ?? OrderedIntervals.empty;
    this.succeeded = indexes ? indexes.now.total : this.status.succeeded + newSucceeded.length + succeeded.length;
    this.failedIndexes = indexes && hasBackoffLimitPerIndex(job) ? calculateFailedIndexes(job, pods) : undefined;
    this.podsWithDelayedDeletionPerIndex = this.#delayedPods();
    if (this.status.startTime === undefined && !jobSuspended(job)) this.status.startTime = formatTime(this.now);
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.services.simulation.wallTime;
  }

  /** Pods that the status does not account for yet: pkg/controller/job/job_controller.go getValidPodsWithFilter */
  #validPods(filter: (pod: Pod) => boolean): Pod[] {
    return this.pods.filter(
      (pod) => this.isTracked(pod) && (!isIndexedJob(this.job) || isValidIndex(this.job, getCompletionIndex(pod))) && filter(pod),
    );
  }

  #delayedPods(): ReadonlyMap<number, Pod> {
    const { failedIndexes } = this;
    if (!failedIndexes) return new Map();
    const activeIndexes = getIndexes(this.activePods);
    const isSettled = (index: number): boolean => this.succeededIndexes.has(index) || failedIndexes.has(index) || activeIndexes.has(index);
    return getPodsWithDelayedDeletionPerIndex(this.job, { candidates: this.#validPods(() => true), isSettled });
  }

  /** The pod has the finalizer, and nobody has asked for its removal. */
  isTracked(pod: Pod): boolean {
    return hasJobTrackingFinalizer(pod) && !this.expectedRmFinalizers.has(uidOf(pod));
  }

  /** Writes the status and goes on with what was stored: pkg/controller/job/job_controller.go updateJobStatus */
  async updateStatus(): Promise<void> {
    this.job = await this.services.jobs.updateStatus({ ...this.job, status: statusOf(this.status) });
    this.status = draftOf(this.job.status);
  }

  event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.services.recorder.event(this.job, type, reason, message);
  }

  /** Records in the trace why the sync does what it does next. */
  decide(message: string): void {
    const { namespace = '', name = '', uid = '' } = this.job.metadata;
    const object = { group: JOBS.group, resource: JOBS.resource, kind: JOBS.kind, namespace, name, uid };
    this.services.simulation.recordCause({ kind: 'decision', component: 'job-controller', object, message });
  }
}

export function uidOf(pod: Pod): string {
  return pod.metadata.uid ?? '';
}

function draftOf(status: JobStatus = {}): StatusDraft {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  return {
    active: status.active ?? 0,
    ready: status.ready,
    terminating: status.terminating,
    succeeded: status.succeeded ?? 0,
    failed: status.failed ?? 0,
    startTime: status.startTime,
    completionTime: status.completionTime,
    completedIndexes: status.completedIndexes ?? '',
    failedIndexes: status.failedIndexes,
    conditions: status.conditions ?? [],
    uncounted: { succeeded, failed },
  };
}

function statusOf(draft: StatusDraft): JobStatus {
  const {
    active,
    ready,
    terminating,
    succeeded,
    failed,
    startTime,
    completionTime,
    completedIndexes,
    failedIndexes,
    conditions,
    uncounted,
  } = draft;
  return {
    ...(active ? { active } : {}),
    ...(ready === undefined ? {} : { ready }),
    ...(terminating === undefined ? {} : { terminating }),
    ...(succeeded ? { succeeded } : {}),
    ...(failed ? { failed } : {}),
    ...(startTime === undefined ? {} : { startTime }),
    ...(completionTime === undefined ? {} : { completionTime }),
    ...(completedIndexes ? { completedIndexes } : {}),
    ...(failedIndexes === undefined ? {} : { failedIndexes }),
    ...(conditions.length ? { conditions: [...conditions] } : {}),
    uncountedTerminatedPods: {
      ...(uncounted.succeeded.length ? { succeeded: [...uncounted.succeeded] } : {}),
      ...(uncounted.failed.length ? { failed: [...uncounted.failed] } : {}),
    },
  };
}
