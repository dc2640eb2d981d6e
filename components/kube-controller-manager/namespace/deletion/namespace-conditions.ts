import type { Namespace, NamespaceCondition } from '../../../../src/api/kinds/core-v1.ts';

/** What of a namespace's content is left: by `resource.group`, and by finalizer. */
interface ContentTotals {
  readonly remaining: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
}

/** What one pass over the content of a namespace came across. */
export interface DeletionFindings {
  readonly discovery: readonly string[];
  readonly content: readonly string[];
  /** Absent when the pass stopped before it had seen everything. */
  readonly totals?: ContentTotals;
}

const FINE: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  ['NamespaceDeletionContentFailure', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
];

/**
 * The namespace with the conditions that tell of the findings, or undefined when it has them already.
 * pkg/controller/namespace/deletion/status_condition_utils.go namespaceConditionUpdater
 */
export function withConditions(namespace: Namespace, findings: DeletionFindings, now: string): Namespace | undefined {
  const before = namespace.status?.conditions ?? [];
  const conditions = [...before];
  let changed = false;
  for (const [type, reason, message] of FINE) {
    const wanted = problem(type, findings) ?? { type, status: 'False', reason, message };
    const index = before.findIndex((condition) => condition.type === type);
    const old = before[index];
    if (old && old.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message) continue;
    changed = true;
    const lastTransitionTime = old && old.status === wanted.status ? (old.lastTransitionTime ?? now) : now;
    const { status } = wanted;
    const next: NamespaceCondition = { type, status, lastTransitionTime, reason: wanted.reason, message: wanted.message };
    if (old) conditions[index] = next;
    else conditions.push(next);
  }
  return changed ? { ...namespace, status: { ...namespace.status, conditions } } : undefined;
}

interface Problem {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function problem(type: string, { discovery, content, totals }: DeletionFindings): Problem | undefined {
  const found = (reason: string, message: string): Problem => ({ type, status: 'True', reason, message });
  switch (type) {
    case 'NamespaceDeletionDiscoveryFailure': {
      if (discovery.length === 0) return undefined;
      const list = [...discovery].sort().join(', ');
      const why = `unable to retrieve the complete list of server APIs: ${list}`;
      return found('DiscoveryFailed', `Discovery failed for some groups, ${discovery.length} failing: ${why}`);
    }
    case 'NamespaceDeletionContentFailure': {
      if (content.length === 0) return undefined;
      const list = [...content].sort().join(', ');
      return found('ContentDeletionFailed', `Failed to delete all resource types, ${content.length} remaining: ${list}`);
    }
    case 'NamespaceContentRemaining': {
      const left = describe(totals?.remaining, (resource, count) => `${resource} has ${count} resource instances`);
      return left ? found('SomeResourcesRemain', `Some resources are remaining: ${left}`) : undefined;
    }
    case 'NamespaceFinalizersRemaining': {
      const left = describe(totals?.finalizers, (finalizer, count) => `${finalizer} in ${count} resource instances`);
      return left ? found('SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${left}`) : undefined;
    }
    default:
      return undefined;
  }
}

function describe(counts: ReadonlyMap<string, number> | undefined, line: (name: string, count: number) => string): string {
  return [...(counts ?? [])]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => line(name, count))
    .sort()
    .join(', ');
}
