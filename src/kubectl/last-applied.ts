import type { KubernetesObject } from '../api/object.ts';
import { type CommandContext, fileObjects, placeOf } from './command.ts';
import { KubectlError } from './kubectl-error.ts';
import { dryRunNote, dryRunOf } from './make-object.ts';
import { printValue } from './output.ts';
import { kindName, namedObjects } from './rest-mapper.ts';
import { toJson } from './yaml-output.ts';

/** Where `kubectl apply` keeps what it was given. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object with a copy of itself in the annotation, as text with sorted keys. */
export function withLastApplied(object: KubernetesObject): KubernetesObject {
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata.annotations ?? {};
  const plain = { ...object, metadata: { ...object.metadata, annotations } };
  return { ...plain, metadata: { ...plain.metadata, annotations: { ...annotations, [LAST_APPLIED]: `${toJson(plain)}\n` } } };
}

/** kubectl apply view-last-applied TYPE NAME */
export async function viewLastApplied(context: CommandContext, words: readonly string[]): Promise<void> {
  const output = context.flags.string('output') ?? 'yaml';
  if (output !== 'yaml' && output !== 'json')
    throw new KubectlError(
      `error: Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json\nSee 'view-last-applied -h' for help and examples`,
    );
  for (const { resource, name } of await namedObjects(context.client, words)) {
    if (name === undefined) throw new KubectlError('error: resource(s) were provided, but no name was specified');
    const { metadata } = await context.client.resource(resource).get(placeOf(context, resource, name));
    const text = metadata.annotations?.[LAST_APPLIED];
    if (text === undefined) continue;
    const value = JSON.parse(text) as object;
    if (output === 'json') context.out(toJson(value, 2));
    else printValue(context, output, { value });
  }
}

/** kubectl apply set-last-applied -f FILE: the annotation alone. */
export async function setLastApplied(context: CommandContext): Promise<void> {
  for (const { object, resource } of await fileObjects(context)) {
    const at = { namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
    const client = context.client.resource(resource);
    const live = await client.get(at);
    const wanted = withLastApplied(object).metadata.annotations?.[LAST_APPLIED] ?? '';
    const present = live.metadata.annotations?.[LAST_APPLIED];
    if (present === undefined && !context.flags.boolean('create-annotation'))
      throw new KubectlError(
        `error: no last-applied-configuration annotation found on resource: ${at.name}, to create the annotation, run the command with --create-annotation`,
      );
    if (present === wanted) {
      context.out(`set-last-applied ${at.name}: no changes required.`);
      continue;
    }
    const patch = { metadata: { annotations: { [LAST_APPLIED]: wanted } } };
    const dryRun = dryRunOf(context);
    const after =
      dryRun === 'client' ? live : await client.patch(at, patch, { type: 'merge', ...(dryRun === 'server' ? { dryRun: true } : {}) });
    const name = `${kindName(resource)}/${at.name}`;
    const output = context.flags.string('output');
    if (output) printValue(context, output, { value: after, name });
    else context.out(`${name} configured${dryRunNote(context)}`);
  }
}
