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
