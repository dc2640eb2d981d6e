import { fieldElement, keyElement, type PathElement, valueElement } from './path-element.ts';
import type { ListType } from './schema.ts';

/** How an item of an associative list is found again, by what it has of its keys, or why it cannot be. structured-merge-diff typed.listItemToPathElement */
export function elementOfItem(list: ListType, item: unknown): { readonly element: PathElement } | { readonly error: string } {
  return list.keys.length > 0 ? elementByKeys(list, item) : elementByValue(item);
}

function elementByKeys(list: ListType, item: unknown): { element: PathElement } | { error: string } {
  if (item === null || item === undefined) return { error: 'associative list with keys may not have a null element' };
  if (typeof item !== 'object' || Array.isArray(item)) return { error: 'associative list with keys may not have non-map elements' };
  const keys: (readonly [string, unknown])[] = [];
  for (const name of list.keys) {
    const given = (item as Record<string, unknown>)[name];
    const value = given === undefined ? list.keyDefault(name) : given;
    if (value !== undefined) keys.push([name, value]);
  }
  if (keys.length > 0) return { element: keyElement(keys) };
  const names = list.keys.map((name) => JSON.stringify(name)).join(' ');
  return {
    error: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

function elementByValue(item: unknown): { element: PathElement } | { error: string } {
  if (Array.isArray(item)) return { error: 'not supported: associative list with lists as elements' };
  if (typeof item === 'object' && item !== null) return { error: "associative list without keys has an element that's a map type" };
  return { element: valueElement(item) };
}

/** The element of an item of a list that has been validated. */
export function knownElement(list: ListType, item: unknown): PathElement {
  const found = elementOfItem(list, item);
  return 'element' in found ? found.element : fieldElement('');
}

/** The items of a list by element; duplicates share an entry. */
export function itemsByElement(list: ListType, items: readonly unknown[]): Map<PathElement, unknown[]> {
  const found = new Map<PathElement, unknown[]>();
  for (const item of items) {
    const element = knownElement(list, item);
    const same = found.get(element);
    if (same) same.push(item);
    else found.set(element, [item]);
  }
  return found;
}
