import type { KubernetesObject } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import { namespaces } from '../../api/resources.ts';
import { ApiStatusError, isNotFound } from '../../api/status-error.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects, placeOf } from '../command.ts';
import { valuesAt } from '../jsonpath.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { printValue } from '../output.ts';
import { kindName, type Named, namedObjects } from '../rest-mapper.ts';
import { printTable, type Table } from '../table.ts';
import { watchChanges, withEvents } from '../watch-table.ts';

/** kubectl get: a table, or what `-o` asks for; `-w` goes on. */
export const get: Command = {
  flags: {
    output: { type: 'string', short: 'o' },
    selector: { type: 'string', short: 'l' },
    'field-selector': { type: 'string' },
    'all-namespaces': { type: 'boolean', short: 'A' },
    'show-labels': { type: 'boolean' },
    'label-columns': { type: 'list', short: 'L' },
    'no-headers': { type: 'boolean' },
    'show-kind': { type: 'boolean' },
    'sort-by': { type: 'string' },
    'ignore-not-found': { type: 'boolean' },
    'show-managed-fields': { type: 'boolean' },
    'chunk-size': { type: 'string' },
    ...FILE_FLAGS,
    watch: { type: 'boolean', short: 'w' },
    'watch-only': { type: 'boolean' },
    'output-watch-events': { type: 'boolean' },
    subresource: { type: 'string' },
    raw: { type: 'string' },
    'server-print': { type: 'boolean' },
  },
  async run(context) {
    const output = context.flags.string('output') ?? '';
    const raw = context.flags.string('raw');
    if (raw !== undefined) return printRaw(context, raw);
    const named = await whatToGet(context);
    const tables = output === '' || output === 'wide';
    const watches = context.flags.boolean('watch') || context.flags.boolean('watch-only');
    if (watches) return watch(context, named, output);
    return tables ? printTables(context, named, output === 'wide') : printObjects(context, named, output);
  },
};

const NOTHING_NAMED = `You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.

error: Required resource not specified.
Use "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).
See 'kubectl get -h' for help and examples`;

/** `-w`: what there is, then a line for each change. */
async function watch(context: CommandContext, named: readonly Named[], output: string): Promise<void> {
  const [one, ...more] = named;
  if (!one || more.length) throw new KubectlError('error: you may only specify a single resource type');
  const table = await fetchTable(context, one);
  const from = { resourceVersion: table.metadata?.resourceVersion ?? '', output, widths: [] as number[], headed: false };
  const first = !context.flags.boolean('watch-only');
  if (first && (output === '' || output === 'wide')) {
    const everywhere = context.flags.boolean('all-namespaces') && one.resource.namespaced;
    const events = context.flags.boolean('output-watch-events');
    const shown = events ? withEvents(table, 'ADDED') : table;
    const look = { wide: output === 'wide', prefix: '', namespaces: everywhere, ...columnsOf(context), widths: from.widths };
    if (table.rows.length) for (const line of printTable(shown, look)) context.out(line);
    return watchChanges(context, one, { ...from, headed: table.rows.length > 0 });
  }
  if (first)
    for (const object of one.name === undefined ? await list(context, one.resource) : [await getOne(context, one.resource, one.name)])
      printOne(context, one, { object, output });
  return watchChanges(context, one, from);
}

function printOne(context: CommandContext, { resource }: Named, { object, output }: { object: KubernetesObject; output: string }): void {
  printValue(context, output, { value: object, name: `${kindName(resource)}/${object.metadata.name}` });
}

function getOne(context: CommandContext, resource: Resource, name: string): Promise<KubernetesObject> {
  const subresource = context.flags.string('subresource');
  return context.client.resource(resource).get(placeOf(context, resource, name), subresource ? { subresource } : {});
}

/** `--raw PATH`: the answer as it comes. */
async function printRaw(context: CommandContext, path: string): Promise<void> {
  if (context.args.length) throw new KubectlError('error: arguments may not be passed when --raw is specified');
  if (!path.startsWith('/'))
    throw new KubectlError(`error: --raw must be a valid URL path: parse ${JSON.stringify(path)}: invalid URI for request`);
  const text = await context.raw('GET', path);
  for (const line of text.replace(/\n$/, '').split('\n')) context.out(line);
}

async function whatToGet(context: CommandContext): Promise<Named[]> {
  if (context.flags.list('filename').length)
    return (await fileObjects(context, { asGiven: true })).map(({ resource, object }) => ({
      resource,
      name: object.metadata.name ?? '',
      ...(object.metadata.namespace ? { namespace: object.metadata.namespace } : {}),
    }));
  const [first = ''] = context.args;
  if (first === '') throw new KubectlError(NOTHING_NAMED);
  const named = await namedObjects(context.client, context.args);
  const byName = named.some(({ name }) => name !== undefined);
  if (byName && context.flags.boolean('all-namespaces'))
    throw new KubectlError('error: a resource cannot be retrieved by name across all namespaces');
  if (byName && (context.flags.string('selector') || context.flags.string('field-selector')))
    throw new KubectlError('error: name cannot be provided when a selector is specified');
  return named;
}

/** One table for each kind, with a blank line between. */
async function printTables(context: CommandContext, named: readonly Named[], wide: boolean): Promise<void> {
  const everywhere = context.flags.boolean('all-namespaces');
  const { tables, failed } = await fetchTables(context, named);
  let printed = false;
  for (const [resource, unsorted] of tables) {
    const table = sortTable(context, context.flags.boolean('server-print', true) ? unsorted : plainTable(unsorted));
    if (!table.rows.length) continue;
    if (printed && !context.flags.boolean('no-headers')) context.out('');
    const prefix = tables.size > 1 || context.flags.boolean('show-kind') ? `${kindName(resource)}/` : '';
    const look = { wide, prefix, namespaces: everywhere && resource.namespaced, ...columnsOf(context) };
    for (const line of printTable(table, look)) context.out(line);
    printed = true;
  }
  if (printed || failed || context.flags.boolean('ignore-not-found') || named.some(({ name }) => name !== undefined)) return;
  const inNamespace = !everywhere && named.some(({ resource }) => resource.namespaced);
  context.warn(inNamespace ? `No resources found in ${context.namespace} namespace.` : 'No resources found');
}

/** What labels and headings a table shows. */
export function columnsOf({ flags }: CommandContext): { labels: boolean; labelColumns: readonly string[]; headings: boolean } {
  return { labels: flags.boolean('show-labels'), labelColumns: flags.list('label-columns'), headings: !flags.boolean('no-headers') };
}

/** Tables of the same kind become one. What cannot be read is told on stderr. */
async function fetchTables(context: CommandContext, named: readonly Named[]): Promise<{ tables: Map<Resource, Table>; failed: boolean }> {
  const tables = new Map<Resource, Table>();
  let failed = false;
  for (const one of named) {
    try {
      const table = await fetchTable(context, one);
      const before = tables.get(one.resource);
      tables.set(one.resource, before ? { ...before, rows: [...before.rows, ...table.rows] } : table);
    } catch (error) {
      if (isNotFound(error) && context.flags.boolean('ignore-not-found')) continue;
      failed = true;
      context.error(listErrorText(context, one, error));
    }
  }
  return { tables, failed };
}

/** What the server says of selectors is put into words of kubectl: cli-runtime pkg/resource Selector.Visit */
function listErrorText(context: CommandContext, { resource, name }: Named, error: unknown): string {
  if (name !== undefined || !(error instanceof ApiStatusError) || error.status.reason !== 'BadRequest') return errorText(error);
  const [labels = '', fields = ''] = [context.flags.string('selector'), context.flags.string('field-selector')];
  const what = `${resource.group}/${resource.version}, Resource=${resource.resource}`;
  return `Error from server (BadRequest): Unable to find "${what}" that match label selector "${labels}", field selector "${fields}": ${error.status.message}`;
}

/** Asks for a table of one object, or of all that the selectors pick. @throws ApiStatusError */
export async function fetchTable(context: CommandContext, { resource, name, namespace: own }: Named): Promise<Table> {
  const { group, version, resource: plural } = resource;
  const namespace = resource.namespaced && !context.flags.boolean('all-namespaces') ? (own ?? context.namespace) : '';
  const info = {
    isResourceRequest: true,
    verb: name === undefined ? 'list' : 'get',
    path: '',
    group,
    version,
    resource: plural,
    subresource: context.flags.string('subresource') ?? '',
    namespace,
    name: name ?? '',
  };
  const whole = context.flags.string('sort-by') === undefined ? {} : { includeObject: 'Object' };
  const query = { ...(name === undefined ? selectors(context) : {}), ...whole };
  const response = await context.client.send({
    info,
    query,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
  });
  if (response.code >= 400) {
    const error = new ApiStatusError(response.body as ConstructorParameters<typeof ApiStatusError>[0]);
    if (isNotFound(error) && name !== undefined && namespace) await requireNamespace(context, namespace);
    throw error;
  }
  return response.body as Table;
}

/** Of an object that is not there, it is said when its namespace is not there either: cli-runtime pkg/resource Info.Get */
async function requireNamespace({ client }: CommandContext, name: string): Promise<void> {
  await client
    .resource(namespaces)
    .get({ name })
    .catch((error: unknown) => {
      if (isNotFound(error)) throw error;
    });
}

/** `--server-print=false`: what kubectl shows of any object. */
function plainTable(table: Table): Table {
  const shown = ['Name', 'Age'].map((name) => table.columnDefinitions.findIndex((column) => column.name === name)).filter((at) => at >= 0);
  return {
    ...table,
    columnDefinitions: table.columnDefinitions.filter((_, at) => shown.includes(at)),
    rows: table.rows.map((row) => ({ ...row, cells: shown.map((at) => row.cells[at]) })),
  };
}

function sortTable(context: CommandContext, table: Table): Table {
  const path = context.flags.string('sort-by');
  if (path === undefined) return table;
  const keyed = table.rows.map((row) => ({ row, key: valuesAt(path, row.object)[0] as string | number | undefined }));
  // A path that leads nowhere for any of them leaves nothing to show.
  if (keyed.every(({ key }) => key === undefined)) return { ...table, rows: [] };
  keyed.sort((a, b) => (a.key === b.key ? 0 : (a.key ?? '') < (b.key ?? '') ? -1 : 1));
  return { ...table, rows: keyed.map(({ row }) => row) };
}

/** `-l` and `--field-selector` as parameters of a list. */
export function selectors(context: CommandContext): { labelSelector?: string; fieldSelector?: string } {
  const labelSelector = context.flags.string('selector');
  const fieldSelector = context.flags.string('field-selector');
  return { ...(labelSelector ? { labelSelector } : {}), ...(fieldSelector ? { fieldSelector } : {}) };
}

async function printObjects(context: CommandContext, named: readonly Named[], output: string): Promise<void> {
  const found: { resource: Resource; object: KubernetesObject }[] = [];
  for (const { resource, name } of named) {
    try {
      if (name !== undefined) found.push({ resource, object: await getOne(context, resource, name) });
      else for (const object of await list(context, resource)) found.push({ resource, object });
    } catch (error) {
      if (isNotFound(error) && context.flags.boolean('ignore-not-found')) continue;
      context.error(errorText(error));
    }
  }
  const sortBy = context.flags.string('sort-by');
  if (sortBy !== undefined)
    found.sort((a, b) => (String(valuesAt(sortBy, a.object)[0] ?? '') < String(valuesAt(sortBy, b.object)[0] ?? '') ? -1 : 1));
  if (output === 'name') for (const { resource, object } of found) context.out(`${kindName(resource)}/${object.metadata.name}`);
  else if (named.length === 1 && named[0]?.name !== undefined) {
    const [one] = found;
    if (one) printValue(context, output, { value: one.object });
  } else if (found.length || named.every(({ name }) => name === undefined))
    printValue(context, output, { value: asList(found.map(({ object }) => object)) });
}

async function list(context: CommandContext, resource: Resource): Promise<KubernetesObject[]> {
  const namespace = context.flags.boolean('all-namespaces') ? undefined : placeOf(context, resource, '').namespace;
  return (await context.client.resource(resource).list({ namespace, ...selectors(context) })).items;
}

function asList(items: object[]): object {
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
}
