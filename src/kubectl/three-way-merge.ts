import { isRecord } from '../api/is-record.ts';
import { type FieldSchema, type ObjectSchema, structOf } from '../api/schema.ts';

type Fields = Record<string, unknown>;

/** The three states that apply knows. */
interface Three<T> {
  /** What was applied last. */
  readonly original: T;
  /** What is applied now. */
  readonly modified: T;
  /** What the server has. */
  readonly current: T;
}

/**
 * What the object should become when `modified` is applied: what `original` had and `modified` no longer has goes, what `modified` says is set, the rest of
 * `current` stays. The patch between `current` and the result is what strategicpatch.CreateThreeWayMergePatch gives.
 */
export function mergeThreeWay(states: Three<object>, schema: ObjectSchema | undefined): Fields {
  return mergeMaps({ original: states.original as Fields, modified: states.modified as Fields, current: states.current as Fields }, schema);
}

function mergeMaps({ original, modified, current }: Three<Fields>, schema: ObjectSchema | undefined): Fields {
  const out: Fields = {};
  for (const key of new Set([...Object.keys(current), ...Object.keys(modified)])) {
    if (!(key in modified) || modified[key] === null) {
      if (!(key in original) && modified[key] !== null) out[key] = current[key];
    } else out[key] = mergeValue({ original: original[key], modified: modified[key], current: current[key] }, schema?.fields.get(key));
  }
  return out;
}

function mergeValue({ original, modified, current }: Three<unknown>, field: FieldSchema | undefined): unknown {
  if (isRecord(modified) && isRecord(current))
    return mergeMaps({ original: isRecord(original) ? original : {}, modified, current }, structOf(field?.type));
  if (!Array.isArray(modified) || !Array.isArray(current) || !field?.patchStrategy.includes('merge')) return modified;
  const before = Array.isArray(original) ? original : [];
  const key = field.patchMergeKey;
  if (!key) return [...modified, ...current.filter((item) => !modified.includes(item) && !before.includes(item))];
  const find = (list: readonly unknown[], item: unknown): Fields | undefined =>
    list.find((other): other is Fields => isRecord(other) && isRecord(item) && other[key] === item[key]);
  const merged = modified.map((item: unknown) => {
    const match = find(current, item);
    return match && isRecord(item)
      ? mergeMaps({ original: find(before, item) ?? {}, modified: item, current: match }, structOf(field.type))
      : item;
  });
  return [...merged, ...current.filter((item: unknown) => !find(modified, item) && !find(before, item))];
}
