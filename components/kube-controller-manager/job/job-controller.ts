import type { Job } from '../../../src/api/kinds/batch-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { getControllerOf, newControllerRef } from '../../../src/api/meta.ts';
import { jobs as JOBS, pods as PODS } from '../../../src/api/resources.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { ControllerExpectations } from '../../../src/client/expectations.ts';
import type { SharedInformer } from '../../../src/client/informer.ts';
import { ItemExponentialFailureRateLimiter } from '../../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { addControllerIndexer, listControlledBy, listOrphans } from '../controller/controller-index.ts';
import { ControllerRefManager, recheckDeletionTimestamp } from '../controller/controller-ref-manager.ts';
import { PodControl } from '../controller/pod-control.ts';
import type { ControllerContext } from '../controller-context.ts';
import { BackoffStore } from './backoff-utils.ts';
import { FinalizerExpectations } from './finalizer-expectations.ts';
import { addJobHandlers, resolveControllerRef } from './job-handlers.ts';
import { type JobServices, JobSync } from './job-sync.ts';
import {
  hasJobTrackingFinalizer,
  isJobFinished,
  isManagedElsewhere,
  JOB,
  REMOVE_TRACKING_FINALIZER_PATCH,
  TRACKING_FINALIZER,
} from './job-utils.ts';
import { syncJob } from './sync-job.ts';

const NAME = 'job-controller';
/** pkg/controller/job/job_controller.go DefaultJobApiBackOff and MaxJobApiBackOff */
const API_BACKOFF_MS = 1000;
const MAX_API_BACKOFF_MS = 60_000;

/** cmd/kube-controller-manager/app/batch.go startJobController */
export function startJobController(context: ControllerContext): void {
  const controller = new JobController(context);
  context.onceSynced(() => controller.run(context.config.concurrentSyncs));
}

/** Runs pods until enough of them have succeeded: pkg/controller/job/job_controller.go Controller */
class JobController {
  readonly #context: ControllerContext;
  readonly #services: JobServices;
  readonly #jobs: SharedInformer<Job>;
  readonly #pods: SharedInformer<Pod>;
  readonly #orphanQueue: RateLimitingQueue;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const { simulation } = actor;
    const client = context.clientFor(NAME);
    const recorder = context.recorderFor(NAME);
    this.#context = context;
    this.#jobs = informers.forResource(JOBS);
    this.#pods = informers.forResource(PODS);
    addControllerIndexer(this.#pods);
    this.#orphanQueue = newQueue(context);
    this.#services = {
      simulation,
      jobs: client.resource(JOBS),
      pods: client.resource(PODS),
      podControl: new PodControl({ pods: client.resource(PODS), recorder }),
      recorder,
      queue: newQueue(context),
      expectations: new ControllerExpectations(() => simulation.now),
      finalizerExpectations: new FinalizerExpectations(),
      backoffStore: new BackoffStore(),
    };
    addJobHandlers({ jobs: this.#jobs, pods: this.#pods, services: this.#services, orphanQueue: this.#orphanQueue });
  }

  run(workers: number): void {
    const { actor } = this.#context;
    const sync = (key: string): Promise<void> => this.#syncJob(key);
    const syncOrphan = (key: string): Promise<void> => this.#syncOrphanPod(key);
    runWorkers({ actor, name: NAME, queue: this.#services.queue, workers, reconcile: sync });
    runWorkers({ actor, name: 'job-controller-orphan-pods', queue: this.#orphanQueue, reconcile: syncOrphan });
  }

  /** pkg/controller/job/job_controller.go syncJob */
  async #syncJob(key: string): Promise<void> {
    const { expectations, finalizerExpectations, backoffStore, recorder } = this.#services;
    const job = this.#jobs.store.get(key);
    if (!job) {
      expectations.deleteExpectations(key);
      finalizerExpectations.deleteExpectations(key);
      backoffStore.remove(key);
      return;
    }
    if (isManagedElsewhere(job)) return;
    if (isJobFinished(job)) {
      backoffStore.remove(key);
      return;
    }
    const { completionMode } = job.spec ?? {};
    if (completionMode !== undefined && completionMode !== 'NonIndexed' && completionMode !== 'Indexed') {
      recorder.event(job, 'Warning', 'UnknownCompletionMode', 'Skipped Job sync because completion mode is unknown');
      return;
    }
    // Asked before pods are looked at, so that a pod that comes in between does not change the answer.
    const satisfied = expectations.satisfiedExpectations(key);
    const pods = await this.#getPodsForJob(job);
    await syncJob(new JobSync(this.#services, job, pods), satisfied);
  }

  /** pkg/controller/job/job_controller.go getPodsForJob */
  async #getPodsForJob(job: Job): Promise<Pod[]> {
    const { uid = '', namespace = '' } = job.metadata;
    const manager = new ControllerRefManager({
      client: this.#services.pods,
      controller: job,
      controllerRef: newControllerRef(job, JOB),
      selector: labelSelectorAsSelector(job.spec?.selector),
      canAdopt: () => recheckDeletionTimestamp(this.#services.jobs, job),
      finalizers: [TRACKING_FINALIZER],
    });
    const { store } = this.#pods;
    const pods = await manager.claim([...listControlledBy(store, uid), ...listOrphans(store, namespace)]);
    return pods.map((pod) => (getControllerOf(pod)?.uid === uid || hasJobTrackingFinalizer(pod) ? pod : withFinalizer(pod)));
  }

  /** pkg/controller/job/job_controller.go syncOrphanPod */
  async #syncOrphanPod(key: string): Promise<void> {
    const pod = this.#pods.store.get(key);
    if (!pod || !hasJobTrackingFinalizer(pod) || this.#isStillOwned(pod)) return;
    const { namespace = '', name = '' } = pod.metadata;
    try {
      await this.#services.podControl.patchPod(namespace, name, REMOVE_TRACKING_FINALIZER_PATCH);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #isStillOwned(pod: Pod): boolean {
    const reference = getControllerOf(pod);
    if (!reference) return false;
    if (reference.kind !== JOB.kind || reference.apiVersion !== JOB.apiVersion) return true;
    const job = resolveControllerRef(this.#jobs, pod);
    return job !== undefined && (isManagedElsewhere(job) || !isJobFinished(job));
  }
}

function newQueue({ actor }: ControllerContext): RateLimitingQueue {
  return new RateLimitingQueue({ actor, rateLimiter: new ItemExponentialFailureRateLimiter(API_BACKOFF_MS, MAX_API_BACKOFF_MS) });
}

/** An adopted pod as it is by now; the cache shows it a moment later. */
function withFinalizer(pod: Pod): Pod {
  return { ...pod, metadata: { ...pod.metadata, finalizers: [...(pod.metadata.finalizers ?? []), TRACKING_FINALIZER] } };
}
