/**
 * Work that may have to wait: a generator that yields the promises it waits for. Work that waits for nothing is done at once, without a promise, which
 * is how almost every request to kube-apiserver ends.
 */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for a promise inside `Steps`. @example const review = yield* wait(callWebhook()); */
export function* wait<T>(promise: Promise<T>): Steps<T> {
  return (yield promise) as T;
}

/** Runs the work to its end: the result, or a promise of it when something had to be waited for. Throws what the work throws. */
export function runSteps<T>(steps: Steps<T>): T | Promise<T> {
  const first = steps.next();
  return first.done ? first.value : continueSteps(steps, first.value);
}

async function continueSteps<T>(steps: Steps<T>, pending: Promise<unknown>): Promise<T> {
  let waitingFor = pending;
  for (;;) {
    const next = await waitingFor.then(
      (value) => steps.next(value),
      (error: unknown) => steps.throw(error),
    );
    if (next.done) return next.value;
    waitingFor = next.value;
  }
}

/** For work of which some has to wait and some is done at once. */
export function* asSteps<T>(work: T | Steps<T>): Steps<T> {
  return isSteps(work) ? yield* work : work;
}

/** Whether the work has to wait, or may have to. */
export function isSteps<T>(value: T | Steps<T>): value is Steps<T> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value;
}
