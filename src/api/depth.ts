/** How deep values may be nested: less than the 10,000 of the real server, whose stack grows as it needs. */
export const MAX_DEPTH = 1_000;

/** Whether maps and lists are nested deeper than `limit`. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((inner) => isDeeperThan(inner, limit - 1));
}
