import type { TraceEntry } from '../../sim/trace.ts';
import type { Finding } from './finding.ts';
import { grouped, type ObservedRequest, type ObservedRun, objectKey, objectName } from './observed-run.ts';

/** A write that was refused because the object had changed, and was neither tried again nor reported as an error: what it meant to say is lost. */
export function ignoredConflicts(run: ObservedRun): Finding[] {
  const conflicts = run.requests.filter((request) => isConflict(request));
  const ignored = conflicts.filter((conflict) => !isTriedAgain(run.requests, conflict) && !isReported(run.entries, conflict));
  const groups = grouped(ignored, ({ operator, resource }) => `${operator} ${resource}`);
  return groups.map((all): Finding => {
    const [first] = all as [ObservedRequest];
    return {
      rule: 'conflict-ignored',
      operator: first.operator,
      message: `was answered 409 Conflict when it wrote ${objectName(first)}, and left it at that`,
      evidence: all.map(({ seq }) => seq),
      remedy:
        'Let the error go on out of reconcile, so that the object is read and looked at again; or use retryOnConflict, which reads anew before each try.',
    };
  });
}

/** Who runs for a Lease loses it to others all the time. */
function isConflict({ verb, code, resource }: ObservedRequest): boolean {
  return (verb === 'update' || verb === 'patch') && code === 409 && resource !== 'leases';
}

/** A later write of the same object: of the whole of it, or of the same part. */
function isTriedAgain(requests: readonly ObservedRequest[], conflict: ObservedRequest): boolean {
  return requests.some(
    (later) =>
      later.seq > conflict.seq &&
      later.operator === conflict.operator &&
      (later.verb === 'update' || later.verb === 'patch') &&
      later.subresource === conflict.subresource &&
      objectKey(later) === objectKey(conflict),
  );
}

/** The look in which it happened ended with an error: the queue brings the object back. */
function isReported(entries: readonly TraceEntry[], conflict: ObservedRequest): boolean {
  const offset = entries[0]?.seq ?? 1;
  const { actor } = entries[conflict.seq - offset] ?? {};
  for (const entry of entries.slice(conflict.seq - offset))
    if (entry.kind === 'reconcile' && entry.what === 'end' && entry.actor === actor) return entry.result !== undefined;
  return false;
}
