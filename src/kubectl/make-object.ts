import type { KubernetesObject } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import type { CommandContext } from './command.ts';
import type { FlagSpecs } from './flags.ts';
import { KubectlError } from './kubectl-error.ts';
import { printValue } from './output.ts';
import { kindName } from './rest-mapper.ts';

/** Flags of every command that makes an object. */
export const MAKE_FLAGS: FlagSpecs = { 'dry-run': { type: 'optional' }, output: { type: 'string', short: 'o' } };

/** What `--dry-run` says. @throws KubectlError */
export function dryRunOf({ flags }: CommandContext): 'none' | 'client' | 'server' {
  const text = flags.string('dry-run') ?? 'none';
  if (text === 'unchanged') return 'client';
  if (text === 'none' || text === 'client' || text === 'server') return text;
  throw new KubectlError(`error: Invalid dry-run value (${text}). Must be "none", "server", or "client".`);
}

/** What follows the words of a command that changed nothing. */
export function dryRunNote(context: CommandContext): string {
  const dryRun = dryRunOf(context);
  return dryRun === 'none' ? '' : dryRun === 'client' ? ' (dry run)' : ' (server dry run)';
}

/** Sends a new object (unless `--dry-run=client`) and prints it as `-o` says, or that it was made. */
export async function makeObject(
  context: CommandContext,
  {
    resource,
    object,
    fieldManager,
    verb = 'created',
  }: { resource: Resource; object: KubernetesObject; fieldManager: string; verb?: string },
): Promise<void> {
  const dryRun = dryRunOf(context);
  const options = {
    fieldManager,
    ...(fieldManager === 'kubectl-create' ? { fieldValidation: 'Strict' as const } : {}),
    ...(dryRun === 'server' ? { dryRun: true } : {}),
  };
  const made = dryRun === 'client' ? object : await context.client.resource(resource).create(object, options);
  const output = context.flags.string('output');
  if (output) return printValue(context, output, { value: made, name: `${kindName(resource)}/${made.metadata.name}` });
  context.out(`${kindName(resource)}/${made.metadata.name} ${verb}${dryRunNote(context)}`);
}
