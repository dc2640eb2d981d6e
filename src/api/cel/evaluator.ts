import type { CallExpr, ComprehensionExpr, Expr, SelectExpr } from './ast.ts';
import { qualifiedName } from './checker.ts';
import { accepts, type FunctionTable } from './functions.ts';
import { optionalIndexed } from './library/operators.ts';
import { CelError, LiteralMap, MapValue, noSuchOverload, OptionalValue, TypeValue, UInt, type Value } from './values.ts';

/** Where the values of variables come from. Each is asked for when it is needed. */
export type Activation = (name: string) => Value | undefined;

/** What evaluations may still cost, in the units of the real one; running out is told by `CostExceeded`. */
export class Budget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  get left(): number {
    return this.#left;
  }

  spend(cost: number): void {
    this.#left -= cost;
  }
}

/** An evaluation that cost too much. */
export class CostExceeded extends CelError {
  override name = 'CostExceeded';

  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

interface Run {
  readonly functions: FunctionTable;
  readonly limit: number;
  spent: number;
}

/** Evaluates an expression. `limit` is what it may cost at most. @throws CelError */
export function evaluate(
  expr: Expr,
  activation: Activation,
  options: { readonly functions: FunctionTable; readonly limit?: number },
): { readonly value: Value; readonly cost: number } {
  const run: Run = { functions: options.functions, limit: options.limit ?? Number.POSITIVE_INFINITY, spent: 0 };
  const value = evaluateExpr(expr, activation, run);
  return { value, cost: run.spent };
}

function spend(run: Run, cost: number): void {
  run.spent += cost;
  if (run.spent > run.limit) throw new CostExceeded();
}

const TYPE_NAMES: ReadonlySet<string> = new Set(['bool', 'int', 'uint', 'double', 'string', 'bytes', 'null_type', 'list', 'map', 'type']);

function evaluateExpr(expr: Expr, scope: Activation, run: Run): Value {
  switch (expr.kind) {
    case 'literal':
      return expr.value;
    case 'ident':
      spend(run, 1);
      return variable(expr.name.replace(/^\./, ''), scope);
    case 'select':
      return select(expr, scope, run);
    case 'call':
      return call(expr, scope, run);
    case 'list':
      return listOf(expr, scope, run);
    case 'map':
      return mapOf(expr, scope, run);
    case 'struct':
      throw new CelError(`unknown type: ${expr.name}`);
    case 'comprehension':
      return comprehension(expr, scope, run);
  }
}

function variable(name: string, scope: Activation): Value {
  const value = scope(name);
  if (value !== undefined) return value;
  if (TYPE_NAMES.has(name)) return new TypeValue(name);
  throw new CelError(`no such attribute(s): ${name}`);
}

function select(expr: SelectExpr, scope: Activation, run: Run): Value {
  const whole = expr.test ? undefined : qualifiedName(expr);
  const known = whole === undefined ? undefined : scope(whole);
  if (known !== undefined) return known;
  const operand = evaluateExpr(expr.operand, scope, run);
  if (!expr.test) spend(run, 1);
  if (operand instanceof OptionalValue) {
    const found = optionalIndexed(operand, expr.field);
    return expr.test ? found.value !== undefined : found;
  }
  const value = operand instanceof MapValue ? operand.find(expr.field) : undefined;
  if (expr.test) return value !== undefined;
  if (value === undefined) throw new CelError(`no such key: ${expr.field}`);
  return value;
}

/** Logic looks at what it needs: an error counts only when the other operand does not decide. */
function logic(expr: CallExpr, scope: Activation, { run, decisive }: { run: Run; decisive: boolean }): Value {
  let failure: unknown;
  for (const arg of expr.args) {
    try {
      const value = evaluateExpr(arg, scope, run);
      if (value === decisive) return decisive;
      if (typeof value !== 'boolean') throw noSuchOverload();
    } catch (error) {
      if (!(error instanceof CelError) || error instanceof CostExceeded) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return !decisive;
}

function call(expr: CallExpr, scope: Activation, run: Run): Value {
  switch (expr.fn) {
    case '_&&_':
      return logic(expr, scope, { run, decisive: false });
    case '_||_':
      return logic(expr, scope, { run, decisive: true });
    case '_?_:_': {
      const [condition, yes, no] = expr.args as [Expr, Expr, Expr];
      const value = evaluateExpr(condition, scope, run);
      if (typeof value !== 'boolean') throw noSuchOverload();
      return evaluateExpr(value ? yes : no, scope, run);
    }
    case '@not_strictly_false':
      return notStrictlyFalse(expr.args[0] as Expr, scope, run);
    case '_?._': {
      const [operand, field] = expr.args as [Expr, Expr];
      return optionalIndexed(evaluateExpr(operand, scope, run), evaluateExpr(field, scope, run));
    }
    default:
      return apply(expr, scope, run);
  }
}

function notStrictlyFalse(arg: Expr, scope: Activation, run: Run): boolean {
  try {
    return evaluateExpr(arg, scope, run) !== false;
  } catch (error) {
    if (error instanceof CelError && !(error instanceof CostExceeded)) return true;
    throw error;
  }
}

function apply({ fn, target, args }: CallExpr, scope: Activation, run: Run): Value {
  const given = (list: readonly Expr[]): Value[] => list.map((arg) => evaluateExpr(arg, scope, run));
  const namespaced = qualifiedName(target);
  const globalName = target ? `${namespaced}.${fn}` : fn.replace(/^\./, '');
  const isGlobal = !target || (namespaced !== undefined && run.functions.has(globalName) && scope(namespaced) === undefined);
  const values = isGlobal ? given(args) : [evaluateExpr(target as Expr, scope, run), ...given(args)];
  const overloads = run.functions.get(isGlobal ? globalName : fn) ?? [];
  const found = overloads.find(
    ({ member, params }) =>
      member !== isGlobal && params.length === values.length && params.every((type, index) => accepts(type, values[index] as Value)),
  );
  if (!found) throw noSuchOverload();
  spend(run, 1 + traversalCost(values));
  return found.run(values);
}

/** Texts and lists are walked through, a tenth of a unit a step. */
function traversalCost(values: readonly Value[]): number {
  let cost = 0;
  for (const value of values) if (typeof value === 'string' || Array.isArray(value)) cost += value.length * 0.1;
  return Math.floor(cost);
}

function listOf(expr: Extract<Expr, { kind: 'list' }>, scope: Activation, run: Run): Value {
  spend(run, 10);
  const out: Value[] = [];
  for (const [index, element] of expr.elements.entries()) {
    const value = evaluateExpr(element, scope, run);
    if (!expr.optional.has(index)) out.push(value);
    else if (value instanceof OptionalValue && value.value !== undefined) out.push(value.value);
  }
  return out;
}

function mapOf(expr: Extract<Expr, { kind: 'map' }>, scope: Activation, run: Run): Value {
  spend(run, 30);
  const entries: [Value, Value][] = [];
  for (const { key, value, optional } of expr.entries) {
    const name = evaluateExpr(key, scope, run);
    if (typeof name !== 'string' && typeof name !== 'bigint' && typeof name !== 'boolean' && !(name instanceof UInt))
      throw new CelError('unsupported key type');
    const content = evaluateExpr(value, scope, run);
    if (!optional) entries.push([name, content]);
    else if (content instanceof OptionalValue && content.value !== undefined) entries.push([name, content.value]);
  }
  return new LiteralMap(entries);
}

function comprehension(expr: ComprehensionExpr, scope: Activation, run: Run): Value {
  const range = evaluateExpr(expr.range, scope, run);
  let accu = evaluateExpr(expr.accuInit, scope, run);
  let first: Value = null;
  let second: Value = null;
  const outer: Activation = (name) => (name === expr.accuVar ? accu : scope(name));
  const inner: Activation = (name) => (name === expr.iterVar ? first : name === expr.iterVar2 ? second : outer(name));
  for (const [key, value] of entriesOf(range, expr.iterVar2 !== undefined)) {
    first = key;
    second = value;
    if (evaluateExpr(expr.condition, inner, run) === false) break;
    accu = evaluateExpr(expr.step, inner, run);
  }
  return evaluateExpr(expr.result, outer, run);
}

/** What a loop goes over: items, keys, or pairs. */
function* entriesOf(range: Value, pairs: boolean): Iterable<readonly [Value, Value]> {
  if (Array.isArray(range)) {
    for (const [index, item] of range.entries()) yield pairs ? [BigInt(index), item] : [item, null];
  } else if (range instanceof MapValue) {
    for (const key of range.keys()) yield [key, range.find(key) ?? null];
  } else throw noSuchOverload();
}
