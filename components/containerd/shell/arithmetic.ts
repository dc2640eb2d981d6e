import { ShellError } from './shell-error.ts';

/** Evaluates `$((…))`: whole numbers, variables, the usual operators, assignment. */
export function evaluateArithmetic(text: string, variables: { get(name: string): string; set(name: string, value: string): void }): number {
  return new Evaluator(text, variables).evaluate();
}

const BINARY: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

class Evaluator {
  readonly #tokens: string[];
  readonly #variables: { get(name: string): string; set(name: string, value: string): void };
  #at = 0;

  constructor(text: string, variables: { get(name: string): string; set(name: string, value: string): void }) {
    this.#tokens = text.match(/\d+|[A-Za-z_]\w*|\|\||&&|==|!=|<=|>=|<<|>>|\+\+|--|[-+*/%]=|[-+*/%<>=!~&|^?:()]/g) ?? [];
    this.#variables = variables;
  }

  evaluate(): number {
    if (this.#tokens.length === 0) return 0;
    const value = this.#ternary();
    if (this.#at < this.#tokens.length) throw new ShellError(`arithmetic syntax error near ${JSON.stringify(this.#tokens[this.#at])}`);
    return value;
  }

  #ternary(): number {
    const name = this.#tokens[this.#at] ?? '';
    const assign = this.#tokens[this.#at + 1] ?? '';
    if (/^[A-Za-z_]/.test(name) && /^[-+*/%]?=$/.test(assign)) {
      this.#at += 2;
      const right = this.#ternary();
      const value = assign === '=' ? right : apply(assign.slice(0, -1), this.#variable(name), right);
      this.#variables.set(name, String(value));
      return value;
    }
    const condition = this.#binary(0);
    if (this.#tokens[this.#at] !== '?') return condition;
    this.#at++;
    const yes = this.#ternary();
    if (this.#tokens[this.#at++] !== ':') throw new ShellError('arithmetic syntax error: expecting ":"');
    const no = this.#ternary();
    return condition ? yes : no;
  }

  #binary(level: number): number {
    const operators = BINARY[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (let operator = this.#tokens[this.#at]; operator !== undefined && operators.includes(operator); operator = this.#tokens[this.#at]) {
      this.#at++;
      left = apply(operator, left, this.#binary(level + 1));
    }
    return left;
  }

  #unary(): number {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new ShellError('arithmetic syntax error: unexpected end');
    if (token === '-') return -this.#unary();
    if (token === '+') return this.#unary();
    if (token === '!') return this.#unary() ? 0 : 1;
    if (token === '~') return ~this.#unary();
    if (token === '++' || token === '--') return this.#step(this.#tokens[this.#at++] ?? '', token === '++' ? 1 : -1);
    if (token === '(') {
      const value = this.#ternary();
      if (this.#tokens[this.#at++] !== ')') throw new ShellError('arithmetic syntax error: expecting ")"');
      return value;
    }
    if (/^\d/.test(token)) return Number.parseInt(token, /^0\d/.test(token) ? 8 : 10);
    const value = this.#variable(token);
    const after = this.#tokens[this.#at];
    if (after === '++' || after === '--') {
      this.#at++;
      this.#step(token, after === '++' ? 1 : -1);
    }
    return value;
  }

  #step(name: string, by: number): number {
    const value = this.#variable(name) + by;
    this.#variables.set(name, String(value));
    return value;
  }

  #variable(name: string): number {
    return Number.parseInt(this.#variables.get(name) || '0', 10) || 0;
  }
}

function apply(operator: string, a: number, b: number): number {
  switch (operator) {
    case '||':
      return a || b ? 1 : 0;
    case '&&':
      return a && b ? 1 : 0;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '==':
      return a === b ? 1 : 0;
    case '!=':
      return a !== b ? 1 : 0;
    case '<=':
      return a <= b ? 1 : 0;
    case '>=':
      return a >= b ? 1 : 0;
    case '<':
      return a < b ? 1 : 0;
    case '>':
      return a > b ? 1 : 0;
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      if (b === 0) throw new ShellError('divide by zero');
      return operator === '/' ? Math.trunc(a / b) : a % b;
  }
}
