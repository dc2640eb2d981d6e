import { parse } from 'yaml';
import type { PatchType } from '../../client/client.ts';
import type { Command } from '../command.ts';
import { placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { kindName, namedObjects } from '../rest-mapper.ts';

const TYPES: Readonly<Record<string, PatchType>> = { strategic: 'strategic', merge: 'merge', json: 'json' };

/** kubectl patch TYPE NAME -p PATCH: the patch may be JSON or YAML. */
export const patch: Command = {
  flags: { patch: { type: 'string', short: 'p' }, type: { type: 'string' }, subresource: { type: 'string' } },
  async run(context) {
    const text = context.flags.string('patch');
    if (!text) throw new KubectlError('error: must specify --patch or --patch-file containing the contents of the patch');
    const type = TYPES[context.flags.string('type') ?? 'strategic'];
    if (!type) throw new KubectlError(`error: --type must be one of [json merge strategic], not "${context.flags.string('type')}"`);
    const subresource = context.flags.string('subresource');
    for (const { resource, name } of await namedObjects(context.client, context.args)) {
      if (name === undefined) throw new KubectlError('error: resource(s) were provided, but no name was specified');
      const at = placeOf(context, resource, name);
      const client = context.client.resource(resource);
      const before = await client.get(at);
      const after = await client.patch(at, parsePatch(text), { type, ...(subresource ? { subresource } : {}) });
      const changed = before.metadata.resourceVersion !== after.metadata.resourceVersion;
      context.out(`${kindName(resource)}/${name} patched${changed ? '' : ' (no change)'}`);
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
