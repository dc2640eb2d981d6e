/** Something is wrong with a claim, a class or a pool, so that scheduling cannot go on. */
export class AllocationError extends Error {}
