/** Whether two JSON values are the same; absent and `undefined` keys are equal, and `===` objects cost nothing. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  if (Array.isArray(b)) return false;
  return recordsEqual(a as Record<string, unknown>, b as Record<string, unknown>, deepEqual);
}

/**
 * Equality as controllers and validation use it (apimachinery pkg/api/equality Semantic.DeepEqual): absent, null, empty lists and
 * empty maps are one and the same.
 */
export function semanticDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a)) return isEmpty(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => semanticDeepEqual(item, b[index]));
  if (Array.isArray(b)) return false;
  return recordsEqual(a as Record<string, unknown>, b as Record<string, unknown>, semanticDeepEqual);
}

function recordsEqual(a: Record<string, unknown>, b: Record<string, unknown>, equal: (a: unknown, b: unknown) => boolean): boolean {
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
