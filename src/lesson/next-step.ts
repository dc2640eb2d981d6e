import type { Check } from './check.ts';
import type { LessonStep } from './lesson.ts';

/** Where a step leads: the first branch that fits, else its `next`; undefined for the next one in the file. */
export function nextStepOf(
  step: LessonStep,
  seen: { readonly wrong: number; readonly missed: ReadonlySet<string>; readonly holds: (check: Check) => boolean },
): string | undefined {
  const branch = step.branches.find(({ when }) => {
    if (!when) return true;
    if ('wrong' in when) return seen.wrong >= when.wrong;
    return 'missed' in when ? seen.missed.has(when.missed) : seen.holds(when.check);
  });
  return branch?.goto ?? step.next;
}
