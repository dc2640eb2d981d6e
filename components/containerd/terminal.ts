import type { Input } from './shell/io.ts';

const [INTERRUPT, END, BACKSPACE, DELETE] = ['\x03', '\x04', '\x08', '\x7f'];

/** The terminal of a process: shows what is typed, keeps the line until it is done, and ends lines as terminals do. */
export class Terminal {
  readonly #input: Input;
  readonly #show: (text: string) => void;
  #line = '';

  constructor(input: Input, show: (text: string) => void) {
    this.#input = input;
    this.#show = show;
  }

  /** What the process writes. */
  print(text: string): void {
    this.#show(text.replaceAll('\n', '\r\n'));
  }

  type(text: string): void {
    for (const key of text) this.#press(key);
  }

  #press(key: string): void {
    if (key === '\r' || key === '\n') {
      this.#show('\r\n');
      this.#enter(`${this.#line}\n`);
    } else if (key === BACKSPACE || key === DELETE) {
      if (this.#line) this.#show('\b \b');
      this.#line = this.#line.slice(0, -1);
    } else if (key === INTERRUPT) {
      this.#show('^C\r\n');
      this.#enter('\n');
    } else if (key === END) {
      if (this.#line === '') this.#input.close();
      else this.#enter(this.#line);
    } else {
      this.#line += key;
      this.#show(key);
    }
  }

  #enter(text: string): void {
    this.#line = '';
    this.#input.feed(text);
  }
}
