import { isConflict } from '../api/status-error.ts';
import type { Actor } from '../sim/actor.ts';

/** How often and how fast to try again. `jitter` is the part of the delay that is added at random at most. */
export interface RetrySteps {
  readonly steps: number;
  readonly durationMs: number;
  readonly factor: number;
  readonly jitter: number;
}

/** client-go util/retry DefaultRetry: 5 tries, 10 ms apart. */
export const DEFAULT_RETRY: RetrySteps = { steps: 5, durationMs: 10, factor: 1, jitter: 0.1 };

/** client-go util/retry DefaultBackoff: 4 tries after 10, 50, 250 ms. */
export const DEFAULT_BACKOFF: RetrySteps = { steps: 4, durationMs: 10, factor: 5, jitter: 0.1 };

/** Whose virtual time passes between the tries. */
export interface RetryOptions {
  readonly actor: Actor;
  /** `DEFAULT_RETRY` if absent. */
  readonly backoff?: RetrySteps;
}

/**
 * Runs `body` again when it fails with an error that `retriable` accepts: client-go util/retry OnError.
 * @throws the last error when all tries failed
 */
async function onError<T>(options: RetryOptions, retriable: (error: unknown) => boolean, body: () => Promise<T>): Promise<T> {
  const { actor, backoff = DEFAULT_RETRY } = options;
  let delay = backoff.durationMs;
  for (let step = 1; ; step++) {
    try {
      return await body();
    } catch (error) {
      if (step >= backoff.steps || !retriable(error)) throw error;
    }
    const random = actor.simulation.random.fork(`retry/${actor.name}/${actor.simulation.executed}`);
    await actor.sleep(Math.round(random.jitter(delay, backoff.jitter)));
    delay *= backoff.factor;
  }
}

/**
 * Runs `body`, which reads an object and writes it changed, again when somebody else has written it in between: client-go util/retry RetryOnConflict.
 * @example await retryOnConflict({ actor }, async () => client.update(change(await client.get(at))));
 */
export function retryOnConflict<T>(options: RetryOptions, body: () => Promise<T>): Promise<T> {
  return onError(options, isConflict, body);
}
