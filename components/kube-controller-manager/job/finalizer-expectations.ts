const NONE: ReadonlySet<string> = new Set();

/** Pods of whose finalizer the removal was asked for and not yet seen in the cache: pkg/controller/job/tracking_utils.go uidTrackingExpectations */
export class FinalizerExpectations {
  readonly #uids = new Map<string, Set<string>>();

  /** pkg/controller/job/tracking_utils.go expectFinalizersRemoved */
  expectFinalizersRemoved(key: string, uids: readonly string[]): void {
    const expected = this.#uids.get(key) ?? new Set();
    for (const uid of uids) expected.add(uid);
    this.#uids.set(key, expected);
  }

  /** pkg/controller/job/tracking_utils.go finalizerRemovalObserved */
  finalizerRemovalObserved(key: string, uid: string): void {
    this.#uids.get(key)?.delete(uid);
  }

  /** As they are now; what comes later does not change the answer. pkg/controller/job/tracking_utils.go getExpectedUIDs */
  getExpectedUIDs(key: string): ReadonlySet<string> {
    const expected = this.#uids.get(key);
    return expected?.size ? new Set(expected) : NONE;
  }

  /** pkg/controller/job/tracking_utils.go deleteExpectations */
  deleteExpectations(key: string): void {
    this.#uids.delete(key);
  }
}
