/** Whether a JSON value is an object with fields: neither a list, nor null, nor a plain value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
