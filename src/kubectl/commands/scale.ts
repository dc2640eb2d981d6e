import type { Command } from '../command.ts';
import { fileObjects, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { kindName, namedObjects } from '../rest-mapper.ts';

/** kubectl scale: GET of the object, then a merge patch of its scale subresource. */
export const scale: Command = {
  flags: { replicas: { type: 'string' }, filename: { type: 'list', short: 'f' } },
  async run(context) {
    const replicas = context.flags.number('replicas');
    if (replicas === undefined || replicas < 0)
      throw new KubectlError('error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
    const targets = context.flags.list('filename').length
      ? (await fileObjects(context)).map(({ resource, object }) => ({ resource, name: object.metadata.name }))
      : await namedObjects(context.client, context.args);
    for (const { resource, name } of targets) {
      if (name === undefined) throw new KubectlError('error: resource(s) were provided, but no name was specified');
      const at = placeOf(context, resource, name);
      const client = context.client.resource(resource);
      await client.get(at);
      await client.patch(at, { spec: { replicas } }, { type: 'merge', subresource: 'scale' });
      context.out(`${kindName(resource)}/${name} scaled`);
    }
  },
};
