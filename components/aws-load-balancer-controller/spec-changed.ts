import { deepEqual } from '../../src/api/deep-equal.ts';
import type { KubernetesObject } from '../../src/api/object.ts';

type WithSpec = KubernetesObject & { readonly spec?: unknown };

/** Services have no generation. pkg/ingress and service event handlers */
export function specChanged(after: WithSpec, before: WithSpec | undefined): boolean {
  if (before === undefined || after.metadata.deletionTimestamp !== before.metadata.deletionTimestamp) return true;
  return !deepEqual(after.spec, before.spec);
}
