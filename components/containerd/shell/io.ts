import type { Task } from './task.ts';

/** What a command reads: a text, or (live) what somebody still types. */
export class Input {
  #rest: string;
  #open: boolean;
  readonly #readers = new Set<Task>();

  constructor(text = '', live = false) {
    this.#rest = text;
    this.#open = live;
  }

  /** More may come. */
  get open(): boolean {
    return this.#open;
  }

  /** Something was typed. */
  feed(text: string): void {
    if (!this.#open) return;
    this.#rest += text;
    this.#wake();
  }

  /** Nothing more will be typed. */
  close(): void {
    this.#open = false;
    this.#wake();
  }

  /** Waits for a whole line, or the end. */
  lineReady(task: Task): Promise<void> {
    return this.#until(task, () => this.#rest.includes('\n'));
  }

  /** Waits for the end. */
  ended(task: Task): Promise<void> {
    return this.#until(task, () => false);
  }

  /** The next line without its line break; undefined at the end. */
  readLine(): string | undefined {
    if (this.#rest === '') return undefined;
    const end = this.#rest.indexOf('\n');
    const line = end < 0 ? this.#rest : this.#rest.slice(0, end);
    this.#rest = end < 0 ? '' : this.#rest.slice(end + 1);
    return line;
  }

  readAll(): string {
    const text = this.#rest;
    this.#rest = '';
    return text;
  }

  async #until(task: Task, condition: () => boolean): Promise<void> {
    if (!this.#open || condition()) return;
    this.#readers.add(task);
    await task.until(() => !this.#open || condition());
    this.#readers.delete(task);
  }

  #wake(): void {
    for (const task of [...this.#readers]) task.wake();
  }
}

/** Where a command reads from and writes to. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
