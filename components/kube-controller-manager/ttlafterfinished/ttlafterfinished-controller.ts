import type { Job } from '../../../src/api/kinds/batch-v1.ts';
import { keyOf, splitKey } from '../../../src/api/object.ts';
import { jobs as JOBS } from '../../../src/api/resources.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import { parseTime } from '../../../src/api/time.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { urgencyOf } from '../controller/patience.ts';
import type { ControllerContext } from '../controller-context.ts';
import { finishedCondition } from '../job/job-utils.ts';

const NAME = 'ttl-after-finished-controller';
const SECOND = 1000;

/** cmd/kube-controller-manager/app/core.go startTTLAfterFinishedController */
export function startTTLAfterFinishedController(context: ControllerContext): void {
  const controller = new TTLAfterFinishedController(context);
  context.onceSynced(() => controller.run(context.config.concurrentSyncs));
}

/** Deletes Jobs some time after they have finished: pkg/controller/ttlafterfinished/ttlafterfinished_controller.go Controller */
class TTLAfterFinishedController {
  readonly #context: ControllerContext;
  readonly #queue: RateLimitingQueue;
  readonly #client: ResourceClient<Job>;
  readonly #lister: Indexer<Job>;

  constructor(context: ControllerContext) {
    const informer = context.informers.forResource(JOBS);
    this.#context = context;
    this.#queue = new RateLimitingQueue({ actor: context.actor });
    this.#client = context.clientFor(NAME).resource(JOBS);
    this.#lister = informer.store;
    informer.addEventHandler({ onAdd: (job) => this.#enqueue(job), onUpdate: (_, job) => this.#enqueue(job) });
  }

  run(workers: number): void {
    runWorkers({ actor: this.#context.actor, name: NAME, queue: this.#queue, workers, reconcile: (key) => this.#processJob(key) });
  }

  #enqueue(job: Job): void {
    if (expiryOf(job) !== undefined) this.#queue.add(keyOf(job));
  }

  /** pkg/controller/ttlafterfinished/ttlafterfinished_controller.go processJob */
  async #processJob(key: string): Promise<void> {
    const job = this.#lister.get(key);
    if (!job || !this.#hasExpired(job)) return;
    try {
      const live = await this.#client.get(splitKey(key));
      // The time may have been changed, and the cache not have heard of it.
      if (!this.#hasExpired(live)) return;
      const { uid } = live.metadata;
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      this.#decide(live);
      await this.#client.delete(splitKey(key), { propagationPolicy: 'Foreground', ...preconditions });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Comes again when the time is over, if it is not: pkg/controller/ttlafterfinished/ttlafterfinished_controller.go processTTL */
  #hasExpired(job: Job): boolean {
    const expiry = expiryOf(job);
    if (expiry === undefined) return false;
    const remaining = expiry - this.#context.actor.simulation.wallTime;
    if (remaining > 0) this.#queue.addAfter(keyOf(job), remaining, urgencyOf(remaining));
    return remaining <= 0;
  }

  #decide({ metadata, spec }: Job): void {
    const { namespace = '', name = '', uid = '' } = metadata;
    const object = { group: JOBS.group, resource: JOBS.resource, kind: JOBS.kind, namespace, name, uid };
    const message = `the Job finished ${spec?.ttlSecondsAfterFinished} s ago (ttlSecondsAfterFinished): delete it`;
    this.#context.actor.simulation.recordCause({ kind: 'decision', component: NAME, object, message });
  }
}

/** When the Job is to go; undefined when it is not: pkg/controller/ttlafterfinished/ttlafterfinished_controller.go needsCleanup, timeLeft */
function expiryOf(job: Job): number | undefined {
  const { ttlSecondsAfterFinished } = job.spec ?? {};
  if (ttlSecondsAfterFinished === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
  const finishedAt = parseTime(finishedCondition(job)?.lastTransitionTime);
  return finishedAt === undefined ? undefined : finishedAt + ttlSecondsAfterFinished * SECOND;
}
