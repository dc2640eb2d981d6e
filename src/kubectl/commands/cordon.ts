import { nodes } from '../../api/resources.ts';
import type { Command, CommandContext } from '../command.ts';
import type { FlagSpecs } from '../flags.ts';
import { KubectlError } from '../kubectl-error.ts';
import { dryRunNote } from '../make-object.ts';

const flags: FlagSpecs = { 'dry-run': { type: 'optional' } };

export const cordon: Command = { flags, run: (context) => eachNode(context, true) };
export const uncordon: Command = { flags, run: (context) => eachNode(context, false) };

async function eachNode(context: CommandContext, unschedulable: boolean): Promise<void> {
  if (!context.args.length) throw new KubectlError('error: USAGE: cordon NODE [flags]');
  for (const name of context.args) await setUnschedulable(context, name, unschedulable);
}

/** Marks the node, or takes the mark off; prints what it did. */
export async function setUnschedulable(context: CommandContext, name: string, unschedulable: boolean): Promise<void> {
  const client = context.client.resource(nodes);
  const node = await client.get({ name });
  const word = unschedulable ? 'cordoned' : 'uncordoned';
  const note = dryRunNote(context);
  if ((node.spec?.unschedulable ?? false) === unschedulable) return context.out(`node/${name} already ${word}${note}`);
  if (!note) await client.patch({ name }, { spec: { unschedulable: unschedulable || null } }, { type: 'strategic' });
  context.out(`node/${name} ${word}${note}`);
}
