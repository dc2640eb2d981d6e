import type { FieldSet } from './field-set.ts';
import { knownElement } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { deduceType, type FieldType, type ListType, type MapType } from './schema.ts';

/** The value without the places of a set; null when nothing is left of it. structured-merge-diff typed.removeItemsWithSchema */
export function removeItems(value: unknown, set: FieldSet, type: FieldType): unknown {
  return visit(value, { set, extract: false }, type);
}

/** Only the places of a set; null when there are none. structured-merge-diff typed.TypedValue.ExtractItems */
export function extractItems(value: unknown, set: FieldSet, type: FieldType): unknown {
  return visit(value, { set, extract: true }, type);
}

interface Cut {
  readonly set: FieldSet;
  readonly extract: boolean;
}

function visit(value: unknown, cut: Cut, declared: FieldType): unknown {
  const { map, list } = deduceType(declared, value);
  if (map) return visitMap(value, cut, map);
  return list ? visitList(value, cut, list) : value;
}

/** Marks what is cut away. */
const GONE = Symbol('gone');

/** What is left of one part. */
function part(value: unknown, { element, cut }: { element: PathElement; cut: Cut }, type: FieldType | undefined): unknown {
  const below = cut.set.withPrefix(element);
  if (cut.set.members.has(element)) {
    if (!cut.extract) return GONE;
    return below.isEmpty || !type ? whole(value, type) : visit(value, { set: below, extract: true }, type);
  }
  if (!below.isEmpty && type) return visit(value, { set: below, extract: cut.extract }, type);
  return cut.extract ? GONE : value;
}

/** A place that is a member alone says nothing of what is below it: only leaves come out whole. */
function whole(value: unknown, type: FieldType | undefined): unknown {
  if (typeof value !== 'object' || value === null || !type) return value;
  const { map, list } = deduceType(type, value);
  if (map?.relationship === 'atomic' || list?.relationship === 'atomic') return value;
  return Object.keys(value).length === 0 ? value : null;
}

function visitList(value: unknown, cut: Cut, list: ListType): unknown {
  if (!Array.isArray(value) || value.length === 0) return null;
  if (list.relationship === 'atomic') return cut.extract ? value : null;
  const kept = value
    .map((item: unknown) => part(item, { element: knownElement(list, item), cut }, list.items))
    .filter((item) => item !== GONE);
  return kept.length > 0 ? kept : null;
}

function visitMap(value: unknown, cut: Cut, map: MapType): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if (map.relationship === 'atomic') return cut.extract ? value : null;
  const out: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const kept = part(item, { element: fieldElement(name), cut }, map.field(name) ?? map.items);
    if (kept !== GONE) out[name] = kept;
  }
  return Object.keys(out).length > 0 ? out : null;
}
