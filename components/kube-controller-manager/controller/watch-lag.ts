/**
 * By so much the watch event of a write comes after its answer here. In a real cluster the two race, and what a sync has just written shows in the cache as
 * often as not by the time that it goes on. Where recordings of real clusters show that the cache wins, a sync waits this long.
 */
export const WATCH_LAG_MS = 1;
