import { ApiStatusError } from '../../api/status-error.ts';
import { chosenObjects } from '../chosen-objects.ts';
import type { Command } from '../command.ts';
import { FILE_FLAGS, fileObjects, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { MAKE_FLAGS } from '../make-object.ts';
import { patchObject } from '../patch-object.ts';

/** kubectl scale: GET of the object, then a merge patch of its scale subresource. */
export const scale: Command = {
  flags: {
    ...MAKE_FLAGS,
    all: { type: 'boolean' },
    selector: { type: 'string', short: 'l' },
    timeout: { type: 'string' },
    'current-replicas': { type: 'string' },
    replicas: { type: 'string' },
    'resource-version': { type: 'string' },
    ...FILE_FLAGS,
  },
  async run(context) {
    const replicas = context.flags.number('replicas');
    if (replicas === undefined) throw new KubectlError('error: required flag(s) "replicas" not set');
    if (replicas < 0) throw new KubectlError('error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
    const targets = context.flags.list('filename').length
      ? (await fileObjects(context)).map(({ resource, object }) => ({ resource, name: object.metadata.name }))
      : await chosenObjects(context);
    if (!targets.length) throw new KubectlError('error: no objects passed to scale');
    for (const { resource, name } of targets) {
      if (name === undefined) throw new KubectlError('error: resource(s) were provided, but no name was specified');
      const at = placeOf(context, resource, name);
      const client = context.client.resource(resource);
      const found = await client.get(at).catch((error: unknown) => {
        if (error instanceof ApiStatusError) throw new KubectlError(`error: no objects passed to scale ${error.message}`);
        throw error;
      });
      const current = (found as { spec?: { replicas?: number } }).spec?.replicas ?? 1;
      const wanted = context.flags.number('current-replicas') ?? -1;
      if (wanted >= 0 && wanted !== current) throw new KubectlError(`error: Expected replicas to be ${wanted}, was ${current}`);
      const version = context.flags.string('resource-version');
      if (version && version !== found.metadata.resourceVersion)
        throw new KubectlError(`error: Expected resource version to be ${version}, was ${found.metadata.resourceVersion}`);
      await patchObject(context, { resource, at, patch: { spec: { replicas } }, type: 'merge', subresource: 'scale', word: 'scaled' });
    }
  },
};
