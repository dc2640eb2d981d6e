import type { PriorityClass } from '../../../../src/api/kinds/scheduling-v1.ts';

/** kubernetes pkg/apis/scheduling/v1 SetDefaults_PriorityClass */
export function setDefaultsPriorityClass(priorityClass: PriorityClass): void {
  priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
}
