/** What a command reads. */
export class Input {
  #rest: string;

  constructor(text = '') {
    this.#rest = text;
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
}

/** Where a command reads from and writes to. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
