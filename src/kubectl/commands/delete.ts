import type { DeleteOptions } from '../../api/kinds/meta-v1.ts';
import type { KubernetesObject, NamespacedName } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import { isNotFound } from '../../api/status-error.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects, placeOf } from '../command.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { dryRunNote, dryRunOf, MAKE_FLAGS } from '../make-object.ts';
import { kindName, namedObjects } from '../rest-mapper.ts';
import { NOTHING_NAMED, timeoutOf } from './wait.ts';

interface Target {
  readonly resource: Resource;
  readonly at: NamespacedName;
  /** The file that named it. */
  readonly source?: string;
}

const POLL_MS = 1_000;

/** kubectl delete: sends the DELETEs, prints them, and (unless --wait=false) waits until the objects are gone. */
export const deleteCommand: Command = {
  flags: {
    ...MAKE_FLAGS,
    timeout: { type: 'string' },
    'field-selector': { type: 'string' },
    ...FILE_FLAGS,
    selector: { type: 'string', short: 'l' },
    all: { type: 'boolean' },
    force: { type: 'boolean' },
    now: { type: 'boolean' },
    wait: { type: 'boolean' },
    'grace-period': { type: 'string' },
    cascade: { type: 'string' },
    'ignore-not-found': { type: 'boolean' },
  },
  async run(context) {
    const { flags } = context;
    if (!context.args.length && !flags.list('filename').length) throw new KubectlError(NOTHING_NAMED);
    if (flags.boolean('all') && flags.string('selector'))
      throw new KubectlError("error: setting 'all' parameter but found a non empty selector. ");
    const targets = await findTargets(context);
    if (!targets.length) return context.out('No resources found');
    warnOfDanger(context, targets);
    const deleted: Deleted[] = [];
    for (const target of targets) {
      try {
        deleted.push({ ...target, uid: await deleteOne(context, target) });
      } catch (error) {
        if (!(isNotFound(error) && context.flags.boolean('ignore-not-found')))
          context.error(errorText(error, target.source && `error when deleting "${target.source}"`));
      }
    }
    if (context.flags.boolean('wait', true) && dryRunOf(context) === 'none') await waitUntilAllGone(context, deleted);
  },
};

function warnOfDanger(context: CommandContext, targets: readonly Target[]): void {
  const { flags, warn } = context;
  const cascade = flags.string('cascade') ?? '';
  if (DEPRECATED[cascade])
    warn(`warning: --cascade=${cascade} is deprecated (boolean value) and can be replaced with --cascade=${DEPRECATED[cascade]}.`);
  if (flags.boolean('force'))
    warn(
      'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.',
    );
  if (flags.string('namespace') !== undefined && targets.some(({ resource }) => !resource.namespaced))
    warn('Warning: deleting cluster-scoped resources, not scoped to the provided namespace');
}

async function findTargets(context: CommandContext): Promise<Target[]> {
  if (context.flags.list('filename').length) {
    return (await fileObjects(context)).map(({ object, resource, source }) => ({
      source,
      resource,
      at: { namespace: object.metadata.namespace, name: object.metadata.name ?? '' },
    }));
  }
  const labelSelector = context.flags.string('selector');
  const fieldSelector = context.flags.string('field-selector');
  const picks = context.flags.boolean('all') || labelSelector !== undefined || fieldSelector !== undefined;
  const targets: Target[] = [];
  for (const { resource, name } of await namedObjects(context.client, context.args)) {
    if (name !== undefined && picks) throw new KubectlError('error: name cannot be provided when a selector is specified');
    if (name !== undefined) targets.push({ resource, at: placeOf(context, resource, name) });
    else if (!picks) throw new KubectlError('error: resource(s) were provided, but no name was specified');
    else {
      const { namespace } = placeOf(context, resource, '');
      const { items } = await context.client
        .resource(resource)
        .list({ namespace, ...(labelSelector ? { labelSelector } : {}), ...(fieldSelector ? { fieldSelector } : {}) });
      targets.push(...items.map(({ metadata }) => ({ resource, at: { namespace: metadata.namespace, name: metadata.name ?? '' } })));
    }
  }
  return targets;
}

async function deleteOne(context: CommandContext, { resource, at }: Target): Promise<string | undefined> {
  const options = deleteOptions(context);
  const dryRun = dryRunOf(context);
  const client = context.client.resource(resource);
  const request =
    dryRun === 'client' ? client.get(at) : client.delete(at, { ...options, ...(dryRun === 'server' ? { dryRun: true } : {}) });
  const answer = (await request) as Partial<KubernetesObject> & {
    details?: { uid?: string };
  };
  const forced = options.gracePeriodSeconds === 0;
  const note = dryRunNote(context);
  if (context.flags.string('output') === 'name') context.out(`${kindName(resource)}/${at.name}`);
  else
    context.out(
      `${kindName(resource)} "${at.name}" ${forced ? 'force deleted' : 'deleted'}${at.namespace ? ` from ${at.namespace} namespace` : ''}${note}`,
    );
  return answer.details?.uid ?? answer.metadata?.uid;
}

/** What `--cascade` was, long ago. */
const DEPRECATED: Readonly<Record<string, string>> = { true: 'background', false: 'orphan' };

function deleteOptions(context: CommandContext): Omit<DeleteOptions, 'dryRun'> {
  const { flags } = context;
  const policies: Record<string, string> = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' };
  const cascade = DEPRECATED[flags.string('cascade') ?? ''] ?? flags.string('cascade') ?? 'background';
  const propagationPolicy = policies[cascade];
  if (!propagationPolicy)
    throw new KubectlError(`error: invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`);
  const force = flags.boolean('force');
  const given = flags.boolean('now') ? 1 : flags.number('grace-period');
  const gracePeriodSeconds = given === undefined || given < 0 ? (force ? 0 : undefined) : given === 0 && !force ? 1 : given;
  return { propagationPolicy, ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }) };
}

type Deleted = Target & { uid: string | undefined };

async function waitUntilAllGone(context: CommandContext, deleted: readonly Deleted[]): Promise<void> {
  const limit = timeoutOf(context, 0);
  const until = limit > 0 ? context.client.actor.simulation.now + limit : undefined;
  for (const target of deleted) {
    if (!(await waitUntilGone(context, target, until)))
      throw new KubectlError(`error: timed out waiting for the condition on ${target.resource.resource}/${target.at.name}`);
  }
}

/** False when it is still there at that time. */
async function waitUntilGone(context: CommandContext, target: Deleted, until: number | undefined): Promise<boolean> {
  const client = context.client.resource(target.resource);
  for (;;) {
    try {
      const { metadata } = await client.get(target.at);
      if (target.uid && metadata.uid !== target.uid) return true;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
    const { now } = context.client.actor.simulation;
    if (until !== undefined && now >= until) return false;
    await context.sleep(Math.min(POLL_MS, (until ?? now + POLL_MS) - now));
  }
}
