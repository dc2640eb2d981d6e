import { FieldSet } from './field-set.ts';
import { type PathElement, parsePathElement } from './path-element.ts';

/** `fieldsV1` of a managedFields entry: a tree of path elements; `.` stands for the place itself. */
export interface FieldsV1 {
  [element: string]: FieldsV1;
}

/** One for all places: sets have many. */
const LEAF: FieldsV1 = Object.freeze({});

/** The set as JSON, in the order in which Go writes it. structured-merge-diff fieldpath.Set.ToJSON */
export function toFieldsV1(set: FieldSet): FieldsV1 {
  return write(set, {});
}

function write(set: FieldSet, out: FieldsV1): FieldsV1 {
  for (const element of set.elements()) {
    const child = set.children.get(element);
    out[element] = child ? write(child, set.members.has(element) ? { '.': LEAF } : {}) : LEAF;
  }
  return out;
}

/** The set that a client wrote; undefined when that is none. structured-merge-diff fieldpath.Set.FromJSON */
export function fromFieldsV1(value: unknown): FieldSet | undefined {
  if (value === undefined || value === null) return FieldSet.EMPTY;
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  for (const [text, below] of Object.entries(value)) {
    if (text === '.') continue;
    const element = parsePathElement(text);
    const child = element === undefined ? undefined : fromFieldsV1(below);
    if (element === undefined || !child) return undefined;
    if (child.isEmpty || Object.hasOwn(below as object, '.')) members.add(element);
    if (!child.isEmpty) children.set(element, child);
  }
  return FieldSet.of(members, children);
}
