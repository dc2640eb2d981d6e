import { produce } from 'immer';
import { getCondition, setStatusCondition } from '../../src/api/conditions.ts';
import { deepEqual } from '../../src/api/deep-equal.ts';
import type { Job } from '../../src/api/kinds/batch-v1.ts';
import type { NamespacedName } from '../../src/api/object.ts';
import { jobs } from '../../src/api/resources.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import { formatTime } from '../../src/api/time.ts';
import type { CachedReader } from '../../src/client/cached-reader.ts';
import { setControllerReference } from '../../src/client/controller-reference.ts';
import { defineController, type ReconcileContext, watching } from '../../src/client/controller-runtime.ts';
import { type Backup, backups, type Database, databases } from './api.ts';

const DATABASE_SOURCE = 'database/';

/**
 * Carries out each Backup once, by a Job. A Backup of a Database that is not there waits: its reconcile fails, so that it is tried again later each time, and at once
 * when the Database appears.
 */
export const backupController = defineController<Backup>({
  name: 'backup',
  eventSource: 'backup-operator',
  for: backups,
  owns: [jobs],
  watches: [watching(databases, backupsOf)],
  reconcile: async (request, context) => {
    const backup = await context.reader.get(backups, request);
    if (!backup || backup.metadata.deletionTimestamp || isOver(backup)) return;
    const missing = await missingDatabase(backup, context.reader);
    if (missing !== undefined) return waitForDatabase(backup, missing, context);
    const job = await ensureJob(backup, context);
    await updateStatus(backup, job, context);
  },
});

/** Whose source a Database is. */
async function backupsOf({ metadata: { namespace = '', name } }: Database, reader: CachedReader): Promise<readonly NamespacedName[]> {
  const all = await reader.list(backups, { namespace });
  return all
    .filter(({ spec }) => spec.source === `${DATABASE_SOURCE}${name}`)
    .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
}

/** The name of the Database that the Backup is of, if there is none of that name. */
async function missingDatabase({ metadata, spec }: Backup, reader: CachedReader): Promise<string | undefined> {
  if (!spec.source.startsWith(DATABASE_SOURCE)) return undefined;
  const name = spec.source.slice(DATABASE_SOURCE.length);
  return (await reader.get(databases, { namespace: metadata.namespace, name })) ? undefined : name;
}

/** @throws always: the Backup is tried again */
async function waitForDatabase(backup: Backup, database: string, context: ReconcileContext): Promise<never> {
  const message = `database ${JSON.stringify(database)} does not exist`;
  const known = getCondition(backup.status?.conditions, 'Complete')?.reason === 'SourceNotFound';
  await writeStatus(backup, { phase: 'Pending', status: 'False', reason: 'SourceNotFound', message }, context);
  if (!known) context.recorder.event(backup, 'Warning', 'SourceNotFound', `Database ${JSON.stringify(database)} does not exist`);
  throw new ApiStatusError({ code: 404, reason: 'NotFound', message });
}

async function ensureJob(backup: Backup, { client, reader, recorder }: ReconcileContext): Promise<Job> {
  const { namespace = '', name: of } = backup.metadata;
  const name = `${of}-run`;
  const existing = await reader.get(jobs, { namespace, name });
  if (existing) return existing;
  const containers = [{ name: 'backup', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 2'] }];
  const job: Job = {
    metadata: { namespace, name },
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', containers } } },
  };
  setControllerReference(backup, job);
  const created = await client.resource(jobs).create(job);
  recorder.event(backup, 'Normal', 'BackupStarted', `Created Job ${name}`);
  return created;
}

async function updateStatus(backup: Backup, job: Job, context: ReconcileContext): Promise<void> {
  const { recorder } = context;
  const { destination } = backup.spec;
  if (isFinished(job, 'Complete')) {
    await writeStatus(
      backup,
      { phase: 'Succeeded', status: 'True', reason: 'JobComplete', message: `backup is at ${destination}` },
      context,
    );
    return recorder.event(backup, 'Normal', 'BackupSucceeded', `Backup is at ${destination}`);
  }
  if (isFinished(job, 'Failed')) {
    await writeStatus(backup, { phase: 'Failed', status: 'False', reason: 'JobFailed', message: 'the job failed' }, context);
    return recorder.event(backup, 'Warning', 'BackupFailed', `Job ${job.metadata.name} failed`);
  }
  await writeStatus(backup, { phase: 'Running', status: 'False', reason: 'Running', message: 'the job runs' }, context);
}

type Phase = NonNullable<NonNullable<Backup['status']>['phase']>;

interface Progress {
  readonly phase: Phase;
  /** The condition Complete. */
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Writes the status when it differs. */
async function writeStatus(backup: Backup, { phase, ...condition }: Progress, { client, actor }: ReconcileContext): Promise<void> {
  const { wallTime } = actor.simulation;
  const { generation } = backup.metadata;
  const next = produce(backup, (draft) => {
    draft.status ??= {};
    const { status } = draft;
    status.phase = phase;
    status.conditions ??= [];
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    setStatusCondition(status.conditions, { type: 'Complete', ...observed, ...condition }, wallTime);
    if (phase === 'Succeeded') status.lastBackupTime ??= formatTime(wallTime);
  });
  if (!deepEqual(next.status, backup.status)) await client.resource(backups).updateStatus(next);
}

function isOver({ status }: Backup): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function isFinished({ status }: Job, type: 'Complete' | 'Failed'): boolean {
  return getCondition(status?.conditions, type)?.status === 'True';
}
