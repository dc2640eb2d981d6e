import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { RequestScope } from '../request-context.ts';

/** Drops owner references that are there twice, with a warning. apiserver pkg/endpoints/handlers.dedupOwnerReferencesAndAddWarning */
export function withoutDuplicateOwners<T extends KubernetesObject>(
  scope: RequestScope,
  object: T,
  when: 'before admission' | 'after admission',
): T {
  const references = object.metadata.ownerReferences ?? [];
  if (references.length < 2) return object;
  const kept: OwnerReference[] = [];
  const duplicates = new Set<string>();
  for (const reference of references) {
    if (kept.some((other) => deepEqual(other, reference))) duplicates.add(reference.uid);
    else kept.push(reference);
  }
  if (duplicates.size === 0) return object;
  const where = when === 'after admission' ? ' after mutating admission happens' : '';
  const advice = 'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests';
  const text = `.metadata.ownerReferences contains duplicate entries${where}; ${advice}; duplicate UID(s) observed: ${[...duplicates].join(', ')}`;
  scope.warnings.push(text);
  return { ...object, metadata: { ...object.metadata, ownerReferences: kept } };
}
