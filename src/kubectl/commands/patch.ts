import { parse } from 'yaml';
import { deepEqual } from '../../api/deep-equal.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { PatchType } from '../../client/client.ts';
import type { Command } from '../command.ts';
import { placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { MAKE_FLAGS } from '../make-object.ts';
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
  },
  async run(context) {
    const file = context.flags.string('patch-file');
    const text = file === undefined ? context.flags.string('patch') : context.files[file];
    if (!text) throw new KubectlError('error: must specify --patch or --patch-file containing the contents of the patch');
    const type = TYPES[context.flags.string('type') ?? 'strategic'];
    if (!type) throw new KubectlError(`error: --type must be one of [json merge strategic], not "${context.flags.string('type')}"`);
    const subresource = context.flags.string('subresource');
    for (const { resource, name } of await namedObjects(context.client, context.args)) {
      if (name === undefined) throw new KubectlError('error: resource(s) were provided, but no name was specified');
      const at = placeOf(context, resource, name);
      const client = context.client.resource(resource);
      const before = await client.get(at);
      const word = (after: KubernetesObject): string => (deepEqual(before, after) ? 'patched (no change)' : 'patched');
      await patchObject(context, { resource, at, patch: parsePatch(text), type, word, ...(subresource ? { subresource } : {}) });
    }
  },
};

function parsePatch(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new KubectlError(`error: unable to parse "${text}": ${(error as Error).message.split('\n')[0]}`);
  }
}
