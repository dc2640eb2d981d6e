import { formatTime } from './time.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** The condition of that type (apimachinery pkg/api/meta FindStatusCondition, and its twins of each kind). */
export function getCondition<T extends Condition>(conditions: readonly T[] | undefined, type: string): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** apimachinery pkg/api/meta IsStatusConditionTrue */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return getCondition(conditions, type)?.status === 'True';
}

/** A condition as custom resources have them: apimachinery pkg/apis/meta/v1 Condition. */
interface StatusCondition extends Condition {
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

/** The same in an object, with the time of its last change of status. */
interface DatedCondition {
  type: string;
  status: string;
  reason: string;
  message: string;
  observedGeneration?: number;
  lastTransitionTime: string;
}

/**
 * Puts a condition into a list (of a draft); its time changes when its status does. Returns whether anything changed. apimachinery pkg/api/meta SetStatusCondition
 * @param wallTime milliseconds since 1970
 */
export function setStatusCondition(conditions: DatedCondition[], condition: StatusCondition, wallTime: number): boolean {
  const before = conditions.find(({ type }) => type === condition.type);
  if (!before) {
    conditions.push({ ...condition, lastTransitionTime: formatTime(wallTime) });
    return true;
  }
  const { reason, message, observedGeneration = before.observedGeneration } = condition;
  const isSame = before.reason === reason && before.message === message && before.observedGeneration === observedGeneration;
  if (before.status === condition.status && isSame) return false;
  const time = before.status === condition.status ? before.lastTransitionTime : formatTime(wallTime);
  Object.assign(before, condition, { lastTransitionTime: time });
  return true;
}
