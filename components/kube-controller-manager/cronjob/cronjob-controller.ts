import type { CronJob, Job } from '../../../src/api/kinds/batch-v1.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { keyOf } from '../../../src/api/object.ts';
import { cronjobs, jobs as JOBS } from '../../../src/api/resources.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { SharedInformer } from '../../../src/client/informer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { WATCH_LAG_MS } from '../controller/watch-lag.ts';
import type { ControllerContext } from '../controller-context.ts';
import { cleanupFinishedJobs, updateActiveJobs } from './active-jobs.ts';
import { type CronJobServices, CronJobSync } from './cronjob-sync.ts';
import { nextScheduleTimeDuration } from './missed-schedules.ts';
import type { Schedule } from './schedule.ts';
import { CRON_JOB, scheduleOf, startDueJob } from './start-job.ts';

const NAME = 'cronjob-controller';
const CONTROLLER_INDEX = 'cronJobName';

/** cmd/kube-controller-manager/app/batch.go startCronJobController */
export function startCronJobController(context: ControllerContext): void {
  const controller = new CronJobController(context);
  context.onceSynced(() => controller.run(context.config.concurrentSyncs));
}

/** Creates Jobs when it is time: pkg/controller/cronjob/cronjob_controllerv2.go ControllerV2 */
class CronJobController {
  readonly #context: ControllerContext;
  readonly #services: CronJobServices;
  readonly #queue: RateLimitingQueue;
  readonly #cronJobLister: Indexer<CronJob>;
  readonly #jobLister: Indexer<Job>;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const client = context.clientFor(NAME);
    const cronJobInformer = informers.forResource(cronjobs);
    const jobInformer = informers.forResource(JOBS);
    jobInformer.addIndexers({ [CONTROLLER_INDEX]: cronJobNameOf });
    this.#context = context;
    this.#queue = new RateLimitingQueue({ actor });
    this.#cronJobLister = cronJobInformer.store;
    this.#jobLister = jobInformer.store;
    this.#services = {
      simulation: actor.simulation,
      cronJobs: client.resource(cronjobs),
      jobs: client.resource(JOBS),
      recorder: context.recorderFor(NAME),
    };
    cronJobInformer.addEventHandler({
      onAdd: (cronJob) => this.#queue.add(keyOf(cronJob)),
      onUpdate: (old, cronJob) => this.#updateCronJob(old, cronJob),
      onDelete: (cronJob) => this.#queue.add(keyOf(cronJob)),
    });
    this.#addJobHandlers(jobInformer);
  }

  run(workers: number): void {
    runWorkers({ actor: this.#context.actor, name: NAME, queue: this.#queue, workers, reconcile: (key) => this.#sync(key) });
  }

  #addJobHandlers(informer: SharedInformer<Job>): void {
    informer.addEventHandler({
      onAdd: (job) => this.#enqueueOwner(job),
      onUpdate: (old, job) => {
        if (old.metadata.resourceVersion === job.metadata.resourceVersion) return;
        if (getControllerOf(old)?.uid !== getControllerOf(job)?.uid) this.#enqueueOwner(old);
        this.#enqueueOwner(job);
      },
      onDelete: (job) => this.#enqueueOwner(job),
    });
  }

  /** pkg/controller/cronjob/cronjob_controllerv2.go resolveControllerRef */
  #enqueueOwner(job: Job): void {
    const reference = getControllerOf(job);
    if (reference?.kind !== CRON_JOB.kind) return;
    const cronJob = this.#cronJobLister.get(keyOf({ namespace: job.metadata.namespace, name: reference.name }));
    if (cronJob?.metadata.uid === reference.uid) this.#queue.add(keyOf(cronJob));
  }

  /** A new schedule begins to count now: pkg/controller/cronjob/cronjob_controllerv2.go updateCronJob */
  #updateCronJob(old: CronJob, cronJob: CronJob): void {
    if (old.spec?.schedule === cronJob.spec?.schedule && old.spec?.timeZone === cronJob.spec?.timeZone) {
      this.#queue.add(keyOf(cronJob));
      return;
    }
    let schedule: Schedule;
    try {
      schedule = scheduleOf(cronJob);
    } catch {
      const message = `unparseable schedule for cronjob: ${cronJob.spec?.schedule}`;
      this.#services.recorder.event(cronJob, 'Warning', 'UnParseableCronJobSchedule', message);
      return;
    }
    this.#requeue(keyOf(cronJob), nextScheduleTimeDuration(cronJob, schedule, this.#services.simulation.wallTime));
  }

  #requeue(key: string, delay: number | undefined): void {
    if (delay !== undefined) this.#queue.addAfter(key, delay, 'background');
  }

  /** pkg/controller/cronjob/cronjob_controllerv2.go sync */
  async #sync(key: string): Promise<void> {
    const cronJob = this.#cronJobLister.get(key);
    if (!cronJob) return;
    const sync = new CronJobSync(this.#services, cronJob, this.#jobLister.byIndex(CONTROLLER_INDEX, key));
    let requeueAfter: number | undefined;
    let failure: unknown;
    try {
      await cleanupFinishedJobs(sync);
      await updateActiveJobs(sync);
      requeueAfter = await startDueJob(sync);
    } catch (error) {
      failure = error;
    }
    if (sync.updateStatus) {
      await this.#services.cronJobs.updateStatus(sync.cronJob);
      // Else the next sync would miss a Job that this one has deleted and forgotten.
      await this.#context.actor.sleep(WATCH_LAG_MS);
    }
    if (failure !== undefined) throw failure;
    this.#requeue(key, requeueAfter);
  }
}

/** The key of the CronJob that controls the Job, going by its name as upstream does. */
function cronJobNameOf(job: Job): string[] {
  const reference = getControllerOf(job);
  return reference ? [keyOf({ namespace: job.metadata.namespace, name: reference.name })] : [];
}
