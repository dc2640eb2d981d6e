import { stringify } from 'yaml';
import type { KubernetesObject } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import { type Command, type CommandContext, placeOf } from '../command.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { kindName, namedObjects } from '../rest-mapper.ts';

/** kubectl get -o yaml|json|name. */
export const get: Command = {
  flags: {
    output: { type: 'string', short: 'o' },
    selector: { type: 'string', short: 'l' },
    'field-selector': { type: 'string' },
    'all-namespaces': { type: 'boolean', short: 'A' },
  },
  async run(context) {
    const format = context.flags.string('output');
    if (format !== 'yaml' && format !== 'json' && format !== 'name')
      throw new KubectlError(`error: output "${format ?? 'table'}" is not offered here; use -o yaml, -o json or -o name`);
    const named = namedObjects(context.args);
    const found: { resource: Resource; object: KubernetesObject }[] = [];
    for (const { resource, name } of named) {
      try {
        if (name !== undefined)
          found.push({ resource, object: await context.client.resource(resource).get(placeOf(context, resource, name)) });
        else for (const object of await list(context, resource)) found.push({ resource, object });
      } catch (error) {
        context.error(errorText(error));
      }
    }
    if (format === 'name') for (const { resource, object } of found) context.out(`${kindName(resource)}/${object.metadata.name}`);
    else
      print(
        context,
        format,
        named.length === 1 && named[0]?.name !== undefined ? found[0]?.object : asList(found.map(({ object }) => object)),
      );
  },
};

async function list(context: CommandContext, resource: Resource): Promise<KubernetesObject[]> {
  const labelSelector = context.flags.string('selector');
  const fieldSelector = context.flags.string('field-selector');
  const namespace = context.flags.boolean('all-namespaces') ? undefined : placeOf(context, resource, '').namespace;
  const options = { namespace, ...(labelSelector ? { labelSelector } : {}), ...(fieldSelector ? { fieldSelector } : {}) };
  return (await context.client.resource(resource).list(options)).items;
}

function asList(items: KubernetesObject[]) {
  return { apiVersion: 'v1', items: items.map(withoutManagedFields), kind: 'List', metadata: { resourceVersion: '' } };
}

function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function print(context: CommandContext, format: 'yaml' | 'json', value: KubernetesObject | object | undefined): void {
  if (value === undefined) return;
  context.out(format === 'json' ? JSON.stringify(value, null, 4) : toYaml(value));
}

/** YAML as kubectl prints it: keys sorted, no line folding. */
export function toYaml(value: unknown): string {
  return stringify(value, { sortMapEntries: true, lineWidth: 0, indentSeq: false }).trimEnd();
}
