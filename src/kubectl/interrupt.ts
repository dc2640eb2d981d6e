/** What ends a command that goes on by itself, as Ctrl-C does. */
export class Interrupt {
  #raised = false;
  #onRaise: (() => void) | undefined;

  get raised(): boolean {
    return this.#raised;
  }

  /** What is to be done at once when it comes; only the newest counts. */
  listen(onRaise: () => void): void {
    this.#onRaise = onRaise;
  }

  raise(): void {
    this.#raised = true;
    this.#onRaise?.();
  }
}

/** Ends a command from within. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}
