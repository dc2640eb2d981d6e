import type { AndOr, Assignment, CaseItem, Command, List, ListItem, Pipeline, Redirect, Word } from './ast.ts';
import { literalOf } from './ast.ts';
import { ShellError } from './shell-error.ts';
import { Cursor, WordParser } from './word-parser.ts';

const RESERVED = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}', 'in']);
const UNSUPPORTED = new Set(['select', 'function', '[[', 'coproc']);

interface PendingHereDocument {
  readonly redirect: { target: Word };
  readonly delimiter: string;
  readonly strip: boolean;
  readonly quoted: boolean;
}

const parsed = new Map<string, List>();
/** How many scripts are kept in parsed form: pods of one template run the same one. */
const PARSED_MAX = 500;

/** Parses a shell program. @throws ShellError when it is wrong, or uses what is not supported */
export function parseScript(text: string): List {
  let list = parsed.get(text);
  if (!list) {
    list = new Parser(text).program();
    if (parsed.size >= PARSED_MAX) parsed.clear();
    parsed.set(text, list);
  }
  return list;
}

class Parser {
  readonly #cursor: Cursor;
  readonly #words: WordParser;
  #hereDocuments: PendingHereDocument[] = [];

  constructor(text: string) {
    this.#cursor = new Cursor(text);
    this.#words = new WordParser(this.#cursor, (inner) => new Parser(inner).program());
  }

  program(): List {
    const list = this.#list();
    if (!this.#cursor.done) throw new ShellError(`syntax error: unexpected ${JSON.stringify(this.#peekToken())}`);
    return list;
  }

  #list(): ListItem[] {
    const items: ListItem[] = [];
    for (;;) {
      this.#skipNewlines();
      const andOr = this.#andOr();
      if (!andOr) return items;
      this.#skipBlanks();
      const background = this.#cursor.char === '&' && !this.#cursor.startsWith('&&');
      if (background || (this.#cursor.char === ';' && !this.#cursor.startsWith(';;'))) this.#cursor.at++;
      items.push({ andOr, background });
      if (this.#cursor.startsWith(';;')) return items;
    }
  }

  #andOr(): AndOr | undefined {
    const first = this.#pipeline();
    if (!first) return undefined;
    const rest: { operator: '&&' | '||'; pipeline: Pipeline }[] = [];
    for (;;) {
      this.#skipBlanks();
      const operator = this.#cursor.startsWith('&&') ? '&&' : this.#cursor.startsWith('||') ? '||' : undefined;
      if (!operator) return { first, rest };
      this.#cursor.at += 2;
      this.#skipNewlines();
      const pipeline = this.#pipeline();
      if (!pipeline) throw new ShellError(`syntax error: unexpected ${JSON.stringify(this.#peekToken())}`);
      rest.push({ operator, pipeline });
    }
  }

  #pipeline(): Pipeline | undefined {
    this.#skipBlanks();
    let negated = false;
    while (this.#keyword('!')) negated = !negated;
    const first = this.#command();
    if (!first) return undefined;
    const commands = [first];
    for (;;) {
      this.#skipBlanks();
      if (this.#cursor.char !== '|' || this.#cursor.startsWith('||')) return { commands, negated };
      this.#cursor.at++;
      this.#skipNewlines();
      const next = this.#command();
      if (!next) throw new ShellError(`syntax error: unexpected ${JSON.stringify(this.#peekToken())}`);
      commands.push(next);
    }
  }

  #command(): Command | undefined {
    this.#skipBlanks();
    const word = this.#peekToken();
    if (RESERVED.has(word)) return undefined;
    if (UNSUPPORTED.has(word)) throw new ShellError(`${word}: not supported by this simulated shell`);
    if (this.#cursor.char === '(') {
      this.#cursor.at++;
      return this.#withRedirects({ type: 'subshell', body: this.#until(')'), redirects: [] });
    }
    if (this.#keyword('{')) return this.#withRedirects({ type: 'group', body: this.#compoundList('}'), redirects: [] });
    if (this.#keyword('if')) return this.#withRedirects(this.#if());
    if (word === 'while' || word === 'until') return this.#withRedirects(this.#loop(word));
    if (this.#keyword('for')) return this.#withRedirects(this.#for());
    if (this.#keyword('case')) return this.#withRedirects(this.#case());
    return this.#functionDefinition() ?? this.#simple();
  }

  #if(): Command {
    const branches: { condition: List; body: List }[] = [];
    for (;;) {
      const condition = this.#compoundList('then');
      const body = this.#list();
      branches.push({ condition, body });
      if (this.#keyword('elif')) continue;
      const otherwise = this.#keyword('else') ? this.#list() : undefined;
      this.#expect('fi');
      return { type: 'if', branches, otherwise, redirects: [] };
    }
  }

  #loop(type: 'while' | 'until'): Command {
    this.#expect(type);
    const condition = this.#compoundList('do');
    return { type, condition, body: this.#compoundList('done'), redirects: [] };
  }

  #for(): Command {
    this.#skipBlanks();
    const name = this.#cursor.take(/[A-Za-z_]\w*/y);
    if (!name) throw new ShellError('syntax error: bad for loop variable');
    this.#skipNewlines();
    let words: Word[] | undefined;
    if (this.#keyword('in')) words = this.#wordsToEnd();
    else if (this.#cursor.char === ';') this.#cursor.at++;
    this.#skipNewlines();
    this.#expect('do');
    return { type: 'for', name, words, body: this.#compoundList('done'), redirects: [] };
  }

  #wordsToEnd(): Word[] {
    const words: Word[] = [];
    for (;;) {
      this.#skipBlanks();
      const word = this.#words.word();
      if (!word) break;
      words.push(word);
    }
    if (this.#cursor.char === ';') this.#cursor.at++;
    return words;
  }

  #case(): Command {
    this.#skipBlanks();
    const subject = this.#words.word();
    if (!subject) throw new ShellError('syntax error: case without a word');
    this.#skipNewlines();
    this.#expect('in');
    const items: CaseItem[] = [];
    for (this.#skipNewlines(); !this.#keyword('esac'); this.#skipNewlines()) {
      if (this.#cursor.char === '(') this.#cursor.at++;
      const patterns: Word[] = [];
      do {
        this.#skipBlanks();
        const pattern = this.#words.word();
        if (!pattern) throw new ShellError('syntax error: bad pattern in case');
        patterns.push(pattern);
        this.#skipBlanks();
      } while (this.#cursor.take(/\|/y));
      if (!this.#cursor.take(/\)/y)) throw new ShellError('syntax error: expecting ")"');
      items.push({ patterns, body: this.#list() });
      this.#skipNewlines();
      this.#cursor.take(/;;/y);
    }
    return { type: 'case', subject, items, redirects: [] };
  }

  #functionDefinition(): Command | undefined {
    const head = /[A-Za-z_][\w-]*[ \t]*\([ \t]*\)/y;
    const name = this.#cursor.take(head);
    if (!name) return undefined;
    this.#skipNewlines();
    const body = this.#command();
    if (!body) throw new ShellError('syntax error: function without a body');
    return { type: 'function', name: name.replace(/[ \t]*\(.*$/, ''), body, redirects: [] };
  }

  #simple(): Command | undefined {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      this.#skipBlanks();
      const redirect = this.#redirect();
      if (redirect) {
        redirects.push(redirect);
        continue;
      }
      const name = words.length === 0 ? this.#cursor.take(/[A-Za-z_]\w*=/y) : undefined;
      if (name) {
        assignments.push({ name: name.slice(0, -1), value: this.#words.word() ?? { parts: [] } });
        continue;
      }
      const word = this.#words.word();
      if (!word) break;
      words.push(word);
    }
    if (words.length + assignments.length + redirects.length === 0) return undefined;
    return { type: 'simple', assignments, words, redirects };
  }

  #redirect(): Redirect | undefined {
    const operator = this.#cursor.take(/[0-9]?(>>|>&|<&|<<-?|>\||&>>?|>|<)/y);
    if (!operator) return undefined;
    if (operator.startsWith('&')) throw new ShellError('syntax error: &> is not supported; write >file 2>&1');
    const digit = /^\d/.test(operator) ? Number(operator[0]) : undefined;
    const sign = operator.replace(/^\d/, '').replace('>|', '>');
    this.#skipBlanks();
    const target = this.#words.word();
    if (!target) throw new ShellError('syntax error: redirection without a file');
    const fd = digit ?? (sign.startsWith('<') ? 0 : 1);
    if (!sign.startsWith('<<')) return { fd, operator: sign as Redirect['operator'], target };
    const redirect = { fd, operator: '<<' as const, target };
    const quoted = target.parts.some((part) => part.quoted);
    const delimiter = target.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    this.#hereDocuments.push({ redirect, delimiter, strip: sign.endsWith('-'), quoted });
    return redirect;
  }

  #withRedirects(command: Command): Command {
    const redirects: Redirect[] = [];
    for (this.#skipBlanks(); ; this.#skipBlanks()) {
      const redirect = this.#redirect();
      if (!redirect) break;
      redirects.push(redirect);
    }
    return redirects.length > 0 ? { ...command, redirects } : command;
  }

  #compoundList(end: string): List {
    const list = this.#list();
    this.#expect(end);
    return list;
  }

  #until(close: string): List {
    const list = this.#list();
    this.#skipNewlines();
    if (this.#cursor.char !== close)
      throw new ShellError(`syntax error: unexpected ${JSON.stringify(this.#peekToken())} (expecting "${close}")`);
    this.#cursor.at++;
    return list;
  }

  #expect(word: string): void {
    this.#skipNewlines();
    if (!this.#keyword(word))
      throw new ShellError(`syntax error: unexpected ${JSON.stringify(this.#peekToken() || 'end of file')} (expecting "${word}")`);
  }

  #keyword(word: string): boolean {
    this.#skipBlanks();
    if (this.#peekToken() !== word) return false;
    this.#cursor.at += word.length;
    return true;
  }

  /** The characters up to the next separator. */
  #peekToken(): string {
    const at = this.#cursor.at;
    const token = this.#cursor.take(/[^\s;&|()<>]+/y) ?? this.#cursor.char;
    this.#cursor.at = at;
    return token;
  }

  #skipBlanks(): void {
    this.#cursor.take(/(?:[ \t]|\\\n)+/y);
    if (this.#cursor.char === '#' && (this.#cursor.at === 0 || /\s|[;&|()]/.test(this.#cursor.text[this.#cursor.at - 1] ?? '')))
      this.#cursor.take(/[^\n]*/y);
  }

  #skipNewlines(): void {
    for (this.#skipBlanks(); this.#cursor.char === '\n'; this.#skipBlanks()) {
      this.#cursor.at++;
      this.#readHereDocuments();
    }
  }

  #readHereDocuments(): void {
    const pending = this.#hereDocuments;
    this.#hereDocuments = [];
    for (const { redirect, delimiter, strip, quoted } of pending) {
      const lines: string[] = [];
      for (;;) {
        if (this.#cursor.done) break;
        const raw = this.#cursor.take(/[^\n]*/y) ?? '';
        this.#cursor.at++;
        const line = strip ? raw.replace(/^\t+/, '') : raw;
        if (line === delimiter) break;
        lines.push(`${line}\n`);
      }
      const text = lines.join('');
      redirect.target = quoted
        ? { parts: [{ type: 'text', text, quoted: true }] }
        : new WordParser(new Cursor(text), (inner) => new Parser(inner).program()).hereDocument();
    }
  }
}

/** The loop's condition is always true as written: `true`, `:`, `[ 1 ]`. */
export function isAlwaysTrue(list: List): boolean {
  const [item, ...more] = list;
  const command = item?.andOr.first.commands[0];
  if (!item || more.length > 0 || item.andOr.rest.length > 0 || item.andOr.first.negated || command?.type !== 'simple') return false;
  const words = command.words.map(literalOf);
  return (words.length === 1 && (words[0] === 'true' || words[0] === ':')) || words.join(' ') === '[ 1 ]';
}
