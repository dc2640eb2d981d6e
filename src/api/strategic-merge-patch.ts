// Strategic merge patch: merge patch that knows which lists are merged by key. Out of apimachinery pkg/util/strategicpatch.
import { deepEqual } from './deep-equal.ts';
import { isRecord } from './is-record.ts';
import { type FieldSchema, type ObjectSchema, structOf } from './schema.ts';
import { ApiStatusError, newBadRequest, newInvalid } from './status-error.ts';
import { invalid } from './validation/field.ts';

type Fields = Record<string, unknown>;

const PATCH = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM = '$deleteFromPrimitiveList/';
const SET_ORDER = '$setElementOrder/';

/** What is known of the value at hand: `fields` for a struct; nothing for free-form maps. */
type Known = ObjectSchema | undefined;

/**
 * Applies a strategic merge patch and returns the changed copy; what is not changed is shared.
 * @throws ApiStatusError as kube-apiserver answers: 400 for malformed directives, 500 for an entry without its merge key
 */
export function applyStrategicMergePatch<T>(original: T, patch: unknown, schema: ObjectSchema): T {
  if (!isRecord(patch))
    throw newBadRequest(
      `json: cannot unmarshal ${Array.isArray(patch) ? 'array' : typeof patch} into Go value of type map[string]interface {}`,
    );
  return mergeMap(original as Fields, patch, { schema, whole: patch }) as T;
}

interface Context {
  readonly schema: Known;
  /** The patch as sent, for error texts. */
  readonly whole: Fields;
}

function mergeMap(original: Fields, patch: Fields, context: Context): Fields {
  if (PATCH in patch) {
    const directive = patch[PATCH];
    if (directive === 'replace') return withoutKey(patch, PATCH);
    if (directive === 'delete') return {};
    if (directive !== 'merge') throw bare(`unknown patch type: ${goPrint(directive)} in map: ${goPrint(patch)}`);
  }
  const out = retainKeys({ ...original }, patch);
  for (const key in patch) {
    if (key === PATCH || key === RETAIN_KEYS || key.startsWith(SET_ORDER)) continue;
    if (key.startsWith(DELETE_FROM)) deleteFromPrimitiveList(out, key.slice(DELETE_FROM.length), patch[key]);
    else mergeKey(out, { key, value: patch[key] }, context);
  }
  for (const key in patch)
    if (key.startsWith(SET_ORDER))
      setElementOrder(out, {
        key: key.slice(SET_ORDER.length),
        order: patch[key],
        original,
        patch,
        field: context.schema?.fields.get(key.slice(SET_ORDER.length)),
      });
  return out;
}

function mergeKey(out: Fields, { key, value }: { readonly key: string; readonly value: unknown }, context: Context): void {
  if (value === null || value === undefined) {
    delete out[key];
    return;
  }
  const field = context.schema?.fields.get(key);
  const type = field?.type;
  if (type?.type === 'list' && isRecord(value)) {
    throw newInvalid({ group: '', kind: '' }, '', [invalid('patch', goPrint(context.whole), 'cannot restore slice from map')]);
  }
  const current = out[key];
  const inner: Context = { schema: structOf(type), whole: context.whole };
  // A directive says what to do with what is there: where nothing is, the map stays empty.
  if (isRecord(value) && current === undefined && value[PATCH] === 'replace') out[key] = {};
  else if (isRecord(value)) out[key] = mergeMap(isRecord(current) ? current : {}, value, inner);
  else if (Array.isArray(value) && field?.patchStrategy.includes('merge')) {
    out[key] = mergeList(Array.isArray(current) ? (current as unknown[]) : [], value as unknown[], { field, whole: context.whole });
  } else out[key] = value;
}

function retainKeys(out: Fields, patch: Fields): Fields {
  const keys = patch[RETAIN_KEYS];
  if (keys === undefined) return out;
  if (!Array.isArray(keys)) throw newBadRequest('invalid patch format of retainKeys');
  for (const key in patch)
    if (!key.startsWith('$') && patch[key] !== null && !keys.includes(key)) throw newBadRequest('invalid patch format of retainKeys');
  for (const key of Object.keys(out)) if (!keys.includes(key)) delete out[key];
  return out;
}

function deleteFromPrimitiveList(out: Fields, key: string, gone: unknown): void {
  const list = out[key];
  if (Array.isArray(list) && Array.isArray(gone)) out[key] = list.filter((item) => !gone.includes(item));
}

interface ListContext {
  readonly field: FieldSchema;
  readonly whole: Fields;
}

function mergeList(original: readonly unknown[], patch: readonly unknown[], context: ListContext): unknown[] {
  const key = context.field.patchMergeKey;
  if (!key) {
    const merged = [...original, ...patch.filter((item, index) => !original.includes(item) && patch.indexOf(item) === index)];
    return orderElements({ merged, order: patch, server: original, same: (a, b) => a === b });
  }
  const { kept, wanted, replaces } = splitSpecials(original, patch, key);
  if (replaces) return wanted;
  const schema = structOf(context.field.type);
  const merged = [...kept];
  for (const item of wanted) {
    const value = keyOfEntry(item, key);
    const index = merged.findIndex((existing) => isRecord(existing) && deepEqual(existing[key], value));
    if (index < 0) merged.push(mergeMap({}, item, { schema, whole: context.whole }));
    else merged[index] = mergeMap(merged[index] as Fields, item, { schema, whole: context.whole });
  }
  return orderElements({
    merged,
    order: wanted,
    server: original,
    same: (a, b) => isRecord(a) && isRecord(b) && deepEqual(a[key], b[key]),
  });
}

/** Takes out the entries with a $patch directive: deletions are done at once. */
function splitSpecials(
  original: readonly unknown[],
  patch: readonly unknown[],
  key: string,
): { kept: unknown[]; wanted: Fields[]; replaces: boolean } {
  let kept = [...original];
  let replaces = false;
  const wanted: Fields[] = [];
  for (const item of patch) {
    if (!isRecord(item)) throw bare(`expected map[string]interface {}, got ${typeof item}`);
    const directive = item[PATCH];
    if (directive === undefined) {
      wanted.push(item);
    } else if (directive === 'delete') {
      const value = keyOfEntry(item, key);
      kept = kept.filter((existing) => !isRecord(existing) || !deepEqual(existing[key], value));
    } else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw bare('merging lists cannot yet be specified in the patch');
    else throw bare(`unknown patch type: ${goPrint(directive)} in map: ${goPrint(item)}`);
  }
  return { kept, wanted, replaces };
}

function keyOfEntry(item: Fields, key: string): unknown {
  if (item[key] === undefined) throw bare(`map: ${goPrint(item)} does not contain declared merge key: ${key}`);
  return item[key];
}

interface Ordering {
  readonly merged: readonly unknown[];
  /** The order that is asked for. */
  readonly order: readonly unknown[];
  /** The order before the patch. */
  readonly server: readonly unknown[];
  same(a: unknown, b: unknown): boolean;
}

/** strategicpatch normalizeElementOrder: entries of the patch in its order, woven into the others; what is new comes first. */
function orderElements({ merged, order, server, same }: Ordering): unknown[] {
  const position = (list: readonly unknown[], item: unknown): number => {
    for (let index = 0; index < list.length; index++) if (same(list[index], item)) return index;
    return -1;
  };
  const ofPatch: { readonly item: unknown; readonly asked: number }[] = [];
  const ofServer: unknown[] = [];
  let inOrder = true;
  for (const item of merged) {
    const asked = position(order, item);
    inOrder &&= asked < 0 || asked >= (ofPatch.at(-1)?.asked ?? 0);
    if (asked < 0) ofServer.push(item);
    else ofPatch.push({ item, asked });
  }
  if (inOrder && ofServer.length === 0) return [...merged];
  ofPatch.sort((a, b) => a.asked - b.asked);
  const out: unknown[] = [];
  let taken = 0;
  for (const { item } of ofPatch) {
    const right = taken < ofServer.length ? position(server, item) : -1;
    for (; taken < ofServer.length && right >= 0; taken++) {
      const left = position(server, ofServer[taken]);
      if (left < 0 || left >= right) break;
      out.push(ofServer[taken]);
    }
    out.push(item);
  }
  return taken < ofServer.length ? [...out, ...ofServer.slice(taken)] : out;
}

interface ElementOrder {
  readonly key: string;
  readonly order: unknown;
  readonly original: Fields;
  readonly patch: Fields;
  readonly field: FieldSchema | undefined;
}

function setElementOrder(out: Fields, { key, order, original, patch, field }: ElementOrder): void {
  const list = out[key];
  if (!Array.isArray(order)) throw newBadRequest('invalid patch format of setElementOrder list');
  const mergeKeyName = field?.patchMergeKey;
  const same = (a: unknown, b: unknown): boolean =>
    mergeKeyName ? isRecord(a) && isRecord(b) && deepEqual(a[mergeKeyName], b[mergeKeyName]) : a === b;
  const wanted = (Array.isArray(patch[key]) ? (patch[key] as unknown[]) : []).filter(
    (item) => !isRecord(item) || item[PATCH] === undefined,
  );
  if (wanted.some((item) => !order.some((other) => same(other, item)))) {
    throw newBadRequest(`The order in patch list:\n${goPrint(wanted)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`);
  }
  if (!Array.isArray(list)) return;
  out[key] = orderElements({ merged: list, order, server: Array.isArray(original[key]) ? (original[key] as unknown[]) : [], same });
}

/** A value as Go's `%v` prints it: `map[a:1 b:[x y]]`. */
export function goPrint(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (isRecord(value)) {
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${goPrint(value[key])}`)
      .join(' ')}]`;
  }
  return value === null || value === undefined ? '<nil>' : String(value);
}

function bare(message: string): ApiStatusError {
  return new ApiStatusError({ message, reason: '', code: 500 });
}

function withoutKey(record: Fields, key: string): Fields {
  const { [key]: _, ...rest } = record;
  return rest;
}

export { createTwoWayMergePatch } from './two-way-merge-patch.ts';
