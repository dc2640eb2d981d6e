import type { ContainerFiles } from '../container-files.ts';

/** `test` and `[`: the arguments without the command itself (and without `]`). Returns 0, 1, or a message for a wrong use. */
export function evaluateTest(
  args: readonly string[],
  files: { readonly tree: ContainerFiles; readonly path: (path: string) => string },
): 0 | 1 | string {
  const evaluator = new TestEvaluator(args, files);
  try {
    return evaluator.evaluate() ? 0 : 1;
  } catch (error) {
    if (error instanceof TestProblem) return error.message;
    throw error;
  }
}

class TestProblem extends Error {
  override name = 'TestProblem';
}

class TestEvaluator {
  readonly #args: readonly string[];
  readonly #files: { readonly tree: ContainerFiles; readonly path: (path: string) => string };
  #at = 0;

  constructor(args: readonly string[], files: { readonly tree: ContainerFiles; readonly path: (path: string) => string }) {
    this.#args = args;
    this.#files = files;
  }

  evaluate(): boolean {
    if (this.#args.length === 0) return false;
    const value = this.#or();
    if (this.#at < this.#args.length) throw new TestProblem(`${this.#args[this.#at]}: unexpected operator`);
    return value;
  }

  #or(): boolean {
    let value = this.#and();
    while (this.#args[this.#at] === '-o') {
      this.#at++;
      value = this.#and() || value;
    }
    return value;
  }

  #and(): boolean {
    let value = this.#primary();
    while (this.#args[this.#at] === '-a') {
      this.#at++;
      value = this.#primary() && value;
    }
    return value;
  }

  #primary(): boolean {
    const first = this.#args[this.#at] ?? '';
    const operator = this.#args[this.#at + 1];
    if (first === '!' && this.#args.length - this.#at > 1) {
      this.#at++;
      return !this.#primary();
    }
    if (operator !== undefined && this.#at + 2 < this.#args.length && BINARY.has(operator)) {
      this.#at += 3;
      return compare(first, operator, this.#args[this.#at - 1] ?? '');
    }
    if (/^-[a-zA-Z]$/.test(first) && operator !== undefined) {
      this.#at += 2;
      return this.#unary(first, operator);
    }
    this.#at++;
    return first !== '';
  }

  #unary(operator: string, operand: string): boolean {
    const { tree, path } = this.#files;
    switch (operator) {
      case '-n':
        return operand !== '';
      case '-z':
        return operand === '';
      case '-f':
        return tree.isFile(path(operand));
      case '-d':
        return tree.isDirectory(path(operand));
      case '-s': {
        const read = tree.read(path(operand));
        return 'text' in read && read.text !== '';
      }
      case '-e':
      case '-r':
      case '-w':
      case '-x':
        return tree.exists(path(operand));
      case '-t':
      case '-L':
      case '-h':
      case '-S':
      case '-p':
        return false;
      default:
        throw new TestProblem(`${operator}: unknown operand`);
    }
  }
}

const BINARY = new Set(['=', '==', '!=', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '<', '>']);

function compare(left: string, operator: string, right: string): boolean {
  if (operator === '=' || operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (operator === '<') return left < right;
  if (operator === '>') return left > right;
  if (!/^\s*-?\d+\s*$/.test(left)) throw new TestProblem(`${left}: bad number`);
  if (!/^\s*-?\d+\s*$/.test(right)) throw new TestProblem(`${right}: bad number`);
  const [a, b] = [Number(left), Number(right)];
  switch (operator) {
    case '-eq':
      return a === b;
    case '-ne':
      return a !== b;
    case '-lt':
      return a < b;
    case '-le':
      return a <= b;
    case '-gt':
      return a > b;
    default:
      return a >= b;
  }
}
