import { parse } from 'yaml';
import { deepEqual } from '../../api/deep-equal.ts';
import { applyMergePatch } from '../../api/merge-patch.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { schemaOfKind } from '../../api/schema.ts';
import { applyStrategicMergePatch } from '../../api/strategic-merge-patch.ts';
import type { PatchType } from '../../client/client.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { MAKE_FLAGS } from '../make-object.ts';
import { printValue } from '../output.ts';
import { patchObject } from '../patch-object.ts';
import { namedObjects } from '../rest-mapper.ts';

const TYPES: Readonly<Record<string, PatchType>> = { strategic: 'strategic', merge: 'merge', json: 'json' };

/** kubectl patch TYPE NAME -p PATCH: the patch may be JSON or YAML. */
export const patch: Command = {
  flags: {
    ...MAKE_FLAGS,
    patch: { type: 'string', short: 'p' },
    type: { type: 'string' },
    'patch-file': { type: 'string' },
    subresource: { type: 'string' },
    local: { type: 'boolean' },
    ...FILE_FLAGS,
  },
  async run(context) {
    const file = context.flags.string('patch-file');
    const text = file === undefined ? context.flags.string('patch') : context.files[file];
    if (!text) throw new KubectlError('error: must specify --patch or --patch-file containing the contents of the patch');
    const type = TYPES[context.flags.string('type') ?? 'strategic'];
    if (!type) throw new KubectlError(`error: --type must be one of [json merge strategic], not "${context.flags.string('type')}"`);
    const subresource = context.flags.string('subresource');
    const local = context.flags.boolean('local');
    if (local && context.args.length) throw new KubectlError('error: cannot specify --local and server resources');
    const files = context.flags.list('filename').length ? await fileObjects(context) : undefined;
    if (local) {
      for (const { object } of files ?? []) printPatched(context, { object, patch: parsePatch(text), type });
      return;
    }
    const named = files?.map(({ resource, object }) => ({ resource, name: object.metadata.name }));
    for (const { resource, name } of named ?? (await namedObjects(context.client, context.args))) {
      if (name === undefined) throw new KubectlError('error: resource(s) were provided, but no name was specified');
      const at = placeOf(context, resource, name);
      const client = context.client.resource(resource);
      const before = await client.get(at);
      const word = (after: KubernetesObject): string => (sameContent(before, after) ? 'patched (no change)' : 'patched');
      await patchObject(context, {
        resource,
        at,
        patch: parsePatch(text),
        type,
        word,
        ...(subresource ? { subresource, subresourceShown: true } : {}),
      });
    }
  },
};

/** Whether a patch changed anything: a write that changes nothing leaves the revision as it is. */
function sameContent(before: KubernetesObject, after: KubernetesObject): boolean {
  return before.metadata.resourceVersion === after.metadata.resourceVersion && deepEqual(before, after);
}

/** `--local`: what would come of it, without asking anybody. */
function printPatched(
  context: CommandContext,
  { object, patch, type }: { object: KubernetesObject; patch: unknown; type: PatchType },
): void {
  const schema = schemaOfKind(object.apiVersion ?? '', object.kind ?? '');
  if (type === 'json' || (type === 'strategic' && !schema))
    throw new KubectlError(`error: --local with a patch of type ${type} is not offered here`);
  const after = type === 'strategic' && schema ? applyStrategicMergePatch(object, patch, schema) : applyMergePatch(object, patch);
  const name = `${object.kind?.toLowerCase()}/${object.metadata.name}`;
  const output = context.flags.string('output');
  if (output) printValue(context, output, { value: after, name });
  else context.out(`${name} patched`);
}

/** A patch that may be JSON or YAML. @throws KubectlError */
export function parsePatch(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new KubectlError(`error: unable to parse "${text}": ${(error as Error).message.split('\n')[0]}`);
  }
}
