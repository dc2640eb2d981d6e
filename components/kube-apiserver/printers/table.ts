import type { KubernetesList, KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse, WatchEvent } from '../../../src/api/request.ts';
import { apiVersionOf } from '../../../src/api/resource.ts';
import { newBadRequest } from '../../../src/api/status-error.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import type { Negotiated } from '../endpoints/negotiate.ts';
import { TABLE_COLUMNS } from '../generated/table-columns.ts';
import type { RequestContext } from '../request-context.ts';
import { podRowConditions } from './pod.ts';
import { printerOf } from './printers.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description?: string;
  readonly priority: number;
}

const DEFAULT_COLUMNS: readonly Column[] = [
  { name: 'Name', type: 'string', format: 'name', priority: 0 },
  { name: 'Created At', type: 'date', format: '', priority: 0 },
];
const SCALE_COLUMNS: readonly Column[] = [
  { name: 'Name', type: 'string', format: 'name', priority: 0 },
  { name: 'Desired', type: 'integer', format: '', priority: 0 },
  { name: 'Available', type: 'integer', format: '', priority: 0 },
  { name: 'Age', type: 'string', format: '', priority: 0 },
];

let parsed: Readonly<Record<string, readonly Column[]>> | undefined;

/** The answer as a Table: a row for each object. apiserver pkg/endpoints/handlers.asTable */
export function asTable(context: RequestContext, response: ApiResponse, { group, version }: Negotiated): ApiResponse {
  const { watch, body } = response;
  const apiVersion = `${group}/${version}`;
  const include = includeOf(context);
  const table = (objects: readonly KubernetesObject[], metadata: object, columns: readonly Column[] | undefined): object => ({
    kind: 'Table',
    apiVersion,
    metadata,
    columnDefinitions: columns?.map((column) => ({ description: '', ...column })) ?? null,
    rows: objects.map((object) => rowOf(context, object, { include, apiVersion })),
  });
  if (watch) {
    let columns: readonly Column[] | undefined = columnsOf(context, undefined);
    const convert = (event: WatchEvent): WatchEvent => {
      if (event.type === 'ERROR') return event;
      const object = event.object as KubernetesObject;
      const shown = {
        ...event,
        object: table([object], { resourceVersion: object.metadata.resourceVersion }, columns) as KubernetesObject,
      };
      columns = undefined;
      return shown;
    };
    return {
      ...response,
      watch: {
        stop: () => watch.stop(),
        start: (sink) => watch.start({ next: (event) => sink.next(convert(event)), end: () => sink.end() }),
      },
    };
  }
  if (typeof body !== 'object' || body === null || (body as KubernetesObject).kind === 'Status') return response;
  const { items, metadata: given } = body as KubernetesList;
  const { continue: token, ...others } = given;
  const metadata = token ? given : others;
  if (items) return { ...response, body: table(inOrder(items), metadata, columnsOf(context, undefined)) };
  const object = body as KubernetesObject;
  return { ...response, body: table([object], { resourceVersion: object.metadata.resourceVersion }, columnsOf(context, object)) };
}

type Include = 'None' | 'Metadata' | 'Object';

function includeOf({ request }: RequestContext): Include {
  const include = request.query['includeObject'] || 'Metadata';
  if (include === 'None' || include === 'Metadata' || include === 'Object') return include;
  throw newBadRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(include)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** FlowSchemas are shown in the order in which they are tried. */
function inOrder(items: readonly KubernetesObject[]): readonly KubernetesObject[] {
  if (items[0]?.kind !== 'FlowSchema') return items;
  const precedence = (object: KubernetesObject): number =>
    (object as { spec?: { matchingPrecedence?: number } }).spec?.matchingPrecedence ?? 0;
  return [...items].sort((a, b) => precedence(a) - precedence(b) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}

function columnsOf({ resource }: RequestContext, object: KubernetesObject | undefined): readonly Column[] {
  if (object?.kind === 'Scale') return SCALE_COLUMNS;
  const custom = customResourceVersionOf(resource);
  if (custom) return custom.columns.definitions;
  parsed ??= JSON.parse(TABLE_COLUMNS) as Readonly<Record<string, readonly Column[]>>;
  return parsed[`${apiVersionOf(resource)}/${resource.resource}`] ?? DEFAULT_COLUMNS;
}

function rowOf(
  context: RequestContext,
  object: KubernetesObject,
  { include, apiVersion }: { include: Include; apiVersion: string },
): object {
  const { storage, conversion, wallTime } = context;
  // Printers know the stored form.
  const stored =
    conversion && object.kind === context.resource.kind
      ? (storage.get(object.metadata.namespace ?? '', object.metadata.name ?? '') ?? object)
      : object;
  const custom = object.kind === 'Scale' ? undefined : customResourceVersionOf(context.resource);
  const cells = custom
    ? custom.columns.cells(object, wallTime)
    : object.kind && object.metadata.name === undefined
      ? []
      : printerOf(stored)(stored, wallTime);
  const conditions = object.kind === 'Pod' ? podRowConditions(object) : undefined;
  const shown =
    include === 'Object'
      ? object
      : include === 'Metadata'
        ? { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata }
        : null;
  return { cells, ...(conditions ? { conditions } : {}), object: shown };
}
