import type { Resource } from '../api/resource.ts';
import { type CommandContext, placeOf } from './command.ts';
import { KubectlError } from './kubectl-error.ts';
import { namedObjects } from './rest-mapper.ts';

/** Objects named on the command line, or all of a kind that `--all` or `-l` picks. @throws KubectlError when neither says which */
export async function chosenObjects(
  context: CommandContext,
  words = context.args,
): Promise<{ readonly resource: Resource; readonly name: string }[]> {
  const { flags, client } = context;
  const labelSelector = flags.string('selector');
  const chosen: { resource: Resource; name: string }[] = [];
  for (const { resource, name } of await namedObjects(client, words)) {
    if (name !== undefined) chosen.push({ resource, name });
    else if (!flags.boolean('all') && labelSelector === undefined)
      throw new KubectlError('error: resource(s) were provided, but no name was specified');
    else {
      const { namespace } = placeOf(context, resource, '');
      const { items } = await client.resource(resource).list({ namespace, ...(labelSelector ? { labelSelector } : {}) });
      chosen.push(...items.map(({ metadata }) => ({ resource, name: metadata.name ?? '' })));
    }
  }
  return chosen;
}
