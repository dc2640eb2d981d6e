import type { KubernetesObject, NamespacedName } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import type { PatchType } from '../client/client.ts';
import type { CommandContext } from './command.ts';
import { dryRunNote, dryRunOf } from './make-object.ts';
import { printValue } from './output.ts';
import { kindName } from './rest-mapper.ts';

export interface ObjectPatch {
  readonly resource: Resource;
  readonly at: NamespacedName;
  readonly patch: unknown;
  readonly type: PatchType;
  readonly subresource?: string;
  readonly fieldManager?: string;
  /** That of the answer is printed, which may be a Scale. */
  readonly subresourceShown?: boolean;
  /** What is said of it, e.g. `labeled`; may depend on what came of it. */
  readonly word: string | ((after: KubernetesObject) => string);
}

/** Sends a patch and prints what came of it, as `-o` and `--dry-run` say. Differs: `--dry-run=client` asks the server too, without a change. */
export async function patchObject(
  context: CommandContext,
  { resource, at, patch, type, word, subresourceShown = false, ...rest }: ObjectPatch,
): Promise<KubernetesObject> {
  const dryRun = dryRunOf(context);
  const after = await context.client.resource(resource).patch(at, patch, { type, ...rest, ...(dryRun === 'none' ? {} : { dryRun: true }) });
  const name = `${after.kind === 'Scale' && subresourceShown ? 'scale.autoscaling' : kindName(resource)}/${at.name}`;
  const output = context.flags.string('output');
  if (output) printValue(context, output, { value: after, name });
  else context.out(`${name} ${typeof word === 'string' ? word : word(after)}${dryRunNote(context)}`);
  return after;
}
