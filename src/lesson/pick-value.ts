import type { KubernetesObject } from '../api/object.ts';
import { readPath } from '../scenario/matcher.ts';
import type { Selection } from './check.ts';
import { isSelected } from './select.ts';

/** The name (or the value of a field) of the first object by name that fits, or of the newest. Undefined when none does. */
export function pickValue(
  pick: { readonly of: Selection; readonly newest: boolean; readonly path?: string },
  objects: readonly KubernetesObject[],
): string | undefined {
  const fitting = objects.filter((object) => isSelected(pick.of, object));
  const found = pick.newest ? fitting.reduce<KubernetesObject | undefined>(newer, undefined) : fitting[0];
  const value = found && (pick.path === undefined ? found.metadata.name : readPath(found, pick.path));
  return value === undefined || value === null ? undefined : String(value);
}

/** By time of creation, then by uid order of the store: later ones of the same second count as newer by resourceVersion at creation, which is not kept; the name decides. */
function newer(one: KubernetesObject | undefined, other: KubernetesObject): KubernetesObject {
  if (!one) return other;
  return (other.metadata.creationTimestamp ?? '') > (one.metadata.creationTimestamp ?? '') ? other : one;
}
