import type { Job } from '../../../src/api/kinds/batch-v1.ts';
import { completionsOf } from './indexed-job-utils.ts';
import { OrderedIntervals } from './ordered-intervals.ts';

/** Says which rule holds; undefined when none does. pkg/controller/job/success_policy.go matchSuccessPolicy */
export function matchSuccessPolicy(job: Job, succeeded: OrderedIntervals): string | undefined {
  const rules = job.spec?.successPolicy?.rules ?? [];
  const index = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && succeeded.total >= succeededCount;
    const required = OrderedIntervals.parse(succeededIndexes, completionsOf(job));
    return required.countShared(succeeded) >= (succeededCount ?? required.total);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
