import { type Command, type CommandContext, FILE_FLAGS, type FileObject, fileObjects } from '../command.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { withLastApplied } from '../last-applied.ts';
import { dryRunNote, dryRunOf, MAKE_FLAGS } from '../make-object.ts';
import { printValue } from '../output.ts';
import { kindName } from '../rest-mapper.ts';
import { VALIDATE_FLAGS, validation } from '../validation.ts';
import { deleteCommand } from './delete.ts';

/** kubectl replace -f FILE: a PUT of each object; `--force` deletes it first, waits until it is gone, and makes it anew. */
export const replace: Command = {
  flags: {
    ...MAKE_FLAGS,
    ...FILE_FLAGS,
    ...VALIDATE_FLAGS,
    'save-config': { type: 'boolean' },
    subresource: { type: 'string' },
    force: { type: 'boolean' },
    cascade: { type: 'string' },
    'grace-period': { type: 'string' },
    timeout: { type: 'string' },
    wait: { type: 'boolean' },
    'ignore-not-found': { type: 'boolean' },
  },
  async run(context) {
    const { flags } = context;
    if (!flags.list('filename').length && flags.string('kustomize') === undefined)
      throw new KubectlError('error: must specify one of -f and -k');
    const forced = flags.boolean('force');
    if (flags.number('grace-period') === 0 && !forced) throw new KubectlError('error: --grace-period must have --force specified');
    const objects = await fileObjects(context);
    if (!objects.length) throw new KubectlError('error: no objects passed to replace');
    if (forced) await deleteFirst(context);
    for (const file of objects) {
      try {
        await replaceOne(context, file, forced);
      } catch (error) {
        context.error(errorText(error, `error when ${forced ? 'creating' : 'replacing'} "${file.source}"`));
      }
    }
  },
};

/** Objects that are not there are no obstacle, and all go on to their end. */
function deleteFirst(context: CommandContext): Promise<void> {
  return deleteCommand.run({
    ...context,
    flags: context.flags.with({ 'ignore-not-found': 'true', output: '', force: '', wait: 'true' }),
  });
}

async function replaceOne(context: CommandContext, { object, resource }: FileObject, forced: boolean): Promise<void> {
  const client = context.client.resource(resource);
  const at = { namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
  const given = context.flags.boolean('save-config') ? withLastApplied(object) : object;
  const dryRun = dryRunOf(context);
  const subresource = context.flags.string('subresource');
  const options = {
    fieldManager: 'kubectl-replace',
    ...validation(context),
    ...(dryRun === 'server' ? { dryRun: true } : {}),
    ...(subresource ? { subresource } : {}),
  };
  const after = dryRun === 'client' ? given : forced ? await client.create(given, options) : await client.update(given, options);
  const name = `${kindName(resource)}/${at.name}`;
  const output = context.flags.string('output');
  if (output) printValue(context, output, { value: after, name });
  else context.out(`${name} replaced${dryRunNote(context)}`);
}
