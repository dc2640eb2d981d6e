import type { List, Word, WordPart } from './ast.ts';
import { ShellError } from './shell-error.ts';

/** Where a parser stands in its text. */
export class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get char(): string {
    return this.text[this.at] ?? '';
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  startsWith(prefix: string): boolean {
    return this.text.startsWith(prefix, this.at);
  }

  /** The text that the expression (sticky) matches here, taken. */
  take(expression: RegExp): string | undefined {
    expression.lastIndex = this.at;
    const match = expression.exec(this.text);
    if (!match) return undefined;
    this.at += match[0].length;
    return match[0];
  }
}

export type ParseList = (text: string) => List;

const METACHARACTERS = new Set([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>', '']);
const NAME = /[A-Za-z_]\w*/y;
const SPECIAL = /[0-9@*#?$!-]/y;

/** Reads words: quotes, `$name`, `${name:-word}`, `$(command)`, backquotes, `$((expression))`. */
export class WordParser {
  readonly #cursor: Cursor;
  readonly #parseList: ParseList;

  constructor(cursor: Cursor, parseList: ParseList) {
    this.#cursor = cursor;
    this.#parseList = parseList;
  }

  /** The word that begins here; undefined when none does. */
  word(stop: (char: string) => boolean = (char) => METACHARACTERS.has(char)): Word | undefined {
    const parts: WordPart[] = [];
    const cursor = this.#cursor;
    while (!cursor.done && !stop(cursor.char)) this.#part(parts);
    return parts.length > 0 ? { parts } : undefined;
  }

  #part(parts: WordPart[]): void {
    const cursor = this.#cursor;
    const { char } = cursor;
    if (char === "'") {
      const end = cursor.text.indexOf("'", cursor.at + 1);
      if (end < 0) throw new ShellError('syntax error: unterminated quoted string');
      parts.push({ type: 'text', text: cursor.text.slice(cursor.at + 1, end), quoted: true });
      cursor.at = end + 1;
    } else if (char === '"') {
      cursor.at++;
      this.#doubleQuoted(parts);
    } else if (char === '\\') {
      const next = cursor.text[cursor.at + 1] ?? '';
      cursor.at += 2;
      if (next !== '\n') parts.push({ type: 'text', text: next, quoted: true });
    } else if (char === '$' || char === '`') this.#dollar(parts, false);
    else {
      addText(parts, char, false);
      cursor.at++;
    }
  }

  #doubleQuoted(parts: WordPart[]): void {
    const cursor = this.#cursor;
    parts.push({ type: 'text', text: '', quoted: true });
    while (cursor.char !== '"') {
      if (cursor.done) throw new ShellError('syntax error: unterminated quoted string');
      if (cursor.char === '\\') {
        const next = cursor.text[cursor.at + 1] ?? '';
        const escapes = '$`"\\\n'.includes(next);
        if (next !== '\n') addText(parts, escapes ? next : `\\${next}`, true);
        cursor.at += 2;
      } else if (cursor.char === '$' || cursor.char === '`') this.#dollar(parts, true);
      else {
        addText(parts, cursor.char, true);
        cursor.at++;
      }
    }
    cursor.at++;
  }

  /** A here-document's text: expansions, but no quotes. */
  hereDocument(): Word {
    const parts: WordPart[] = [{ type: 'text', text: '', quoted: true }];
    const cursor = this.#cursor;
    while (!cursor.done) {
      if (cursor.char === '\\' && '$`\\'.includes(cursor.text[cursor.at + 1] ?? 'x')) {
        addText(parts, cursor.text[cursor.at + 1] ?? '', true);
        cursor.at += 2;
      } else if (cursor.char === '$' || cursor.char === '`') this.#dollar(parts, true);
      else {
        addText(parts, cursor.char, true);
        cursor.at++;
      }
    }
    return { parts };
  }

  #dollar(parts: WordPart[], quoted: boolean): void {
    const cursor = this.#cursor;
    if (cursor.char === '`') {
      this.#backquoted(parts, quoted);
      return;
    }
    if (cursor.startsWith('$((')) {
      this.#arithmetic(parts, quoted);
      return;
    }
    if (cursor.startsWith('$(')) {
      cursor.at += 2;
      const text = this.#balanced('(', ')');
      parts.push({ type: 'command', list: this.#parseList(text), quoted });
      return;
    }
    if (cursor.startsWith('${')) {
      cursor.at += 2;
      this.#braced(parts, quoted);
      return;
    }
    cursor.at++;
    const name = cursor.take(NAME) ?? cursor.take(SPECIAL);
    if (name === undefined) addText(parts, '$', quoted);
    else parts.push({ type: 'parameter', name, operator: '', argument: undefined, quoted });
  }

  #backquoted(parts: WordPart[], quoted: boolean): void {
    const cursor = this.#cursor;
    let text = '';
    for (cursor.at++; cursor.char !== '`'; cursor.at++) {
      if (cursor.done) throw new ShellError('syntax error: EOF in backquote substitution');
      if (cursor.char === '\\' && '$`\\'.includes(cursor.text[cursor.at + 1] ?? 'x')) cursor.at++;
      text += cursor.char;
    }
    cursor.at++;
    parts.push({ type: 'command', list: this.#parseList(text), quoted });
  }

  #arithmetic(parts: WordPart[], quoted: boolean): void {
    const cursor = this.#cursor;
    cursor.at += 3;
    const start = cursor.at;
    for (let depth = 0; ; cursor.at++) {
      if (cursor.done) throw new ShellError("syntax error: missing '))'");
      if (cursor.char === '(') depth++;
      else if (cursor.char === ')') {
        if (depth === 0 && cursor.startsWith('))')) break;
        depth--;
      }
    }
    const text = cursor.text.slice(start, cursor.at);
    cursor.at += 2;
    parts.push({ type: 'arithmetic', expression: new WordParser(new Cursor(text), this.#parseList).hereDocument(), quoted });
  }

  /** `${name}`, `${#name}`, `${name<operator>word}`; the brace is open. */
  #braced(parts: WordPart[], quoted: boolean): void {
    const cursor = this.#cursor;
    const length = cursor.char === '#' && cursor.text[cursor.at + 1] !== '}';
    if (length) cursor.at++;
    const name = cursor.take(NAME) ?? cursor.take(/[0-9]+|[@*#?$!-]/y);
    if (name === undefined) throw new ShellError('syntax error: bad substitution');
    const operator = length ? '#length' : (cursor.take(/:[-=+?]|[-=+?]|##|#|%%|%/y) ?? '');
    if (length || operator === '') {
      if (cursor.char !== '}') throw new ShellError(`syntax error: bad substitution (\${${name}${cursor.char}…} is not supported)`);
      cursor.at++;
      parts.push({ type: 'parameter', name, operator, argument: undefined, quoted });
      return;
    }
    const argument = this.word((char) => char === '}') ?? { parts: [] };
    if (cursor.char !== '}') throw new ShellError('syntax error: missing }');
    cursor.at++;
    parts.push({ type: 'parameter', name, operator, argument, quoted });
  }

  /** The text up to the closing character that belongs to an opening one before the cursor; quotes are respected. */
  #balanced(open: string, close: string): string {
    const cursor = this.#cursor;
    const start = cursor.at;
    for (let depth = 1; ; cursor.at++) {
      if (cursor.done) throw new ShellError(`syntax error: unexpected end of file (expecting "${close}")`);
      const { char } = cursor;
      if (char === '\\') cursor.at++;
      else if (char === "'" || char === '"') cursor.at = skipQuoted(cursor.text, cursor.at);
      else if (char === open) depth++;
      else if (char === close && --depth === 0) break;
    }
    const text = cursor.text.slice(start, cursor.at);
    cursor.at++;
    return text;
  }
}

/** The position of the quote that ends the string that begins here. */
function skipQuoted(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === quote) return at;
  }
  throw new ShellError('syntax error: unterminated quoted string');
}

function addText(parts: WordPart[], text: string, quoted: boolean): void {
  const last = parts.at(-1);
  if (last?.type === 'text' && last.quoted === quoted) parts[parts.length - 1] = { type: 'text', text: last.text + text, quoted };
  else parts.push({ type: 'text', text, quoted });
}
