import type { KubernetesObject } from '../../api/object.ts';
import { isNotFound } from '../../api/status-error.ts';
import { formatTime } from '../../api/time.ts';
import { type Command, type CommandContext, FILE_FLAGS, type FileObject, fileObjects } from '../command.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { withoutManagedFields } from '../output.ts';
import { unifiedDiff } from '../unified-diff.ts';
import { toYaml } from '../yaml-output.ts';
import { threeWayPatch } from './apply.ts';

/** The exit code for trouble; 1 says that there is a difference. */
const TROUBLE = 2;

/** kubectl diff -f FILE: what `apply` would change, as `diff -u` tells it, by a dry run of it. */
export const diff: Command = {
  flags: {
    ...FILE_FLAGS,
    'server-side': { type: 'boolean' },
    'force-conflicts': { type: 'boolean' },
    'field-manager': { type: 'string' },
    'show-managed-fields': { type: 'boolean' },
    selector: { type: 'string', short: 'l' },
  },
  async run(context) {
    try {
      if (!context.flags.list('filename').length && context.flags.string('kustomize') === undefined)
        throw new KubectlError('error: must specify one of -f and -k');
      const pairs: Pair[] = [];
      for (const file of await fileObjects(context)) pairs.push({ file, ...masked(await liveAndMerged(context, file)) });
      for (const pair of pairs) printDifference(context, pair);
    } catch (error) {
      throw new KubectlError(errorText(error), TROUBLE);
    }
  },
};

interface Versions {
  readonly live: KubernetesObject | undefined;
  readonly merged: KubernetesObject;
}

type Pair = Versions & { readonly file: FileObject };

async function liveAndMerged(context: CommandContext, { object, resource }: FileObject): Promise<Versions> {
  const client = context.client.resource(resource);
  const at = { namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
  const live = await client.get(at).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (context.flags.boolean('server-side')) {
    const force = context.flags.boolean('force-conflicts');
    const fieldManager = context.flags.string('field-manager') ?? 'kubectl';
    return { live, merged: await client.patch(at, object, { type: 'apply', fieldManager, force, dryRun: true }) };
  }
  const options = { fieldManager: 'kubectl-client-side-apply', dryRun: true } as const;
  if (!live) return { live, merged: await client.create(object, options) };
  const annotated = { ...object, metadata: { ...object.metadata, annotations: object.metadata.annotations ?? {} } };
  const { patch, type } = threeWayPatch(resource, annotated, live);
  return { live, merged: patch ? await client.patch(at, patch, { type, ...options }) : live };
}

/** Nobody sees what is in a Secret, only whether it differs. kubectl pkg/cmd/diff Masker */
function masked({ live, merged }: Versions): Versions {
  if (merged.kind !== 'Secret' || merged.apiVersion !== 'v1') return { live, merged };
  const dataOf = (object: KubernetesObject | undefined): Record<string, unknown> =>
    ({ ...(object as { data?: Record<string, unknown> } | undefined)?.data }) as Record<string, unknown>;
  const [from, to] = [dataOf(live), dataOf(merged)];
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const differs = key in from && key in to && from[key] !== to[key];
    if (key in from) from[key] = differs ? '*** (before)' : '***';
    if (key in to) to[key] = differs ? '*** (after)' : '***';
  }
  return { live: live && withData(live, from), merged: withData(merged, to) };
}

const withData = (object: KubernetesObject, data: Record<string, unknown>): KubernetesObject =>
  (Object.keys(data).length ? { ...object, data } : object) as KubernetesObject;

function printDifference(context: CommandContext, { file, live, merged }: Pair): void {
  const textOf = (object: KubernetesObject | undefined): string =>
    object ? toYaml(context.flags.boolean('show-managed-fields') ? object : withoutManagedFields(object)) : '';
  const hunks = unifiedDiff(textOf(live), textOf(merged));
  if (!hunks.length) return;
  const { group, version, kind } = file.resource;
  const name = [...(group ? [group] : []), version, kind, merged.metadata.namespace ?? '', merged.metadata.name].join('.');
  const [from, to] = [`/tmp/LIVE-1/${name}`, `/tmp/MERGED-1/${name}`];
  const time = formatTime(context.client.actor.simulation.wallTime).replace('T', ' ').replace('Z', '.000000000 +0000');
  for (const line of [`diff -u -N ${from} ${to}`, `--- ${from}\t${time}`, `+++ ${to}\t${time}`, ...hunks]) context.out(line);
  context.fail();
}
