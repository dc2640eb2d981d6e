import type { PodTemplateSpec } from '../../api/kinds/core-v1.ts';
import type { Command, CommandContext } from '../command.ts';
import { placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { kindName, namedObjects } from '../rest-mapper.ts';

/** kubectl set image TYPE NAME container=image ... */
export const set: Command = {
  flags: {},
  async run(context) {
    const [what, ...words] = context.args;
    if (what !== 'image') throw new KubectlError(`error: set ${what ?? ''} is not offered here; set image is`);
    const images = new Map(words.filter((word) => word.includes('=')).map((word) => word.split(/=(.*)/s, 2) as [string, string]));
    if (!images.size) throw new KubectlError('error: at least one image update is required');
    for (const { resource, name } of await namedObjects(
      context.client,
      words.filter((word) => !word.includes('=')),
    )) {
      if (name === undefined)
        throw new KubectlError('error: one or more resources must be specified as <resource> <name> or <resource>/<name>');
      const at = placeOf(context, resource, name);
      const client = context.client.resource(resource);
      const object = (await client.get(at)) as { spec?: { template?: PodTemplateSpec; containers?: { name: string }[] } };
      const template = changedContainers(context, object.spec?.template?.spec ?? object.spec, images);
      if (!template) continue;
      const spec = object.spec?.template ? { template: { spec: template } } : template;
      await client.patch(at, { spec }, { type: 'strategic', fieldManager: 'kubectl-set' });
      context.out(`${kindName(resource)}/${name} image updated`);
    }
  },
};

function changedContainers(
  context: CommandContext,
  podSpec: { containers?: { name: string; image?: string }[] } | undefined,
  images: ReadonlyMap<string, string>,
) {
  const containers = podSpec?.containers ?? [];
  for (const name of images.keys())
    if (name !== '*' && !containers.some((container) => container.name === name))
      context.error(`error: unable to find container named "${name}"`);
  const changes = containers.flatMap(({ name, image: old }) => {
    const image = images.get(name) ?? images.get('*');
    return image === undefined || image === old ? [] : [{ name, image }];
  });
  return changes.length ? { containers: changes } : undefined;
}
