const FIRST_RETRY_MS = 5;
const MAX_RETRY_MS = 60_000;

/** Handles keys one after another, each as often as needed but never twice at once; what fails is tried again after a growing pause. */
export class WorkQueue {
  readonly #handle: (key: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  #running = false;

  constructor(handle: (key: string) => Promise<void>) {
    this.#handle = handle;
  }

  add(key: string): void {
    this.#waiting.add(key);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      try {
        await this.#handle(key);
        this.#failures.delete(key);
      } catch (error) {
        console.error(`${key}:`, error instanceof Error ? error.message : error);
        const failures = this.#failures.get(key) ?? 0;
        this.#failures.set(key, failures + 1);
        setTimeout(() => this.add(key), Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures));
      }
    }
    this.#running = false;
  }
}
