import type { CronJob, CronJobStatus, Job } from '../../../src/api/kinds/batch-v1.ts';
import type { ObjectReference } from '../../../src/api/kinds/core-v1.ts';
import { cronjobs as CRON_JOBS } from '../../../src/api/resources.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Simulation } from '../../../src/sim/simulation.ts';
import { isClusterError, messageOf } from '../controller/sync-error.ts';

/** What the controller works with. */
export interface CronJobServices {
  readonly simulation: Simulation;
  readonly cronJobs: ResourceClient<CronJob>;
  readonly jobs: ResourceClient<Job>;
  readonly recorder: EventRecorder;
}

/** One sync of one CronJob; `cronJob` takes what the sync changes, and is written at the end. */
export class CronJobSync {
  readonly services: CronJobServices;
  /** Those that the CronJob controls. */
  readonly jobs: readonly Job[];
  /** Replaced, never mutated. */
  cronJob: CronJob;
  /** There is a status to write. */
  updateStatus = false;

  constructor(services: CronJobServices, cronJob: CronJob, jobs: readonly Job[]) {
    this.services = services;
    this.cronJob = cronJob;
    this.jobs = jobs;
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.services.simulation.wallTime;
  }

  get active(): readonly ObjectReference[] {
    return this.cronJob.status?.active ?? [];
  }

  setStatus(change: Partial<CronJobStatus>): void {
    const { active, ...rest } = { ...this.cronJob.status, ...change };
    this.cronJob = { ...this.cronJob, status: { ...(active?.length ? { active } : {}), ...rest } };
    this.updateStatus = true;
  }

  /** pkg/controller/cronjob/utils.go inActiveList */
  isActive(job: Job): boolean {
    return this.active.some(({ uid }) => uid === job.metadata.uid);
  }

  /** pkg/controller/cronjob/utils.go deleteFromActiveList */
  deleteFromActiveList(uid: string | undefined): void {
    this.setStatus({ active: this.active.filter((reference) => reference.uid !== uid) });
  }

  /** Whether it worked. pkg/controller/cronjob/cronjob_controllerv2.go deleteJob */
  async deleteJob(job: Job): Promise<boolean> {
    const { namespace, name = '', uid } = job.metadata;
    try {
      await this.services.jobs.delete({ namespace, name }, { propagationPolicy: 'Background' });
    } catch (error) {
      if (!isClusterError(error)) throw error;
      this.event('Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      return false;
    }
    this.deleteFromActiveList(uid);
    this.event('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    return true;
  }

  event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.services.recorder.event(this.cronJob, type, reason, message);
  }

  /** Records in the trace why the sync does what it does next. */
  decide(message: string): void {
    const { namespace = '', name = '', uid = '' } = this.cronJob.metadata;
    const { group, resource, kind } = CRON_JOBS;
    const object = { group, resource, kind, namespace, name, uid };
    this.services.simulation.recordCause({ kind: 'decision', component: 'cronjob-controller', object, message });
  }
}
