import { deepEqual } from '../deep-equal.ts';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { itemsByElement } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { deduceType, type FieldType, type ListType, type MapType } from './schema.ts';

/** How two values differ. structured-merge-diff typed.Comparison */
export class Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;

  constructor(sets: { readonly removed: FieldSet; readonly modified: FieldSet; readonly added: FieldSet }) {
    this.removed = sets.removed;
    this.modified = sets.modified;
    this.added = sets.added;
  }

  /** Whether nothing differs. */
  get isSame(): boolean {
    return this.removed.isEmpty && this.modified.isEmpty && this.added.isEmpty;
  }

  /** The same with less in it. */
  filter(keep: (set: FieldSet) => FieldSet): Comparison {
    return new Comparison({ removed: keep(this.removed), modified: keep(this.modified), added: keep(this.added) });
  }
}

/**
 * structured-merge-diff typed.compareWalker: equal objects (`===`) cost nothing. Objects of built-in kinds may be lean: what the API would write for
 * fields that they do not hold is filled in.
 */
export function compareValues(before: unknown, after: unknown, type: FieldType): Comparison {
  const walk: Walk = { removed: new FieldSetBuilder(), modified: new FieldSetBuilder(), added: new FieldSetBuilder(), path: [] };
  visit(walk, { before, after }, type);
  const { removed, modified, added } = walk;
  return new Comparison({ removed: removed.build(), modified: modified.build(), added: added.build() });
}

interface Walk {
  readonly removed: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly added: FieldSetBuilder;
  readonly path: PathElement[];
}

/** `undefined` on one side: there is nothing; `null` is a value. */
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

function visit(walk: Walk, pair: Pair, declared: FieldType): void {
  const { before, after } = pair;
  if (before === after) return;
  const [left, right] = [deduceType(declared, before), deduceType(declared, after)];
  let leaf: boolean;
  if (after === undefined) leaf = visitAs(walk, pair, left);
  else if (before === undefined || sameForm(left, right)) leaf = visitAs(walk, pair, right);
  else {
    // Another form: everything of the old one goes, everything of the new one comes.
    leaf = visitAs(walk, pair, left);
    leaf = visitAs(walk, pair, right) || leaf;
  }
  if (leaf || walk.path.length === 0) return;
  if (before === undefined) walk.added.insert(walk.path);
  else if (after === undefined) walk.removed.insert(walk.path);
}

function sameForm(a: FieldType, b: FieldType): boolean {
  return Boolean(a.map) === Boolean(b.map) && Boolean(a.scalar) === Boolean(b.scalar) && Boolean(a.list) === Boolean(b.list);
}

/** Whether the place is a leaf. */
function visitAs(walk: Walk, pair: Pair, { map, scalar, list }: FieldType): boolean {
  if (map) return visitMap(walk, pair, map);
  if (scalar) return visitLeaf(walk, pair);
  return list ? visitList(walk, pair, list) : true;
}

function visitLeaf({ path, added, removed, modified }: Walk, { before, after }: Pair): true {
  if (before === undefined) added.insert(path);
  else if (after === undefined) removed.insert(path);
  else if (!deepEqual(before, after)) modified.insert(path);
  return true;
}

const NOTHING: readonly unknown[] = [];

function visitList(walk: Walk, pair: Pair, list: ListType): boolean {
  const before = Array.isArray(pair.before) ? (pair.before as readonly unknown[]) : NOTHING;
  const after = Array.isArray(pair.after) ? (pair.after as readonly unknown[]) : NOTHING;
  if (list.relationship === 'atomic' || (before.length === 0 && after.length === 0)) return visitLeaf(walk, pair);
  const [left, right] = [itemsByElement(list, before), itemsByElement(list, after)];
  for (const [element, items] of left) visitItems(walk, { element, before: items, after: right.get(element) ?? NOTHING }, list);
  for (const [element, items] of right) if (!left.has(element)) visitItems(walk, { element, before: NOTHING, after: items }, list);
  return false;
}

interface Items {
  readonly element: PathElement;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** Items of one key: usually one on each side. Duplicates are owned together, and any change of them is one. */
function visitItems(walk: Walk, { element, before, after }: Items, list: ListType): void {
  walk.path.push(element);
  if (before.length <= 1 && after.length <= 1) visit(walk, { before: before[0], after: after[0] }, list.items);
  else if (before.length === 0) walk.added.insert(walk.path);
  else if (after.length === 0) walk.removed.insert(walk.path);
  else if (!deepEqual(before, after)) {
    if (after.length === 1) walk.added.insert(walk.path);
    else walk.modified.insert(walk.path);
  }
  walk.path.pop();
}

function visitMap(walk: Walk, pair: Pair, map: MapType): boolean {
  const before = recordOf(pair.before);
  const after = recordOf(pair.after);
  const { written } = map;
  const unheld = written && written.length > 0 ? written : undefined;
  if (map.relationship === 'atomic' || (isEmpty(before, unheld) && isEmpty(after, unheld))) return visitLeaf(walk, pair);
  for (const name in before) {
    const [left, right] = [before[name], after[name]];
    if (left !== right) visitField(walk, { name, before: left, after: right ?? unheldValue(pair.after, unheld, name) }, map);
  }
  for (const name in after) {
    if (before[name] !== undefined || after[name] === undefined) continue;
    visitField(walk, { name, before: unheldValue(pair.before, unheld, name), after: after[name] }, map);
  }
  // A struct that comes or goes brings what it is written with.
  if (!unheld || (pair.before !== undefined && pair.after !== undefined)) return false;
  for (const [name, value] of unheld) {
    if (before[name] !== undefined || after[name] !== undefined) continue;
    visitField(
      walk,
      pair.before === undefined ? { name, before: undefined, after: value } : { name, before: value, after: undefined },
      map,
    );
  }
  return false;
}

/** What is written for a field of a struct that does not hold it; undefined when there is no struct. */
function unheldValue(struct: unknown, written: MapType['written'], name: string): unknown {
  if (!written || struct === undefined || struct === null) return undefined;
  for (const [field, value] of written) if (field === name) return value;
  return undefined;
}

function visitField(walk: Walk, { name, before, after }: Pair & { name: string }, map: MapType): void {
  if (before === after) return;
  const type = map.field(name) ?? map.items;
  if (!type) return;
  walk.path.push(fieldElement(name));
  visit(walk, { before, after }, type);
  walk.path.pop();
}

/** Whether a struct has nothing on the wire either. */
function isEmpty(record: Readonly<Record<string, unknown>>, written: MapType['written']): boolean {
  if (written && record !== NO_FIELDS) return false;
  for (const _ in record) return false;
  return true;
}

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : NO_FIELDS;
}
