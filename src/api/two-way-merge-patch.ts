import { deepEqual } from './deep-equal.ts';
import { isRecord } from './is-record.ts';
import { type FieldSchema, type ObjectSchema, structOf } from './schema.ts';

type Fields = Record<string, unknown>;

/**
 * The strategic merge patch that turns `from` into `to` (strategicpatch.CreateTwoWayMergePatch); undefined when they are equal.
 * Clients send it: kubelet for status, controllers for conditions.
 */
export function createTwoWayMergePatch(from: object, to: object, schema: ObjectSchema): Record<string, unknown> | undefined {
  const patch = diffMaps(from as Fields, to as Fields, schema);
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function diffMaps(from: Fields, to: Fields, schema: ObjectSchema | undefined): Fields {
  const patch: Fields = {};
  for (const key in from)
    if (from[key] !== undefined && from[key] !== null && (to[key] === undefined || to[key] === null)) patch[key] = null;
  for (const key in to) {
    const before = from[key];
    const after = to[key];
    if (after === undefined || after === null || before === after) continue;
    const field = schema?.fields.get(key);
    if (isRecord(before) && isRecord(after)) diffField(patch, key, { before, after, field });
    else if (Array.isArray(before) && Array.isArray(after) && field?.patchStrategy.includes('merge')) {
      if (field.patchMergeKey) diffKeyedList(patch, { before, after, field, key: field.patchMergeKey });
      else diffPrimitiveList(patch, { before, after, field });
    } else if (!deepEqual(before, after)) patch[key] = after;
  }
  return patch;
}

function diffField(
  patch: Fields,
  key: string,
  { before, after, field }: { before: Fields; after: Fields; field: FieldSchema | undefined },
): void {
  const inner = diffMaps(before, after, structOf(field?.type));
  if (Object.keys(inner).length === 0) return;
  patch[key] = field?.patchStrategy.includes('retainKeys') ? { $retainKeys: Object.keys(after).sort(), ...inner } : inner;
}

interface ListDiff {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  readonly field: FieldSchema;
}

function diffKeyedList(patch: Fields, { before, after, field, key }: ListDiff & { key: string }): void {
  if (deepEqual(before, after)) return;
  const schema = structOf(field.type);
  const find = (list: readonly unknown[], value: unknown): Fields | undefined =>
    list.find((item): item is Fields => isRecord(item) && deepEqual(item[key], value));
  const changes: Fields[] = [];
  for (const item of after as readonly Fields[]) {
    const old = find(before, item[key]);
    if (!old) changes.push(item);
    else {
      const inner = diffMaps(old, item, schema);
      if (Object.keys(inner).length > 0)
        changes.push({
          ...(field.patchStrategy.includes('retainKeys') ? { $retainKeys: Object.keys(item).sort() } : {}),
          ...inner,
          [key]: item[key],
        });
    }
  }
  for (const item of before as readonly Fields[]) if (!find(after, item[key])) changes.push({ $patch: 'delete', [key]: item[key] });
  patch[`$setElementOrder/${field.name}`] = (after as readonly Fields[]).map((item) => ({ [key]: item[key] }));
  if (changes.length > 0)
    patch[field.name] = changes.sort((a, b) => (String(a[key]) < String(b[key]) ? -1 : String(a[key]) > String(b[key]) ? 1 : 0));
}

function diffPrimitiveList(patch: Fields, { before, after, field }: ListDiff): void {
  if (deepEqual(before, after)) return;
  const gone = before.filter((item) => !after.includes(item));
  const added = after.filter((item) => !before.includes(item));
  patch[`$setElementOrder/${field.name}`] = [...after];
  if (gone.length > 0) patch[`$deleteFromPrimitiveList/${field.name}`] = gone;
  if (added.length > 0) patch[field.name] = added;
}
