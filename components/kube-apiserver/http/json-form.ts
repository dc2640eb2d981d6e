import { encodeObject } from '../../../src/api/encode.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { schemaOfKind } from '../../../src/api/schema.ts';
import { withVisibleManagedFields } from '../managedfields/field-owners.ts';

/** How many objects have their text remembered. */
const MAX_TEXTS = 20_000;
let texts = new WeakMap<object, string>();
let remembered = 0;

/** The JSON text of an answer. Objects of the store are written out once, however many ask for them. apiserver pkg/storage/cacher cachingObject */
export function jsonOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  if (isListOfObjects(body)) return listText(body);
  if (!Object.isFrozen(body) || !('metadata' in body)) return JSON.stringify(withTypeFirst(body));
  const known = texts.get(body);
  if (known !== undefined) return known;
  const text = JSON.stringify(withTypeFirst(body));
  if (remembered++ === MAX_TEXTS) {
    texts = new WeakMap();
    remembered = 0;
  }
  texts.set(body, text);
  return text;
}

interface ListOfObjects {
  readonly kind: string;
  readonly items: readonly KubernetesObject[];
}

function isListOfObjects(body: object): body is ListOfObjects {
  const { kind, items } = body as Partial<ListOfObjects>;
  return Array.isArray(items) && typeof kind === 'string' && kind.endsWith('List') && !KEPT_TYPES.has(kind);
}

function listText(list: ListOfObjects): string {
  const fields = Object.entries(withTypeFirst({ ...list, items: [] }) as object).map(([name, value]) =>
    name === 'items' ? `"items":[${list.items.map(itemText).join(',')}]` : `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${fields.join(',')}}`;
}

/** An item says what it is only where the list does not. */
function itemText(item: KubernetesObject): string {
  const { apiVersion = '', kind = '' } = item;
  if (!kind || !schemaOfKind(apiVersion, kind)) return JSON.stringify(withoutType('', item));
  const text = jsonOf(item);
  const prefix = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
  return text.startsWith(prefix) ? `{${text.slice(prefix.length)}` : JSON.stringify(withoutType('', item));
}

/** `kind` and `apiVersion` first; the items of a list without both, as the API writes typed lists. */
export function withTypeFirst(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { kind, apiVersion, ...rest } = ordered(body as KubernetesObject);
  const typed = { ...(kind === undefined ? {} : { kind }), ...(apiVersion === undefined ? {} : { apiVersion }), ...rest };
  const { items } = rest;
  if (kind === 'Table') return { ...typed, rows: (rest['rows'] as { object: KubernetesObject }[]).map(visibleRow) };
  if (!Array.isArray(items) || typeof kind !== 'string' || !kind.endsWith('List')) return typed;
  return { ...typed, items: items.map((item) => withoutType(kind, item)) };
}

function visibleRow<T extends { object: KubernetesObject | null }>(row: T): T {
  return row.object?.metadata ? { ...row, object: withVisibleManagedFields(row.object) } : row;
}

const KEPT_TYPES = new Set(['Table', 'APIGroupDiscoveryList', 'PartialObjectMetadataList', 'APIResourceList', 'APIGroupList']);

function withoutType(listKind: string, item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  if (KEPT_TYPES.has(listKind)) return listKind === 'PartialObjectMetadataList' ? withVisibleManagedFields(item as KubernetesObject) : item;
  const { apiVersion = '', kind = '' } = item as KubernetesObject;
  // Custom resources say what they are in lists as well.
  if (kind && !schemaOfKind(apiVersion, kind)) return withVisibleManagedFields(item as KubernetesObject);
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = ordered(item as KubernetesObject);
  return rest;
}

/** The fields of apimachinery pkg/apis/meta/v1.ObjectMeta in the order in which Go writes them. */
const METADATA_ORDER = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;

/** The wire form of an object: metadata first and in order. */
function ordered(object: KubernetesObject): Record<string, unknown> {
  const { metadata, ...rest } = encodeObject(object) as unknown as Record<string, unknown> & { metadata?: Record<string, unknown> };
  if (metadata === undefined) return rest;
  const sorted: Record<string, unknown> = {};
  for (const key of METADATA_ORDER) if (metadata[key] !== undefined) sorted[key] = metadata[key];
  // Worked out when asked for: copies of the metadata do not have it.
  const { managedFields } = object.metadata;
  if (managedFields) sorted['managedFields'] = managedFields;
  return { metadata: { ...sorted, ...metadata }, ...rest };
}
