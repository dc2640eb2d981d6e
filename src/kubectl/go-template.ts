import { KubectlError } from './kubectl-error.ts';
import { toJson } from './yaml-output.ts';

/** What an action comes to, or a step inside one. */
type Expression =
  | { readonly is: 'literal'; readonly value: unknown }
  | { readonly is: 'field'; readonly from: Expression | undefined; readonly names: readonly string[] }
  | { readonly is: 'variable'; readonly name: string }
  | { readonly is: 'call'; readonly name: string; readonly args: readonly Expression[] };

type Node =
  | { readonly node: 'text'; readonly text: string }
  | { readonly node: 'print'; readonly pipe: Expression; readonly sets: string | undefined }
  | {
      readonly node: 'range' | 'if' | 'with';
      readonly pipe: Expression;
      readonly variables: readonly string[];
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    };

/** Values by name; an inner block sees those of the outer ones. */
type Scope = Map<string, { value: unknown }>;

/**
 * Fills in a template of Go's text/template, as far as people use it with kubectl: fields, variables, `range`, `if`, `with`, pipes, and the functions
 * below. cli-runtime pkg/printers GoTemplatePrinter. Differs: templates cannot define and call one another, nor `break` and `continue`.
 * @throws KubectlError
 */
export function goTemplate(template: string, value: unknown): string {
  return run(new Parser(template).parse(), value, new Map([['$', { value }]]));
}

function run(nodes: readonly Node[], dot: unknown, scope: Scope): string {
  let text = '';
  for (const node of nodes) {
    if (node.node === 'text') text += node.text;
    else if (node.node === 'print') {
      const value = evaluate(node.pipe, dot, scope);
      if (node.sets === undefined) text += textOf(value);
      else scope.set(node.sets, { value });
    } else text += block(node, dot, scope);
  }
  return text;
}

function block(node: Exclude<Node, { node: 'text' | 'print' }>, dot: unknown, scope: Scope): string {
  const value = evaluate(node.pipe, dot, scope);
  const inner = (names: Readonly<Record<string, unknown>>): Scope => {
    const entries = Object.entries(names).map(([name, each]) => [name, { value: each }] as const);
    return new Map([...scope, ...entries]);
  };
  const [first, second] = node.variables;
  if (node.node !== 'range') {
    const names = first === undefined ? {} : { [first]: value };
    if (!isTrue(value)) return run(node.otherwise, dot, inner(names));
    return run(node.body, node.node === 'with' ? value : dot, inner(names));
  }
  const items = entriesOf(value);
  if (!items.length) return run(node.otherwise, dot, scope);
  return items
    .map(([key, item]) => {
      const names = second === undefined ? (first === undefined ? {} : { [first]: item }) : { [first as string]: key, [second]: item };
      return run(node.body, item, inner(names));
    })
    .join('');
}

/** What `range` goes through: maps in the order of their keys. */
function entriesOf(value: unknown): [unknown, unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item]);
  if (typeof value === 'object' && value !== null) return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (value === undefined || value === null) return [];
  throw new TemplateFailure(`range can't iterate over ${textOf(value)}`);
}

/** Where a template fails while it runs. */
class TemplateFailure extends KubectlError {
  constructor(message: string) {
    super(`error: error executing template: ${message}`);
  }
}

function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** As Go's fmt prints it. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '<no value>';
  if (Array.isArray(value)) return `[${value.map(textOf).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${textOf(item)}`).join(' ')}]`;
}

function evaluate(expression: Expression, dot: unknown, scope: Scope): unknown {
  switch (expression.is) {
    case 'literal':
      return expression.value;
    case 'variable': {
      const found = scope.get(expression.name);
      if (!found) throw new TemplateFailure(`undefined variable "${expression.name}"`);
      return found.value;
    }
    case 'field':
      return expression.names.reduce<unknown>(fieldOf, expression.from ? evaluate(expression.from, dot, scope) : dot);
    case 'call':
      return call(expression, (each) => evaluate(each, dot, scope));
  }
}

function fieldOf(value: unknown, name: string): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw new TemplateFailure(`can't evaluate field ${name} in ${textOf(value)}`);
  return (value as Record<string, unknown>)[name];
}

function call({ name, args }: Extract<Expression, { is: 'call' }>, evaluated: (expression: Expression) => unknown): unknown {
  // These two stop at the first that decides.
  if (name === 'and' || name === 'or') {
    let last: unknown;
    for (const arg of args) {
      last = evaluated(arg);
      if (isTrue(last) === (name === 'or')) break;
    }
    return last;
  }
  return (FUNCTIONS[name] as (...values: unknown[]) => unknown)(...args.map(evaluated));
}

const compare = (test: (order: number) => boolean) => (a: unknown, b: unknown) => {
  if (typeof a !== typeof b) throw new TemplateFailure('incompatible types for comparison');
  return test((a as number) < (b as number) ? -1 : a === b ? 0 : 1);
};

const FUNCTIONS: Readonly<Record<string, (...values: never[]) => unknown>> = {
  eq: (a: unknown, ...others: unknown[]) => others.some((b) => a === b),
  ne: (a: unknown, b: unknown) => a !== b,
  lt: compare((order) => order < 0),
  le: compare((order) => order <= 0),
  gt: compare((order) => order > 0),
  ge: compare((order) => order >= 0),
  and: () => undefined,
  or: () => undefined,
  not: (value: unknown) => !isTrue(value),
  len: (value: unknown) => (typeof value === 'string' ? value.length : entriesOf(value).length),
  index: (value: unknown, ...keys: unknown[]) => keys.reduce<unknown>(itemOf, value),
  exists: (value: unknown, ...keys: unknown[]) => keys.reduce<unknown>((at, key) => itemOf(at, key, true), value) !== undefined,
  print: (...values: unknown[]) => values.map(textOf).join(''),
  println: (...values: unknown[]) => `${values.map(textOf).join(' ')}\n`,
  printf,
  base64decode: (text: string) => decoded(text),
  json: (value: unknown) => toJson(value),
};

function itemOf(value: unknown, key: unknown, quiet: boolean | number = false): unknown {
  if (Array.isArray(value)) {
    if (quiet === true || (Number(key) >= 0 && Number(key) < value.length)) return value[Number(key)];
    throw new TemplateFailure(`error calling index: reflect: slice index out of range: ${String(key)}`);
  }
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[String(key)] : undefined;
}

function printf(format: string, ...values: unknown[]): string {
  let next = 0;
  return format.replace(/%(-?\d*)([sdvqt%])/g, (_, width: string, verb: string) => {
    if (verb === '%') return '%';
    const value = values[next++];
    const text = verb === 'q' ? JSON.stringify(textOf(value)) : textOf(value);
    return width.startsWith('-') ? text.padEnd(Number(width.slice(1))) : text.padStart(Number(width || 0));
  });
}

function decoded(text: string): string {
  try {
    if (text.length % 4) throw new RangeError('base64 comes in groups of four');
    return new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  } catch {
    throw new TemplateFailure('error calling base64decode: base64 decode failed: illegal base64 data');
  }
}

const TOKEN = /^(?:\s+|(:=|[|(),])|("(?:\\.|[^"\\])*"|`[^`]*`)|(-?\d+(?:\.\d+)?)(?![\w.])|(\$\w*)|((?:\.[A-Za-z_]\w*)+|\.)|([A-Za-z_]\w*))/;

type Token =
  | { readonly token: 'sign' | 'variable' | 'word'; readonly text: string }
  | { readonly token: 'literal'; readonly value: unknown }
  | { readonly token: 'field'; readonly names: readonly string[]; readonly tight: boolean };

/** Reads a template into nodes. */
class Parser {
  readonly #template: string;
  readonly #parts: readonly (string | readonly Token[])[];
  #at = 0;

  constructor(template: string) {
    this.#template = template;
    this.#parts = this.#split();
  }

  parse(): Node[] {
    const { nodes, end } = this.#nodes();
    if (end !== undefined) this.#fail(`unexpected {{${end}}}`);
    return nodes;
  }

  #fail(problem: string): never {
    const line = this.#template.slice(0).split('\n').length;
    throw new KubectlError(`error: error parsing template ${this.#template}, template: output:${line}: ${problem}`);
  }

  #split(): (string | Token[])[] {
    const parts: (string | Token[])[] = [];
    let rest = this.#template;
    for (let open = rest.indexOf('{{'); open >= 0; open = rest.indexOf('{{')) {
      const found = /^\{\{(- )?((?:"(?:\\.|[^"\\])*"|`[^`]*`|(?!\}\})[\s\S])*?)( -)?\}\}/.exec(rest.slice(open));
      if (!found) this.#fail(/[^}]\}$/.test(rest) ? "bad character U+007D '}'" : 'unclosed action');
      const [all, trimBefore, inner = '', trimAfter] = found;
      const before = rest.slice(0, open);
      parts.push(trimBefore ? before.trimEnd() : before);
      if (!/^\/\*[\s\S]*\*\/$/.test(inner.trim())) parts.push(this.#tokens(inner));
      rest = rest.slice(open + all.length);
      if (trimAfter) rest = rest.trimStart();
    }
    return [...parts, rest];
  }

  #tokens(text: string): Token[] {
    const tokens: Token[] = [];
    for (let rest = text, tight = false; rest; ) {
      const found = TOKEN.exec(rest);
      if (!found) this.#fail(`unexpected ${JSON.stringify(rest[0])} in operand`);
      const [all, sign, quoted, number, variable, field, word] = found;
      if (sign !== undefined) tokens.push({ token: 'sign', text: sign });
      else if (quoted !== undefined)
        tokens.push({ token: 'literal', value: quoted.startsWith('`') ? quoted.slice(1, -1) : (JSON.parse(quoted) as string) });
      else if (number !== undefined) tokens.push({ token: 'literal', value: Number(number) });
      else if (variable !== undefined) tokens.push({ token: 'variable', text: variable });
      else if (field !== undefined) tokens.push({ token: 'field', names: field.split('.').filter(Boolean), tight });
      else if (word === 'true' || word === 'false') tokens.push({ token: 'literal', value: word === 'true' });
      else if (word === 'nil') tokens.push({ token: 'literal', value: undefined });
      else if (word !== undefined) tokens.push({ token: 'word', text: word });
      tight = all.trim() !== '';
      rest = rest.slice(all.length);
    }
    return tokens;
  }

  /** Up to `end`, `else` or the end of the text. */
  #nodes(): { nodes: Node[]; end?: 'end' | 'else'; condition?: readonly Token[] } {
    const nodes: Node[] = [];
    while (this.#at < this.#parts.length) {
      const part = this.#parts[this.#at++] as string | readonly Token[];
      if (typeof part === 'string') {
        if (part) nodes.push({ node: 'text', text: part });
        continue;
      }
      const [first, ...rest] = part;
      const word = first?.token === 'word' ? first.text : '';
      if (word === 'end') return { nodes, end: 'end' };
      if (word === 'else') return { nodes, end: 'else', ...(rest.length ? { condition: rest } : {}) };
      if (word === 'range' || word === 'if' || word === 'with') nodes.push(this.#block(word, rest));
      else {
        const { variables, pipe } = this.#assignment(part);
        nodes.push({ node: 'print', pipe, sets: variables[0] });
      }
    }
    return { nodes };
  }

  #block(kind: 'range' | 'if' | 'with', tokens: readonly Token[]): Node {
    const { variables, pipe } = this.#assignment(tokens);
    const { nodes: body, end, condition } = this.#nodes();
    if (end === undefined) this.#fail('unexpected EOF');
    if (end === 'end') return { node: kind, pipe, variables, body, otherwise: [] };
    const [next, ...more] = condition ?? [];
    if (next?.token === 'word' && (next.text === 'if' || next.text === 'with'))
      return { node: kind, pipe, variables, body, otherwise: [this.#block(next.text, more)] };
    const { nodes: otherwise, end: last } = this.#nodes();
    if (last !== 'end') this.#fail('unexpected EOF');
    return { node: kind, pipe, variables, body, otherwise };
  }

  /** `$i, $item := .items` */
  #assignment(tokens: readonly Token[]): { variables: string[]; pipe: Expression } {
    const at = tokens.findIndex((each) => each.token === 'sign' && each.text === ':=');
    const variables = tokens.slice(0, Math.max(0, at)).flatMap((each) => (each.token === 'variable' ? [each.text] : []));
    const rest = [...tokens.slice(at + 1)];
    const pipe = this.#pipe(rest);
    if (rest.length) this.#fail('unexpected ")" in command');
    return { variables, pipe };
  }

  /** Commands one after the other; each gets what the one before it came to as its last argument. */
  #pipe(tokens: Token[]): Expression {
    let value: Expression | undefined;
    for (;;) {
      value = this.#command(tokens, value);
      const [next] = tokens;
      if (next?.token !== 'sign' || next.text !== '|') return value;
      tokens.shift();
    }
  }

  #command(tokens: Token[], piped: Expression | undefined): Expression {
    const [first] = tokens;
    if (first?.token !== 'word') {
      if (piped) this.#fail('non executable command in pipeline stage 2');
      return this.#operand(tokens);
    }
    tokens.shift();
    if (!Object.hasOwn(FUNCTIONS, first.text)) this.#fail(`function "${first.text}" not defined`);
    const args: Expression[] = [];
    while (tokens[0] && !(tokens[0].token === 'sign' && /[|)]/.test(tokens[0].text))) args.push(this.#operand(tokens));
    return { is: 'call', name: first.text, args: piped ? [...args, piped] : args };
  }

  #operand(tokens: Token[]): Expression {
    const token = tokens.shift();
    const value = this.#simple(token, tokens);
    const [next] = tokens;
    if (next?.token !== 'field' || !next.tight || token?.token === 'literal') return value;
    tokens.shift();
    return { is: 'field', from: value, names: next.names };
  }

  #simple(token: Token | undefined, tokens: Token[]): Expression {
    if (!token) this.#fail('missing value for command');
    if (token.token === 'literal') return { is: 'literal', value: token.value };
    if (token.token === 'variable') return { is: 'variable', name: token.text };
    if (token.token === 'field') return { is: 'field', from: undefined, names: token.names };
    if (token.token === 'word') {
      if (!Object.hasOwn(FUNCTIONS, token.text)) this.#fail(`function "${token.text}" not defined`);
      return { is: 'call', name: token.text, args: [] };
    }
    if (token.text !== '(') this.#fail(`unexpected ${JSON.stringify(token.text)} in operand`);
    const inner = this.#pipe(tokens);
    const close = tokens.shift();
    if (close?.token !== 'sign' || close.text !== ')') this.#fail('unclosed left paren');
    return inner;
  }
}
