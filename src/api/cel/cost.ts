import type { CallExpr, ComprehensionExpr, Expr } from './ast.ts';
import type { CelType } from './cel-type.ts';
import type { Checked } from './checker.ts';

/** From at least to at most. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const ONE: Range = { min: 1, max: 1 };
const NOTHING: Range = { min: 0, max: 0 };
const UNBOUNDED: Range = { min: 0, max: Number.POSITIVE_INFINITY };
const PER_CHARACTER = 0.1;
const PER_PATTERN_CHARACTER = 0.25;
const LIST_COST = 10;
const MAP_COST = 30;

const add = (a: Range, b: Range): Range => ({ min: a.min + b.min, max: a.max + b.max });
const product = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);
const multiply = (a: Range, b: Range): Range => ({ min: product(a.min, b.min), max: product(a.max, b.max) });
const scale = (a: Range, factor: number): Range => ({ min: Math.ceil(a.min * factor), max: Math.ceil(a.max * factor) });
const union = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
const total = (all: readonly Range[]): Range => all.reduce(add, NOTHING);

/** What an evaluation can cost at most and at least. cel-go checker.Cost with the estimates of apiserver pkg/cel/library.CostEstimator */
export function estimateCost(expr: Expr, checked: Checked): Range {
  return new Coster(checked).cost(expr);
}

const TRAVERSED_TARGET = new Set(['lowerAscii', 'upperAscii', 'substring', 'trim', 'split', 'charAt', 'format']);
const TRAVERSED_ARG = new Set([
  'url',
  'isURL',
  'quantity',
  'isQuantity',
  'ip',
  'isIP',
  'cidr',
  'isCIDR',
  'semver',
  'isSemver',
  'ip.isCanonical',
  'strings.quote',
]);
const LIST_WALKS = new Set(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf', 'sort', 'distinct']);
const COMPARISONS = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);
const AUTHORIZER_CHECK = 350_000;

class Coster {
  readonly #checked: Checked;
  /** Types with bounds, where a part is a piece of what a schema describes. */
  readonly #bounded = new Map<Expr, CelType>();
  readonly #sizes = new Map<Expr, Range>();
  readonly #loops: { readonly name: string; readonly type: CelType | undefined }[] = [];

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return NOTHING;
      case 'ident': {
        const loop = this.#loops.findLast(({ name }) => name === expr.name);
        const type = loop ? loop.type : this.#checked.types.get(expr);
        if (type) this.#bounded.set(expr, type);
        return ONE;
      }
      case 'select': {
        const operand = this.cost(expr.operand);
        if (expr.test) return operand;
        const type = this.#typeOf(expr.operand);
        const inner = type?.kind === 'object' ? type.field(expr.field) : type?.kind === 'map' ? type.value : undefined;
        if (inner) this.#bounded.set(expr, inner);
        return type && ['map', 'object', 'param', 'dyn'].includes(type.kind) ? add(operand, ONE) : operand;
      }
      case 'call':
        return this.#call(expr);
      case 'list':
        return add({ min: LIST_COST, max: LIST_COST }, total(expr.elements.map((child) => this.cost(child))));
      case 'map':
        return add({ min: MAP_COST, max: MAP_COST }, total(expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)])));
      case 'struct':
        return total(expr.entries.map(({ value }) => this.cost(value)));
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #typeOf(expr: Expr): CelType | undefined {
    return this.#bounded.get(expr) ?? this.#checked.types.get(expr);
  }

  #comprehension(expr: ComprehensionExpr): Range {
    const start = add(this.cost(expr.range), this.cost(expr.accuInit));
    const range = this.#typeOf(expr.range);
    const type = range?.kind === 'list' ? range.element : range?.kind === 'map' ? range.key : undefined;
    this.#loops.push({ name: expr.iterVar, type });
    if (expr.iterVar2 !== undefined) this.#loops.push({ name: expr.iterVar2, type: range?.kind === 'map' ? range.value : type });
    const step = add(this.cost(expr.condition), this.cost(expr.step));
    this.#loops.length -= expr.iterVar2 === undefined ? 1 : 2;
    const result = this.cost(expr.result);
    const count = this.#size(expr.range);
    this.#sizes.set(expr, { min: 0, max: count.max });
    return total([start, result, multiply(count, step)]);
  }

  /** How many characters or items a part has. */
  #size(expr: Expr): Range {
    const known = this.#sizes.get(expr);
    if (known) return known;
    if (expr.kind === 'literal') {
      const { value } = expr;
      if (typeof value === 'string') return { min: [...value].length, max: [...value].length };
      return value instanceof Uint8Array ? { min: value.length, max: value.length } : ONE;
    }
    if (expr.kind === 'list') return { min: expr.elements.length, max: expr.elements.length };
    if (expr.kind === 'map') return { min: expr.entries.length, max: expr.entries.length };
    const type = this.#typeOf(expr);
    const bounded = this.#bounded.has(expr);
    if (type && 'maxElements' in type && type.maxElements !== undefined) return { min: 0, max: type.maxElements };
    if (type && ['bool', 'int', 'uint', 'double', 'timestamp', 'duration', 'type', 'null'].includes(type.kind))
      return bounded ? NOTHING : ONE;
    return bounded && type?.kind === 'object' ? NOTHING : UNBOUNDED;
  }

  #call(expr: CallExpr): Range {
    const args = expr.args.map((arg) => this.cost(arg));
    const overloads = this.#checked.overloads.get(expr) ?? [];
    const isMember = overloads[0]?.member ?? expr.target !== undefined;
    const target = expr.target && isMember ? expr.target : undefined;
    const targetCost = target ? this.cost(target) : NOTHING;
    if (expr.fn === '_[_]') this.#trackIndex(expr);
    return add(targetCost, this.#functionCost(expr, { args, target }));
  }

  #trackIndex(expr: CallExpr): void {
    const container = expr.args[0] && this.#typeOf(expr.args[0]);
    const inner = container?.kind === 'list' ? container.element : container?.kind === 'map' ? container.value : undefined;
    if (inner) this.#bounded.set(expr, inner);
  }

  #functionCost(expr: CallExpr, { args, target }: { args: readonly Range[]; target: Expr | undefined }): Range {
    const { fn } = expr;
    const sum = total(args);
    const [first, second, third] = expr.args;
    const subject = target ?? first;
    if (fn === '_&&_' || fn === '_||_') return { min: args[0]?.min ?? 0, max: sum.max };
    if (fn === '_?_:_' && second && third) {
      this.#sizes.set(expr, union(this.#size(second), this.#size(third)));
      return add(args[0] ?? NOTHING, union(args[1] ?? NOTHING, args[2] ?? NOTHING));
    }
    if (COMPARISONS.has(fn) && first && second) return add(sum, this.#comparisonCost(first, second));
    if (fn === '_+_' && first && second) return add(sum, this.#additionCost(expr, first, second));
    if (fn === '@in' && second) return add(sum, this.#typeOf(second)?.kind === 'map' ? ONE : scale(this.#size(second), 1));
    if (fn === 'matches' || fn === 'find' || fn === 'findAll') return add(sum, this.#patternCost(expr, subject, target ? first : second));
    if (fn === 'contains' && target && first && this.#typeOf(target)?.kind === 'string')
      return add(sum, multiply(scale(this.#size(target), PER_CHARACTER), scale(this.#size(first), PER_CHARACTER)));
    if ((fn === 'startsWith' || fn === 'endsWith') && first) return add(sum, scale(this.#size(first), PER_CHARACTER));
    if (LIST_WALKS.has(fn) && target) return add(sum, this.#walkCost(target));
    if (fn === 'check') return add(sum, { min: AUTHORIZER_CHECK, max: AUTHORIZER_CHECK });
    return add(sum, this.#otherCost(expr, { subject, first, target }));
  }

  #otherCost(
    expr: CallExpr,
    { subject, first, target }: { subject: Expr | undefined; first: Expr | undefined; target: Expr | undefined },
  ): Range {
    const { fn } = expr;
    if (fn === 'replace' && target && expr.args[1]) {
      const size = this.#size(target);
      const grown = add(size, multiply(size, this.#size(expr.args[1])));
      this.#sizes.set(expr, { min: 0, max: grown.max });
      return scale(size, PER_CHARACTER);
    }
    if (fn === 'join' && target) {
      const list = this.#typeOf(target);
      const element =
        list?.kind === 'list' && 'maxElements' in list.element
          ? (list.element.maxElements ?? Number.POSITIVE_INFINITY)
          : Number.POSITIVE_INFINITY;
      const joined = multiply(this.#size(target), add({ min: 0, max: element }, first ? this.#size(first) : NOTHING));
      this.#sizes.set(expr, joined);
      return scale(joined, PER_CHARACTER);
    }
    if (TRAVERSED_TARGET.has(fn) && target) {
      const size = this.#size(target);
      this.#sizes.set(expr, { min: 0, max: size.max });
      return scale(size, PER_CHARACTER);
    }
    if (TRAVERSED_ARG.has(fn) && subject) {
      const size = this.#size(subject);
      this.#sizes.set(expr, size);
      return scale(size, PER_CHARACTER);
    }
    return ONE;
  }

  #comparisonCost(a: Expr, b: Expr): Range {
    const max = Math.min(this.#size(a).max, this.#size(b).max);
    return scale({ min: max > 0 ? 1 : 0, max }, PER_CHARACTER);
  }

  #additionCost(expr: CallExpr, a: Expr, b: Expr): Range {
    const kind = this.#typeOf(expr)?.kind;
    if (kind !== 'string' && kind !== 'bytes' && kind !== 'list') return ONE;
    const size = add(this.#size(a), this.#size(b));
    this.#sizes.set(expr, size);
    return kind === 'list' ? ONE : scale(size, PER_CHARACTER);
  }

  #patternCost(expr: CallExpr, text: Expr | undefined, pattern: Expr | undefined): Range {
    if (!text || !pattern) return ONE;
    const size = this.#size(text);
    if (expr.fn !== 'matches') this.#sizes.set(expr, { min: 0, max: size.max });
    return multiply(scale(add(size, ONE), PER_CHARACTER), scale(this.#size(pattern), PER_PATTERN_CHARACTER));
  }

  #walkCost(target: Expr): Range {
    const type = this.#typeOf(target);
    const size = this.#size(target);
    if (type?.kind !== 'list') return scale(size, PER_CHARACTER);
    const { element } = type;
    const isText = element.kind === 'string' || element.kind === 'bytes';
    const perItem = isText ? add(ONE, scale({ min: 0, max: element.maxElements ?? Number.POSITIVE_INFINITY }, PER_CHARACTER)) : ONE;
    return multiply(size, perItem);
  }
}
