/** kubernetes pkg/controller ExpectationsTimeout */
const EXPECTATIONS_TIMEOUT_MS = 5 * 60_000;

interface Expectation {
  add: number;
  del: number;
  readonly since: number;
}

/**
 * What a controller has asked for and not yet seen in its cache, so that it does not ask again: kubernetes pkg/controller ControllerExpectations.
 * @example expectations.expectCreations(key, 3); // in the add handler: expectations.creationObserved(key)
 */
export class ControllerExpectations {
  readonly #now: () => number;
  readonly #expectations = new Map<string, Expectation>();

  /** @param now virtual milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Nothing is expected any more, or it has been expected for too long. */
  satisfiedExpectations(key: string): boolean {
    const expected = this.#expectations.get(key);
    if (!expected) return true;
    return (expected.add <= 0 && expected.del <= 0) || this.#now() - expected.since > EXPECTATIONS_TIMEOUT_MS;
  }

  getExpectations(key: string): { readonly add: number; readonly del: number } | undefined {
    return this.#expectations.get(key);
  }

  deleteExpectations(key: string): void {
    this.#expectations.delete(key);
  }

  setExpectations(key: string, add: number, del: number): void {
    this.#expectations.set(key, { add, del, since: this.#now() });
  }

  expectCreations(key: string, adds: number): void {
    this.setExpectations(key, adds, 0);
  }

  expectDeletions(key: string, dels: number): void {
    this.setExpectations(key, 0, dels);
  }

  lowerExpectations(key: string, add: number, del: number): void {
    const expected = this.#expectations.get(key);
    if (!expected) return;
    expected.add -= add;
    expected.del -= del;
  }

  raiseExpectations(key: string, add: number, del: number): void {
    this.lowerExpectations(key, -add, -del);
  }

  creationObserved(key: string): void {
    this.lowerExpectations(key, 1, 0);
  }

  deletionObserved(key: string): void {
    this.lowerExpectations(key, 0, 1);
  }
}

/** The same, for deletions that may be observed more than once: kubernetes pkg/controller UIDTrackingControllerExpectations. */
export class UIDTrackingControllerExpectations {
  readonly #expectations: ControllerExpectations;
  readonly #deletions = new Map<string, Set<string>>();

  constructor(now: () => number) {
    this.#expectations = new ControllerExpectations(now);
  }

  satisfiedExpectations(key: string): boolean {
    return this.#expectations.satisfiedExpectations(key);
  }

  getExpectations(key: string): { readonly add: number; readonly del: number } | undefined {
    return this.#expectations.getExpectations(key);
  }

  expectCreations(key: string, adds: number): void {
    this.#expectations.expectCreations(key, adds);
  }

  /** @param deletedKeys keys of what is going to be deleted */
  expectDeletions(key: string, deletedKeys: readonly string[]): void {
    this.#expectations.expectDeletions(key, deletedKeys.length);
    this.#deletions.set(key, new Set(deletedKeys));
  }

  creationObserved(key: string): void {
    this.#expectations.creationObserved(key);
  }

  /** Counts once for each deleted key. */
  deletionObserved(key: string, deletedKey: string): void {
    if (this.#deletions.get(key)?.delete(deletedKey)) this.#expectations.deletionObserved(key);
  }

  lowerExpectations(key: string, add: number, del: number): void {
    this.#expectations.lowerExpectations(key, add, del);
  }

  raiseExpectations(key: string, add: number, del: number): void {
    this.#expectations.raiseExpectations(key, add, del);
  }

  deleteExpectations(key: string): void {
    this.#expectations.deleteExpectations(key);
    this.#deletions.delete(key);
  }

  /** Keys whose deletion has not been observed yet. */
  getUIDs(key: string): ReadonlySet<string> | undefined {
    return this.#deletions.get(key);
  }
}
