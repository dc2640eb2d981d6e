// A JSON reader that keeps what Go's decoder can tell and JSON.parse cannot: duplicate keys, and how a number was written.
import { MAX_DEPTH } from './depth.ts';

/** A number whose text says more than its value: `1.0`, `1e3`, or more digits than a double holds. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): number {
    return Number(this.text);
  }
}

const repeated = new WeakMap<object, (readonly [key: string, value: unknown])[]>();
let anyRepeated = false;

/** All entries of an object that was parsed from text with a key that came more than once; undefined for every other object. */
export function repeatedEntriesOf(object: object): readonly (readonly [key: string, value: unknown])[] | undefined {
  return anyRepeated ? repeated.get(object) : undefined;
}

/** Keys that came more than once in the text that `object` was parsed from. The last one has won. */
export function duplicateKeysOf(object: object): string[] {
  const keys = (repeatedEntriesOf(object) ?? []).map(([key]) => key);
  return keys.filter((key, index) => keys.indexOf(key) < index);
}

/** Thrown for malformed text, with the words of Go's encoding/json. */
export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Parses JSON text. @throws JsonSyntaxError */
export function parseJson(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value();
  reader.end();
  return value;
}

class Reader {
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(): unknown {
    this.space();
    const char = this.text[this.at];
    if (char === '{') return this.object();
    if (char === '[') return this.array();
    if (char === '"') return this.string();
    if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) return this.number();
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const)
      if (char === word[0]) return this.word(word, value);
    throw this.unexpected('looking for beginning of value');
  }

  end(): void {
    this.space();
    if (this.at < this.text.length) throw this.unexpected('after top-level value');
  }

  private object(): Record<string, unknown> {
    this.enter();
    const out: Record<string, unknown> = {};
    let entries: (readonly [string, unknown])[] | undefined;
    this.space();
    if (this.text[this.at] === '}') return this.leave(out);
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') throw this.unexpected('looking for beginning of object key string');
      const key = this.string();
      this.space();
      if (this.text[this.at] !== ':') throw this.unexpected('after object key');
      this.at++;
      const value = this.value();
      if (!entries && Object.hasOwn(out, key)) {
        entries = Object.entries(out);
        repeated.set(out, entries);
        anyRepeated = true;
      }
      entries?.push([key, value]);
      if (key === '__proto__') Object.defineProperty(out, key, { value, enumerable: true, writable: true, configurable: true });
      else out[key] = value;
      this.space();
      const next = this.text[this.at];
      if (next === '}') return this.leave(out);
      if (next !== ',') throw this.unexpected('after object key:value pair');
      this.at++;
    }
  }

  private array(): unknown[] {
    this.enter();
    const out: unknown[] = [];
    this.space();
    if (this.text[this.at] === ']') return this.leave(out);
    for (;;) {
      out.push(this.value());
      this.space();
      const next = this.text[this.at];
      if (next === ']') return this.leave(out);
      if (next !== ',') throw this.unexpected('after array element');
      this.at++;
    }
  }

  private enter(): void {
    this.at++;
    if (++this.depth > MAX_DEPTH) throw new JsonSyntaxError('exceeded max depth', this.at);
  }

  private leave<T>(value: T): T {
    this.at++;
    this.depth--;
    return value;
  }

  private string(): string {
    const start = this.at++;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (Number.isNaN(code)) throw this.unexpected('in string literal');
      if (code === 34) break;
      if (code < 32) throw this.unexpected('in string literal');
      if (code === 92) {
        this.at++;
        const escaped = this.text[this.at];
        if (escaped === undefined || !'"\\/bfnrtu'.includes(escaped)) throw this.unexpected('in string escape code');
        if (escaped === 'u' && !/^[0-9a-fA-F]{4}$/.test(this.text.slice(this.at + 1, this.at + 5)))
          throw this.unexpected('in \\u hexadecimal character escape');
      }
      this.at++;
    }
    return JSON.parse(this.text.slice(start, ++this.at)) as string;
  }

  private number(): number | JsonNumber {
    const match = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    match.lastIndex = this.at;
    const text = match.exec(this.text)?.[0];
    if (text === undefined) {
      this.at++;
      throw this.unexpected('in numeric literal');
    }
    this.at += text.length;
    const value = Number(text);
    return String(value) === text ? value : new JsonNumber(text);
  }

  private word<T>(word: string, value: T): T {
    for (const char of word) {
      if (this.text[this.at] !== char) throw this.unexpected(`in literal ${word} (expecting '${char}')`);
      this.at++;
    }
    return value;
  }

  private space(): void {
    while (this.at < this.text.length && ' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++;
  }

  private unexpected(where: string): JsonSyntaxError {
    const char = this.text[this.at];
    if (char === undefined) return new JsonSyntaxError('unexpected end of JSON input', this.at);
    const shown =
      char === "'"
        ? `'\\''`
        : char === '"'
          ? `'"'`
          : char === '\n'
            ? `'\\n'`
            : char === '\t'
              ? `'\\t'`
              : char === '\r'
                ? `'\\r'`
                : `'${char}'`;
    return new JsonSyntaxError(`invalid character ${shown} ${where}`, this.at);
  }
}
