import type { Expr, MapEntry } from './ast.ts';
import type { Issue } from './issue.ts';
import { type Token, tokenize } from './lexer.ts';
import { LiteralError, parseBytes, parseInteger, parseText, parseUnsigned } from './literals.ts';
import { expandHas, expandMember, MacroError } from './macros.ts';
import type { Value } from './values.ts';

const EXPRESSION = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const RELATIONS = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);
const RESERVED = new Set('as break const continue else for function if import let loop package namespace return var void while'.split(' '));
const KEYWORDS = new Set(['true', 'false', 'null', 'in']);
const MAX_DEPTH = 250;

/** Ends parsing; the issue has been noted. */
class SyntaxFailure extends Error {
  override name = 'SyntaxFailure';
}

/** What a text is as an expression, or what is wrong with it. */
export type Parsed =
  | { readonly expr: Expr; readonly issues?: undefined }
  | { readonly expr?: undefined; readonly issues: readonly Issue[] };

/** Reads an expression and expands its macros. cel-go parser.Parser.Parse, with the words of its grammar for what it cannot read. */
export function parse(source: string): Parsed {
  const { tokens, issues } = tokenize(source);
  const parser = new Parser(tokens, [...issues]);
  return parser.parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  parse(): Parsed {
    try {
      const expr = this.#expression();
      if (this.#next.type !== 'end') this.#unexpected('<EOF>', (token) => token.type === 'end');
      return this.#issues.length > 0 ? { issues: this.#issues } : { expr };
    } catch (error) {
      if (!(error instanceof SyntaxFailure)) throw error;
      return { issues: this.#issues };
    }
  }

  get #next(): Token {
    return this.#tokens[this.#index] as Token;
  }

  #is(text: string): boolean {
    const { type, text: given } = this.#next;
    return given === text && (type === 'operator' || type === 'word');
  }

  #take(): Token {
    const token = this.#next;
    if (token.type !== 'end') this.#index++;
    return token;
  }

  #accept(text: string): Token | undefined {
    return this.#is(text) ? this.#take() : undefined;
  }

  #fail(message: string, pos: number): never {
    this.#issues.push({ pos, message });
    throw new SyntaxFailure();
  }

  /** Says what stands where something else is expected; one token too many is told apart from a wrong one. */
  #unexpected(expected: string, fits: (token: Token) => boolean): never {
    const token = this.#next;
    const after = this.#tokens[this.#index + 1];
    if (token.type !== 'end' && after && fits(after))
      this.#fail(`Syntax error: extraneous input '${token.text}' expecting ${expected}`, token.pos);
    this.#issues.push({ pos: token.pos, message: `Syntax error: mismatched input '${token.text}' expecting ${expected}` });
    if (expected === EXPRESSION && after?.type === 'end')
      this.#issues.push({ pos: after.pos, message: `Syntax error: mismatched input '<EOF>' expecting ${expected}` });
    throw new SyntaxFailure();
  }

  #expect(text: string): Token {
    const token = this.#accept(text);
    if (token) return token;
    this.#fail(`Syntax error: missing '${text}' at '${this.#next.text}'`, this.#next.pos);
  }

  #expression(): Expr {
    if (++this.#depth > MAX_DEPTH) this.#fail(`expression recursion limit exceeded: ${MAX_DEPTH}`, this.#next.pos);
    const condition = this.#or();
    const question = this.#accept('?');
    let out = condition;
    if (question) {
      const yes = this.#or();
      this.#expect(':');
      out = call('_?_:_', question.pos, [condition, yes, this.#expression()]);
    }
    this.#depth--;
    return out;
  }

  #or(): Expr {
    let left = this.#and();
    for (let op = this.#accept('||'); op; op = this.#accept('||')) left = call('_||_', op.pos, [left, this.#and()]);
    return left;
  }

  #and(): Expr {
    let left = this.#relation();
    for (let op = this.#accept('&&'); op; op = this.#accept('&&')) left = call('_&&_', op.pos, [left, this.#relation()]);
    return left;
  }

  #relation(): Expr {
    let left = this.#addition();
    while (this.#next.type !== 'string' && RELATIONS.has(this.#next.text)) {
      const op = this.#take();
      left = call(op.text === 'in' ? '@in' : `_${op.text}_`, op.pos, [left, this.#addition()]);
    }
    return left;
  }

  #addition(): Expr {
    let left = this.#multiplication();
    while (this.#is('+') || this.#is('-')) {
      const op = this.#take();
      left = call(`_${op.text}_`, op.pos, [left, this.#multiplication()]);
    }
    return left;
  }

  #multiplication(): Expr {
    let left = this.#unary();
    while (this.#is('*') || this.#is('/') || this.#is('%')) {
      const op = this.#take();
      left = call(`_${op.text}_`, op.pos, [left, this.#unary()]);
    }
    return left;
  }

  #unary(): Expr {
    const op = this.#accept('!') ?? this.#accept('-');
    if (!op) return this.#member();
    const { type } = this.#next;
    if (op.text === '-' && (type === 'int' || type === 'float')) return this.#suffixes(this.#literal(this.#take(), op.pos));
    if (++this.#depth > MAX_DEPTH) this.#fail(`expression recursion limit exceeded: ${MAX_DEPTH}`, op.pos);
    const operand = this.#unary();
    this.#depth--;
    return call(op.text === '!' ? '!_' : '-_', op.pos, [operand]);
  }

  #member(): Expr {
    return this.#suffixes(this.#primary());
  }

  #suffixes(start: Expr): Expr {
    let expr = start;
    for (;;) {
      const dot = this.#accept('.');
      if (dot) expr = this.#selection(expr, dot);
      else {
        const open = this.#accept('[');
        if (!open) return expr;
        const optional = this.#accept('?') !== undefined;
        const index = this.#expression();
        this.#expect(']');
        expr = call(optional ? '_[?_]' : '_[_]', open.pos, [expr, index]);
      }
    }
  }

  #selection(operand: Expr, dot: Token): Expr {
    const optional = this.#accept('?') !== undefined;
    const name = this.#next;
    const isName = (name.type === 'word' && !KEYWORDS.has(name.text)) || name.type === 'quoted';
    if (!isName) this.#fail(`Syntax error: no viable alternative at input '.${name.type === 'end' ? '' : name.text}'`, name.pos);
    this.#take();
    const field = name.type === 'quoted' ? name.text.slice(1, -1) : name.text;
    if (optional) return call('_?._', dot.pos, [operand, { kind: 'literal', pos: name.pos, value: field }]);
    const open = name.type === 'word' ? this.#accept('(') : undefined;
    if (!open) return { kind: 'select', pos: dot.pos, operand, field, test: false };
    const args = this.#arguments();
    const expanded = this.#macro(() => expandMember(field, { pos: open.pos, target: operand, args }));
    return expanded ?? { kind: 'call', pos: open.pos, fn: field, target: operand, args };
  }

  #macro(expand: () => Expr | undefined): Expr | undefined {
    try {
      return expand();
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      this.#fail(error.message, error.pos);
    }
  }

  /** What follows an open parenthesis. */
  #arguments(): Expr[] {
    const args: Expr[] = [];
    if (this.#accept(')')) return args;
    do args.push(this.#expression());
    while (this.#accept(','));
    this.#expect(')');
    return args;
  }

  #primary(): Expr {
    const token = this.#next;
    if (token.type === 'operator') return this.#bracketed(token);
    if (token.type === 'word') return this.#name(token);
    if (token.type === 'end' || token.type === 'quoted') this.#unexpected(EXPRESSION, startsExpression);
    return this.#literal(this.#take());
  }

  #bracketed(token: Token): Expr {
    switch (token.text) {
      case '(': {
        this.#take();
        const inner = this.#expression();
        this.#expect(')');
        return inner;
      }
      case '[':
        return this.#list(this.#take());
      case '{':
        return this.#map(this.#take());
      case '.': {
        this.#take();
        return this.#name(this.#next, '.');
      }
      default:
        this.#unexpected(EXPRESSION, startsExpression);
    }
  }

  #name(token: Token, prefix = ''): Expr {
    if (token.type !== 'word' || token.text === 'in') this.#unexpected(prefix ? 'IDENTIFIER' : EXPRESSION, startsExpression);
    this.#take();
    if (!prefix) {
      if (token.text === 'true' || token.text === 'false') return { kind: 'literal', pos: token.pos, value: token.text === 'true' };
      if (token.text === 'null') return { kind: 'literal', pos: token.pos, value: null };
    }
    if (RESERVED.has(token.text)) this.#fail(`reserved identifier: ${token.text}`, token.pos);
    const open = this.#accept('(');
    if (!open) {
      const brace = this.#is('{') ? this.#take() : undefined;
      return brace ? this.#struct(token.text, brace) : { kind: 'ident', pos: token.pos, name: prefix + token.text };
    }
    const args = this.#arguments();
    const expanded = token.text === 'has' ? this.#macro(() => expandHas(args, open.pos)) : undefined;
    return expanded ?? { kind: 'call', pos: open.pos, fn: prefix + token.text, target: undefined, args };
  }

  #list({ pos }: Token): Expr {
    const elements: Expr[] = [];
    const optional = new Set<number>();
    while (!this.#is(']')) {
      if (this.#accept('?')) optional.add(elements.length);
      elements.push(this.#expression());
      if (!this.#accept(',')) break;
    }
    this.#expect(']');
    return { kind: 'list', pos, elements, optional };
  }

  #map({ pos }: Token): Expr {
    const entries: MapEntry[] = [];
    while (!this.#is('}')) {
      const optional = this.#accept('?') !== undefined;
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression(), optional });
      if (!this.#accept(',')) break;
    }
    this.#expect('}');
    return { kind: 'map', pos, entries };
  }

  #struct(name: string, { pos }: Token): Expr {
    const entries: { field: string; value: Expr }[] = [];
    while (this.#next.type === 'word') {
      const field = this.#take().text;
      this.#expect(':');
      entries.push({ field, value: this.#expression() });
      if (!this.#accept(',')) break;
    }
    this.#expect('}');
    return { kind: 'struct', pos, name, entries };
  }

  #literal(token: Token, minus?: number): Expr {
    const pos = minus ?? token.pos;
    try {
      return { kind: 'literal', pos, value: literalValue(token, minus !== undefined) };
    } catch (error) {
      if (!(error instanceof LiteralError)) throw error;
      this.#fail(error.message, pos);
    }
  }
}

function literalValue({ type, text }: Token, negative: boolean): Value {
  switch (type) {
    case 'int':
      return parseInteger(text, negative);
    case 'uint':
      return parseUnsigned(text);
    case 'float':
      return negative ? -Number(text) : Number(text);
    case 'bytes':
      return parseBytes(text);
    default:
      return parseText(text);
  }
}

function startsExpression({ type, text }: Token): boolean {
  if (type === 'operator') return '[{(.-!'.includes(text);
  return type !== 'end' && type !== 'quoted' && text !== 'in';
}

function call(fn: string, pos: number, args: readonly Expr[]): Expr {
  return { kind: 'call', pos, fn, target: undefined, args };
}
