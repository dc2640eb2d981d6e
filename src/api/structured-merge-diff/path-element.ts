import { quote } from '../validation/field.ts';

/**
 * One step from a value to a part of it, in the notation of managedFields: `f:<field>`, `k:<keys of a list item>`, `v:<item of a set>`, `i:<index>`.
 * Equal steps are equal strings. structured-merge-diff fieldpath.PathElement
 */
export type PathElement = string;

/** Steps from the root of an object. structured-merge-diff fieldpath.Path */
export type Path = readonly PathElement[];

/** @example fieldElement('spec') // 'f:spec' */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** An item of a list by the values of its keys. @example keyElement([['name', 'app']]) // 'k:{"name":"app"}' */
export function keyElement(keys: readonly (readonly [name: string, value: unknown])[]): PathElement {
  if (keys.length > 1) {
    const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : 1));
    return `k:{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${canonicalJson(value)}`).join(',')}}`;
  }
  const [[name, value] = ['', null]] = keys;
  return `k:{${JSON.stringify(name)}:${canonicalJson(value)}}`;
}

/** An item of a set. @example valueElement('x') // 'v:"x"' */
export function valueElement(value: unknown): PathElement {
  return `v:${canonicalJson(value)}`;
}

/** A step as it is written by a client; undefined when it is none. structured-merge-diff fieldpath.DeserializePathElement */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.startsWith('f:')) return text;
  const rest = text.slice(2);
  if (text.startsWith('i:')) return /^-?\d+$/.test(rest) ? `i:${Number(rest)}` : undefined;
  if (!text.startsWith('k:') && !text.startsWith('v:')) return undefined;
  const value = tryParse(rest);
  if (value === undefined) return undefined;
  if (text.startsWith('v:')) return valueElement(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return keyElement(Object.entries(value));
}

/** How messages print a step: `.spec`, `[name="app"]`, `[="x"]`, `[0]`. structured-merge-diff fieldpath.PathElement.String */
export function printPathElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${rest}`;
    case 'k': {
      const keys = Object.entries(JSON.parse(rest) as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
      return `[${keys.map(([name, value]) => `${name}=${printValue(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${printValue(JSON.parse(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

/** @example printPath(['f:spec', 'f:replicas']) // '.spec.replicas' */
export function printPath(path: Path): string {
  return path.map(printPathElement).join('');
}

const RANK: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

/** Fields, then items by key, then items by value, then indexes. structured-merge-diff fieldpath.PathElement.Compare */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a[0] !== b[0]) return (RANK[a[0] ?? ''] ?? 0) - (RANK[b[0] ?? ''] ?? 0);
  if (a[0] === 'f') return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [JSON.parse(a.slice(2)) as unknown, JSON.parse(b.slice(2)) as unknown];
  return a[0] === 'k' ? compareKeys(Object.entries(left as object), Object.entries(right as object)) : compareScalars(left, right);
}

type Entries = readonly (readonly [string, unknown])[];

function compareKeys(a: Entries, b: Entries): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [nameA, valueA] = a[index] ?? ['', null];
    const [nameB, valueB] = b[index] ?? ['', null];
    if (nameA !== nameB) return nameA < nameB ? -1 : 1;
    const order = compareScalars(valueA, valueB);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers, strings, booleans, null, in this order. structured-merge-diff value.Compare */
function compareScalars(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  const rank = (value: unknown): number =>
    ['number', 'string', 'boolean'].indexOf(typeof value) < 0 ? 3 : ['number', 'string', 'boolean'].indexOf(typeof value);
  return rank(a) - rank(b);
}

function printValue(value: unknown): string {
  return typeof value === 'string' ? quote(value) : canonicalJson(value);
}

function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
