import type { Pod } from '../../api/kinds/core-v1.ts';
import { nodes, pods } from '../../api/resources.ts';
import { ApiStatusError, isNamespaceTerminating, isNotFound, isTooManyRequests } from '../../api/status-error.ts';
import type { Command, CommandContext } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { dryRunNote } from '../make-object.ts';
import { setUnschedulable } from './cordon.ts';
import { timeoutOf } from './wait.ts';

const RETRY_MS = 5_000;
const POLL_MS = 1_000;

/** kubectl drain: cordons the nodes, then evicts their pods and waits until they are gone. */
export const drain: Command = {
  flags: {
    'ignore-daemonsets': { type: 'boolean' },
    'delete-emptydir-data': { type: 'boolean' },
    force: { type: 'boolean' },
    timeout: { type: 'string' },
    'disable-eviction': { type: 'boolean' },
    'grace-period': { type: 'string' },
    selector: { type: 'string', short: 'l' },
    'pod-selector': { type: 'string' },
    'skip-wait-for-delete-timeout': { type: 'string' },
    'chunk-size': { type: 'string' },
    'dry-run': { type: 'optional' },
  },
  async run(context) {
    const selector = context.flags.string('selector');
    if (!context.args.length && !selector)
      throw new KubectlError("error: USAGE: drain NODE [flags]\nSee 'kubectl drain -h' for help and examples");
    if (context.args.length && selector) throw new KubectlError('error: cannot specify both a node name and a --selector option');
    const names = selector
      ? (await context.client.resource(nodes).list({ labelSelector: selector })).items.map(({ metadata }) => metadata.name ?? '')
      : context.args;
    for (const name of names) {
      await context.client.resource(nodes).get({ name });
      await setUnschedulable(context, name, true);
    }
    const pending: { name: string; errors: readonly string[] }[] = [];
    for (const name of names) {
      const errors = await drainNode(context, name);
      if (!errors.length) continue;
      context.error(`error: unable to drain node "${name}" due to error: ${aggregated(errors)}, continuing command...`);
      pending.push({ name, errors });
    }
    if (!pending.length) return;
    const lines = [...pending.map(({ name }) => ` ${name}`), ...pending.flatMap(({ errors }) => errors)];
    throw new KubectlError(['There are pending nodes to be drained:', ...lines].join('\n'));
  },
};

function aggregated(errors: readonly string[]): string {
  return errors.length > 1 ? `[${errors.join(', ')}]` : errors.join('');
}

type Verdict = { readonly remove: boolean; readonly warning?: string; readonly error?: string };

/** Returns what keeps the node from being drained. */
async function drainNode(context: CommandContext, name: string): Promise<readonly string[]> {
  const labelSelector = context.flags.string('pod-selector');
  const { items } = await context.client
    .resource(pods)
    .list({ fieldSelector: `spec.nodeName=${name}`, ...(labelSelector ? { labelSelector } : {}) });
  const verdicts = items.map((pod) => ({ pod, verdict: judge(context, pod) }));
  const errors = verdicts.filter(({ verdict }) => verdict.error);
  if (errors.length) return grouped(errors.map(({ pod, verdict }) => ({ pod, text: `cannot delete ${verdict.error}` })));
  const warnings = verdicts.flatMap(({ pod, verdict }) => (verdict.warning ? [{ pod, text: verdict.warning }] : []));
  if (warnings.length) context.warn(`Warning: ${grouped(warnings).join('; ')}`);
  const note = dryRunNote(context);
  const removed = verdicts.filter(({ verdict }) => verdict.remove);
  if (note) for (const { pod } of removed) context.out(`evicting pod ${pod.metadata.namespace}/${pod.metadata.name}${note}`);
  else {
    const failures = await removeAll(context, { node: name, removed: removed.map(({ pod }) => pod) });
    if (failures.length) return failures;
  }
  context.out(`node/${name} drained${note}`);
  return [];
}

/** The filters of drain, in order; the first that has something to say decides. */
function judge(context: CommandContext, pod: Pod): Verdict {
  const finished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  const controller = pod.metadata.ownerReferences?.find((owner) => owner.controller);
  if (controller?.kind === 'DaemonSet' && !finished) {
    return context.flags.boolean('ignore-daemonsets')
      ? { remove: false, warning: 'ignoring DaemonSet-managed Pods' }
      : { remove: false, error: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' };
  }
  if (pod.metadata.annotations?.['kubernetes.io/config.mirror']) return { remove: false };
  // A pod that nobody would replace is told of as such, wherever its data are.
  const bare = !controller && !finished;
  if (pod.spec?.volumes?.some((volume) => volume.emptyDir) && !finished && !(bare && context.flags.boolean('delete-emptydir-data'))) {
    return context.flags.boolean('delete-emptydir-data')
      ? { remove: true, warning: 'deleting Pods with local storage' }
      : { remove: false, error: 'Pods with local storage (use --delete-emptydir-data to override)' };
  }
  if (bare) {
    return context.flags.boolean('force')
      ? { remove: true, warning: 'deleting Pods that declare no controller' }
      : { remove: false, error: 'cannot delete Pods that declare no controller (use --force to override)' };
  }
  return { remove: true };
}

function grouped(entries: readonly { pod: Pod; text: string }[]): string[] {
  const byText = new Map<string, string[]>();
  for (const { pod, text } of entries) byText.set(text, [...(byText.get(text) ?? []), `${pod.metadata.namespace}/${pod.metadata.name}`]);
  return [...byText].map(([text, names]) => `${text}: ${names.join(', ')}`);
}

/** Evicts (or deletes) all at once. Returns what went wrong, e.g. that it took longer than `--timeout`. */
async function removeAll(
  context: CommandContext,
  { node, removed }: { node: string; removed: readonly Pod[] },
): Promise<readonly string[]> {
  const limit = timeoutOf(context, 0);
  const until = limit > 0 ? context.client.actor.simulation.now + limit : Number.POSITIVE_INFINITY;
  const outcomes = await Promise.allSettled(
    removed.map((pod) => (context.flags.boolean('disable-eviction') ? remove(context, pod, until) : evict(context, pod, until))),
  );
  const left: { pod: Pod | undefined; text: string }[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue;
    if (!(outcome.reason instanceof PodStays)) throw outcome.reason;
    left.push({ pod: removed[index], text: outcome.reason.message });
  }
  const texts = left.map(({ text }) => text);
  if (texts.length) {
    const names = left.map(({ pod }) => `pod/${pod?.metadata.name}`);
    context.error([`There are pending pods in node "${node}" when an error occurred: ${aggregated(texts)}`, ...names].join('\n'));
  }
  return texts;
}

/** A pod cannot be removed, or not in time. */
class PodStays extends Error {}

/** The time of the command is over. */
function timeOver({ flags }: CommandContext, what: string): PodStays {
  return new PodStays(`${what}: global timeout reached: ${flags.string('timeout')}`);
}

/** `--disable-eviction`: deletes it, whatever budgets say. */
async function remove(context: CommandContext, { metadata }: Pod, until: number): Promise<void> {
  const { name = '', namespace = '', uid } = metadata;
  await context.client.resource(pods).delete({ namespace, name }, deleteOptions(context));
  await untilGone(context, {
    namespace,
    name,
    uid,
    until,
    what: `error when waiting for pod "${name}" in namespace "${namespace}" to terminate`,
  });
  context.out(`pod/${name} deleted`);
}

function deleteOptions({ flags }: CommandContext): { gracePeriodSeconds?: number } {
  const given = flags.number('grace-period');
  return given === undefined || given < 0 ? {} : { gracePeriodSeconds: given };
}

async function evict(context: CommandContext, pod: Pod, until: number): Promise<void> {
  const { name = '', namespace = '', uid, deletionTimestamp } = pod.metadata;
  const client = context.client.resource(pods);
  const what = `error when evicting pods/"${name}" -n "${namespace}"`;
  for (;;) {
    context.out(`evicting pod ${namespace}/${name}`);
    try {
      await client.createSubresource({ namespace, name }, 'eviction', {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions: deleteOptions(context),
      });
      break;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!(error instanceof ApiStatusError)) throw error;
      const { message } = error;
      const inTerminating = isNamespaceTerminating(error);
      // Nothing can be evicted in a namespace that is being deleted; its pods go all the same.
      if (inTerminating && deletionTimestamp) break;
      if (!inTerminating && !isTooManyRequests(error)) throw new PodStays(`${what}: ${message}`);
      context.warn(`${inTerminating ? `error when evicting pod "${name}"` : what} (will retry after 5s): ${message}`);
      await context.sleep(RETRY_MS);
      if (context.client.actor.simulation.now < until) continue;
      context.out(`evicting pod ${namespace}/${name}`);
      throw timeOver(context, what);
    }
  }
  await untilGone(context, { namespace, name, uid, until, what });
  context.out(`pod/${name} evicted`);
}

interface Leaving {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | undefined;
  readonly until: number;
  readonly what: string;
}

async function untilGone(context: CommandContext, { until, what, ...pod }: Leaving): Promise<void> {
  while (await stillThere(context, pod)) {
    if (context.client.actor.simulation.now >= until) throw timeOver(context, what);
    await context.sleep(POLL_MS);
  }
}

async function stillThere(
  context: CommandContext,
  { namespace, name, uid }: { namespace: string; name: string; uid: string | undefined },
): Promise<boolean> {
  try {
    return (await context.client.resource(pods).get({ namespace, name })).metadata.uid === uid;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
