/** How many endpoints a sync works through in a millisecond: building, comparing and encoding them is not free in the real process either. */
const ENDPOINTS_PER_MS = 20;

/**
 * How many virtual milliseconds a sync of a Service takes besides its requests. This is what gathers changes: while a large Service is worked on, more pods
 * of it become ready, and the next sync takes them all.
 */
export function syncTimeMs(endpoints: number): number {
  return Math.floor(endpoints / ENDPOINTS_PER_MS);
}
