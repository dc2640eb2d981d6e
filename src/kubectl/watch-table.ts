import type { KubernetesObject } from '../api/object.ts';
import { ApiStatusError } from '../api/status-error.ts';
import type { CommandContext } from './command.ts';
import { columnsOf, selectors } from './commands/get.ts';
import { printValue, withoutManagedFields } from './output.ts';
import { kindName, type Named } from './rest-mapper.ts';
import { printTable, type Table } from './table.ts';

interface Change {
  readonly type: string;
  readonly object: KubernetesObject;
}

/** What is printed of each change. */
type Print = (change: Change) => void;

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** `-w` after the list has been printed: a line for each change from `resourceVersion` on, until the command is interrupted. */
export async function watchChanges(
  context: CommandContext,
  named: Named,
  from: { readonly resourceVersion: string; readonly output: string; readonly widths: number[]; readonly headed: boolean },
): Promise<void> {
  const { simulation } = context.client.actor;
  const { resource, name } = named;
  const tables = from.output === '' || from.output === 'wide';
  const print = tables ? tablePrinter(context, named, from) : objectPrinter(context, named, from.output);
  const namespace = resource.namespaced && !context.flags.boolean('all-namespaces') ? context.namespace : '';
  const { group, version, resource: plural } = resource;
  const info = {
    isResourceRequest: true,
    verb: 'watch',
    path: '',
    group,
    version,
    resource: plural,
    subresource: '',
    namespace,
    name: name ?? '',
  };
  const query = {
    watch: 'true',
    ...selectors(context),
    ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
    resourceVersion: from.resourceVersion,
  };
  await new Promise<void>((resolve, reject) => {
    const end = (): void => simulation.resolve(resolve, undefined);
    const sink = {
      next: (event: { readonly type: string; readonly object: unknown }): void => {
        if (event.type !== 'BOOKMARK' && event.type !== 'ERROR') print(event as Change);
      },
      end,
    };
    context.client.openWatch({ info, query, headers: tables ? { accept: TABLE } : {} }, sink).then(({ response, handle }) => {
      if (response.code >= 400) return reject(new ApiStatusError(response.body as ConstructorParameters<typeof ApiStatusError>[0]));
      const stop = (): void => {
        handle.stop();
        end();
      };
      context.interrupt.listen(stop);
      if (context.interrupt.raised) stop();
    }, reject);
  });
}

/** Rows below those that are there: columns stay as wide as they were; columns are named before the first row of all. */
function tablePrinter(
  context: CommandContext,
  { resource }: Named,
  from: { readonly output: string; readonly widths: number[]; readonly headed: boolean },
): Print {
  const namespaces = context.flags.boolean('all-namespaces') && resource.namespaced;
  const events = context.flags.boolean('output-watch-events');
  let columns: Table['columnDefinitions'] = [];
  let headed = from.headed;
  return ({ type, object }) => {
    const table = object as unknown as Table;
    // Only the first table of a watch names its columns.
    columns = table.columnDefinitions ?? columns;
    const whole = events ? withEvents({ ...table, columnDefinitions: columns }, type) : { ...table, columnDefinitions: columns };
    const options = { wide: from.output === 'wide', prefix: '', namespaces, ...columnsOf(context), widths: from.widths };
    const headings = !headed && options.headings;
    headed = true;
    for (const line of printTable(whole, { ...options, headings })) context.out(line);
  };
}

/** `--output-watch-events`: a first column that says what happened. */
export function withEvents(table: Table, type: string): Table {
  return {
    columnDefinitions: [{ name: 'Event', priority: 0 }, ...table.columnDefinitions],
    rows: table.rows.map((row) => ({ ...row, cells: [type, ...row.cells] })),
  };
}

function objectPrinter(context: CommandContext, { resource }: Named, output: string): Print {
  return ({ object }) =>
    printValue(context, output, { value: withoutManagedFields(object), name: `${kindName(resource)}/${object.metadata.name}` });
}
