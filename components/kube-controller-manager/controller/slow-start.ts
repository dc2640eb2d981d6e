/** How many calls the first batch makes: pkg/controller/controller_utils.go SlowStartInitialBatchSize */
export const SLOW_START_INITIAL_BATCH_SIZE = 1;

export interface SlowStartResult {
  readonly successes: number;
  /** The first one. */
  readonly error?: unknown;
}

/**
 * Makes `count` calls in batches of 1, 2, 4, …; those of a batch go out together. After a batch in which a call failed the rest is not made, so that a
 * request that cannot succeed is not sent a thousand times. pkg/controller/replicaset/replica_set.go slowStartBatch
 */
export async function slowStartBatch(count: number, call: (index: number) => Promise<void>): Promise<SlowStartResult> {
  let successes = 0;
  let made = 0;
  for (let size = Math.min(count, SLOW_START_INITIAL_BATCH_SIZE); size > 0; size = Math.min(2 * size, count - made)) {
    const first = made;
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => call(first + index)));
    made += size;
    const failures = results.filter((result) => result.status === 'rejected');
    successes += size - failures.length;
    const failure = failures[0];
    if (failure) return { successes, error: failure.reason };
  }
  return { successes };
}
