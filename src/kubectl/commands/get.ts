import { stringify } from 'yaml';
import type { KubernetesObject } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import { ApiStatusError } from '../../api/status-error.ts';
import { type Command, type CommandContext, placeOf } from '../command.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { kindName, type Named, namedObjects } from '../rest-mapper.ts';
import { printTable, type Table } from '../table.ts';

const FORMATS = ['', 'wide', 'yaml', 'json', 'name'] as const;
type Format = (typeof FORMATS)[number];

/** kubectl get: a table (also `-o wide`), or `-o yaml`, `-o json`, `-o name`. */
export const get: Command = {
  flags: {
    output: { type: 'string', short: 'o' },
    selector: { type: 'string', short: 'l' },
    'field-selector': { type: 'string' },
    'all-namespaces': { type: 'boolean', short: 'A' },
  },
  async run(context) {
    const format = (context.flags.string('output') ?? '') as Format;
    if (!FORMATS.includes(format))
      throw new KubectlError(`error: output "${format}" is not offered here; use -o wide, -o yaml, -o json or -o name`);
    const named = await namedObjects(context.client, context.args);
    if (format === '' || format === 'wide') return printTables(context, named, format === 'wide');
    return printObjects(context, named, format);
  },
};

/** One table for each kind, with a blank line between. */
async function printTables(context: CommandContext, named: readonly Named[], wide: boolean): Promise<void> {
  const everywhere = context.flags.boolean('all-namespaces');
  const kinds = new Set(named.map(({ resource }) => resource));
  let printed = false;
  for (const one of named) {
    try {
      const table = await fetchTable(context, one);
      if (!table.rows.length) continue;
      if (printed && one.name === undefined) context.out('');
      const prefix = kinds.size > 1 ? `${kindName(one.resource)}/` : '';
      for (const line of printTable(table, { wide, prefix, namespaces: everywhere && one.resource.namespaced })) context.out(line);
      printed = true;
    } catch (error) {
      context.error(errorText(error));
      printed = true;
    }
  }
  if (printed) return;
  const inNamespace = !everywhere && named.some(({ resource }) => resource.namespaced);
  context.warn(inNamespace ? `No resources found in ${context.namespace} namespace.` : 'No resources found');
}

async function fetchTable(context: CommandContext, { resource, name }: Named): Promise<Table> {
  const { group, version, resource: plural } = resource;
  const namespace = resource.namespaced && !context.flags.boolean('all-namespaces') ? context.namespace : '';
  const info = {
    isResourceRequest: true,
    verb: name === undefined ? 'list' : 'get',
    path: '',
    group,
    version,
    resource: plural,
    subresource: '',
    namespace,
    name: name ?? '',
  };
  const query = name === undefined ? selectors(context) : {};
  const response = await context.client.send({
    info,
    query,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
  });
  if (response.code >= 400) throw new ApiStatusError(response.body as ConstructorParameters<typeof ApiStatusError>[0]);
  return response.body as Table;
}

function selectors(context: CommandContext): { labelSelector?: string; fieldSelector?: string } {
  const labelSelector = context.flags.string('selector');
  const fieldSelector = context.flags.string('field-selector');
  return { ...(labelSelector ? { labelSelector } : {}), ...(fieldSelector ? { fieldSelector } : {}) };
}

async function printObjects(context: CommandContext, named: readonly Named[], format: Format): Promise<void> {
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
  else if (named.length === 1 && named[0]?.name !== undefined) print(context, format, found[0] && withoutManagedFields(found[0].object));
  else print(context, format, asList(found.map(({ object }) => object)));
}

async function list(context: CommandContext, resource: Resource): Promise<KubernetesObject[]> {
  const namespace = context.flags.boolean('all-namespaces') ? undefined : placeOf(context, resource, '').namespace;
  return (await context.client.resource(resource).list({ namespace, ...selectors(context) })).items;
}

function asList(items: KubernetesObject[]): object {
  return { apiVersion: 'v1', items: items.map(withoutManagedFields), kind: 'List', metadata: { resourceVersion: '' } };
}

function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function print(context: CommandContext, format: Format, value: object | undefined): void {
  if (value === undefined) return;
  context.out(format === 'json' ? JSON.stringify(value, null, 4) : toYaml(value));
}

/** YAML as kubectl prints it: keys sorted, no line folding. */
export function toYaml(value: unknown): string {
  return stringify(value, { sortMapEntries: true, lineWidth: 0, indentSeq: false }).trimEnd();
}
