import { FieldSet } from './field-set.ts';
import { type PathElement, parsePathElement } from './path-element.ts';

/** `fieldsV1` of a managedFields entry: a tree of path elements; `.` stands for the place itself. */
export interface FieldsV1 {
  [element: string]: FieldsV1;
}

/** structured-merge-diff fieldpath.Set.ToJSON */
export function toFieldsV1(set: FieldSet): FieldsV1 {
  const out: FieldsV1 = {};
  for (const element of set.elements()) {
    const child = set.children.get(element);
    out[element] = !child ? {} : set.members.has(element) ? { '.': {}, ...toFieldsV1(child) } : toFieldsV1(child);
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
