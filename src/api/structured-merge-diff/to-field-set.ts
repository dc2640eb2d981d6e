import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { itemsByElement } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { deduceType, type FieldType, type ListType, type MapType } from './schema.ts';

/** The places of a value that can be owned: leaves, items of lists, and what is empty. structured-merge-diff typed.toFieldSetWalker */
export function fieldSetOf(value: unknown, type: FieldType): FieldSet {
  const set = new FieldSetBuilder();
  visitContents(value, type, { set, element: '' });
  return set.build();
}

/** Where a value is: `element` of `set`; '' for the root. */
interface Place {
  readonly set: FieldSetBuilder;
  readonly element: PathElement | '';
}

function visitContents(value: unknown, declared: FieldType, place: Place): void {
  const { map, scalar, list } = deduceType(declared, value);
  if (map) visitMap(value, map, place);
  else if (scalar) insert(place);
  else if (list) visitList(value, list, place);
}

function insert({ set, element }: Place): void {
  if (element !== '') set.add(element);
}

function below({ set, element }: Place): FieldSetBuilder {
  return element === '' ? set : set.child(element);
}

function visitList(value: unknown, list: ListType, place: Place): void {
  if (list.relationship === 'atomic') insert(place);
  else if (Array.isArray(value) && value.length > 0) {
    const set = below(place);
    for (const [element, items] of itemsByElement(list, value)) {
      if (items.length === 1) visitContents(items[0], list.items, { set, element });
      set.add(element);
    }
  }
}

function visitMap(value: unknown, map: MapType, place: Place): void {
  if (map.relationship === 'atomic') {
    insert(place);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const entries = Object.entries(value);
  if (entries.length === 0) return;
  const set = below(place);
  for (const [name, item] of entries) {
    const element = fieldElement(name);
    const declared = map.field(name);
    const type = declared ?? map.items;
    if (type) visitContents(item, type, { set, element });
    if (isEmpty(item) || !declared) set.add(element);
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
}
