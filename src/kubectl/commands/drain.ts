import type { Pod } from '../../api/kinds/core-v1.ts';
import { nodes, pods } from '../../api/resources.ts';
import { isNotFound, isTooManyRequests } from '../../api/status-error.ts';
import type { Command, CommandContext } from '../command.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { dryRunNote } from '../make-object.ts';
import { setUnschedulable } from './cordon.ts';

const RETRY_MS = 5_000;
const POLL_MS = 1_000;

/** kubectl drain: cordons the nodes, then evicts their pods and waits until they are gone. */
export const drain: Command = {
  flags: {
    'ignore-daemonsets': { type: 'boolean' },
    'delete-emptydir-data': { type: 'boolean' },
    force: { type: 'boolean' },
    timeout: { type: 'string' },
    'dry-run': { type: 'optional' },
  },
  async run(context) {
    if (!context.args.length) throw new KubectlError('error: USAGE: drain NODE [flags]');
    for (const name of context.args) {
      await context.client.resource(nodes).get({ name });
      await setUnschedulable(context, name, true);
    }
    for (const name of context.args) await drainNode(context, name);
  },
};

type Verdict = { readonly remove: boolean; readonly warning?: string; readonly error?: string };

async function drainNode(context: CommandContext, name: string): Promise<void> {
  const { items } = await context.client.resource(pods).list({ fieldSelector: `spec.nodeName=${name}` });
  const verdicts = items.map((pod) => ({ pod, verdict: judge(context, pod) }));
  const errors = verdicts.filter(({ verdict }) => verdict.error);
  if (errors.length) {
    const lines = grouped(errors.map(({ pod, verdict }) => ({ pod, text: `cannot delete ${verdict.error}` })));
    const list = lines.length > 1 ? `[${lines.join(', ')}]` : lines.join('');
    throw new KubectlError(
      `error: unable to drain node "${name}" due to error: ${list}, continuing command...\nThere are pending nodes to be drained:\n ${name}\n${lines.join('\n')}`,
    );
  }
  const warnings = verdicts.flatMap(({ pod, verdict }) => (verdict.warning ? [{ pod, text: verdict.warning }] : []));
  if (warnings.length) context.warn(`Warning: ${grouped(warnings).join('; ')}`);
  const note = dryRunNote(context);
  const removed = verdicts.filter(({ verdict }) => verdict.remove);
  if (note) for (const { pod } of removed) context.out(`evicting pod ${pod.metadata.namespace}/${pod.metadata.name}${note}`);
  else await Promise.all(removed.map(({ pod }) => evict(context, pod)));
  context.out(`node/${name} drained${note}`);
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

async function evict(context: CommandContext, pod: Pod): Promise<void> {
  const { name = '', namespace = '', uid } = pod.metadata;
  const client = context.client.resource(pods);
  context.out(`evicting pod ${namespace}/${name}`);
  for (;;) {
    try {
      await client.createSubresource({ namespace, name }, 'eviction', {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions: {},
      });
      break;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isTooManyRequests(error)) return context.error(errorText(error, `error when evicting pods/"${name}" -n "${namespace}"`));
      context.warn(`error when evicting pods/"${name}" -n "${namespace}" (will retry after 5s): ${error.message}`);
      await context.sleep(RETRY_MS);
    }
  }
  while (await stillThere(context, { namespace, name, uid })) await context.sleep(POLL_MS);
  context.out(`pod/${name} evicted`);
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
