import { FieldSet } from './field-set.ts';
import type { PathElement } from './path-element.ts';
import type { FieldType } from './schema.ts';

/**
 * A set that was written under another schema, under this one: who owned parts of what is replaced as a whole now owns the whole.
 * structured-merge-diff typed.ReconcileFieldSetWithSchema
 */
export function reconcileFieldSet(set: FieldSet, type: FieldType): FieldSet {
  const whole: PathElement[] = [];
  const changed = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const below = element.startsWith('f:') ? (type.map?.field(element.slice(2)) ?? type.map?.items) : type.list?.items;
    if (!below) continue;
    if (isAtomic(below)) whole.push(element);
    else {
      const reconciled = reconcileFieldSet(child, below);
      if (reconciled !== child) changed.set(element, reconciled);
    }
  }
  if (whole.length === 0 && changed.size === 0) return set;
  const children = new Map([...set.children, ...changed]);
  for (const element of whole) children.delete(element);
  return FieldSet.of(new Set([...set.members, ...whole]), children);
}

/** A type that may be a scalar as well leaves it to the value. */
function isAtomic({ map, list, scalar }: FieldType): boolean {
  return !scalar && (map?.relationship === 'atomic' || list?.relationship === 'atomic');
}
