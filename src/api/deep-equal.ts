/** Whether two JSON values are the same; absent and `undefined` keys are equal, and `===` objects cost nothing. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return compositesEqual(a, b, deepEqual);
}

/**
 * Equality as controllers and validation use it (apimachinery pkg/api/equality Semantic.DeepEqual): absent, null, empty lists and
 * empty maps are one and the same.
 */
export function semanticDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a)) return isEmpty(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return compositesEqual(a, b, semanticDeepEqual);
}

type Equal = (a: unknown, b: unknown) => boolean;

function compositesEqual(a: object, b: object, equal: Equal): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && listsEqual(a, b, equal);
  return !Array.isArray(b) && recordsEqual(a as Record<string, unknown>, b as Record<string, unknown>, equal);
}

function listsEqual(a: readonly unknown[], b: readonly unknown[], equal: Equal): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!equal(a[index], b[index])) return false;
  return true;
}

function recordsEqual(a: Record<string, unknown>, b: Record<string, unknown>, equal: Equal): boolean {
  for (const key in a) if (!equal(a[key], b[key])) return false;
  for (const key in b) if (!(key in a) && !equal(undefined, b[key])) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  for (const key in value) if ((value as Record<string, unknown>)[key] !== undefined) return false;
  return true;
}
