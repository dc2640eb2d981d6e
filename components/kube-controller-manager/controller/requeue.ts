import type { RateLimitingQueue } from '../../../src/client/workqueue.ts';

/** A try that is further away than this is one of many that failed: nobody waits for it. */
const PATIENCE_MS = 10_000;

/**
 * Tries a key again, as the queue's rate limiter says. What has failed again and again goes on in the background, so that a cluster in which something
 * cannot succeed (a quota is used up) settles.
 */
export function requeueFailed(queue: RateLimitingQueue, key: string): void {
  const delayMs = queue.rateLimiter.when(key);
  queue.addAfter(key, delayMs, delayMs > PATIENCE_MS ? 'background' : 'work');
}
