import type { SchedulingDecision } from '../../../components/kube-scheduler/explain.ts';
import type { ObjectReference, TraceEntry } from '../../sim/trace.ts';

/** What kube-scheduler decided about a pod, as the trace has it. */
export type DecisionEntry = Extract<TraceEntry, { kind: 'decision' }> & {
  readonly object: ObjectReference;
  readonly details: SchedulingDecision;
};

/** Whether the entry is a decision of kube-scheduler that says why. */
export function isSchedulingDecision(entry: TraceEntry | undefined): entry is DecisionEntry {
  return entry?.kind === 'decision' && entry.component === 'kube-scheduler' && entry.object !== undefined && entry.details !== undefined;
}

/** All decisions about the pod, oldest first. */
export function decisionsAbout(
  entries: readonly TraceEntry[],
  pod: { readonly namespace: string; readonly name: string },
): DecisionEntry[] {
  return entries.filter(isSchedulingDecision).filter(({ object }) => object.name === pod.name && object.namespace === pod.namespace);
}
