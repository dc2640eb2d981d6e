import type { CallExpr, ComprehensionExpr, Expr, SelectExpr } from './ast.ts';
import * as types from './cel-type.ts';
import { type CelType, formatType, isDynOrError, isOptional, listOf, mapOf, optionalOf, typeOf } from './cel-type.ts';
import type { FunctionTable, Overload } from './functions.ts';
import type { Issue } from './issue.ts';
import { wrongLiteral } from './literal-arguments.ts';
import { instantiate, isAssignable, type Mapping, mostGeneral, substitute } from './unify.ts';
import { typeNameOf, type Value } from './values.ts';

/** What the checker found out about an expression. */
export interface Checked {
  readonly type: CelType;
  /** The type of each part. */
  readonly types: ReadonlyMap<Expr, CelType>;
  /** Which forms of a function a call may mean. */
  readonly overloads: ReadonlyMap<Expr, readonly Overload[]>;
  readonly issues: readonly Issue[];
}

/** Works out the types of an expression's parts. cel-go checker.Check */
export function check(
  expr: Expr,
  options: { readonly variables: ReadonlyMap<string, CelType>; readonly functions: FunctionTable },
): Checked {
  const checker = new Checker(options.functions);
  const type = checker.check(expr, new Map(options.variables));
  return checker.result(type);
}

/** The names of types, as values. */
const TYPE_NAMES: Readonly<Record<string, CelType>> = {
  bool: types.BOOL,
  int: types.INT,
  uint: types.UINT,
  double: types.DOUBLE,
  string: types.STRING,
  bytes: types.BYTES,
  null_type: types.NULL,
  list: listOf(types.DYN),
  map: mapOf(types.DYN, types.DYN),
  type: typeOf(types.DYN),
};

/** `a.b.c`, if an expression is nothing but names. */
export function qualifiedName(expr: Expr | undefined): string | undefined {
  if (expr?.kind === 'ident') return expr.name.replace(/^\./, '');
  if (expr?.kind !== 'select' || expr.test) return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

type Scope = Map<string, CelType>;

class Checker {
  readonly #functions: FunctionTable;
  readonly #mapping: Mapping = new Map();
  readonly #types = new Map<Expr, CelType>();
  readonly #overloads = new Map<Expr, readonly Overload[]>();
  readonly #issues: Issue[] = [];
  #fresh = 0;

  constructor(functions: FunctionTable) {
    this.#functions = functions;
  }

  result(type: CelType): Checked {
    const resolved = new Map([...this.#types].map(([expr, each]) => [expr, substitute(this.#mapping, each, true)]));
    return { type: substitute(this.#mapping, type, true), types: resolved, overloads: this.#overloads, issues: this.#issues };
  }

  check(expr: Expr, scope: Scope): CelType {
    const type = this.#typeOf(expr, scope);
    this.#types.set(expr, type);
    return type;
  }

  #report(pos: number, message: string): CelType {
    this.#issues.push({ pos, message });
    return types.ERROR;
  }

  #undeclared(pos: number, name: string): CelType {
    return this.#report(pos, `undeclared reference to '${name}' (in container '')`);
  }

  #typeOf(expr: Expr, scope: Scope): CelType {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value);
      case 'ident': {
        const name = expr.name.replace(/^\./, '');
        const known = scope.get(name);
        if (known) return known;
        const named = Object.hasOwn(TYPE_NAMES, name) ? TYPE_NAMES[name] : undefined;
        return named ? typeOf(named) : this.#undeclared(expr.pos, name);
      }
      case 'select':
        return this.#select(expr, scope);
      case 'call':
        return this.#call(expr, scope);
      case 'list':
        return this.#list(expr, scope);
      case 'map':
        return this.#map(expr, scope);
      case 'struct':
        return this.#undeclared(expr.pos, expr.name);
      case 'comprehension':
        return this.#comprehension(expr, scope);
    }
  }

  #select(expr: SelectExpr, scope: Scope): CelType {
    const whole = expr.test ? undefined : qualifiedName(expr);
    const variable = whole === undefined ? undefined : scope.get(whole);
    if (variable) return variable;
    const operand = this.check(expr.operand, scope);
    const type = this.#field(expr, operand);
    return expr.test ? types.BOOL : type;
  }

  #field({ pos, field, test }: { readonly pos: number; readonly field: string; readonly test?: boolean }, given: CelType): CelType {
    const operand = substitute(this.#mapping, given, false);
    if (isOptional(operand)) {
      const inner = this.#field({ pos, field }, operand.params[0] ?? types.DYN);
      return test ? types.BOOL : optionalOf(inner);
    }
    switch (operand.kind) {
      case 'map':
        return operand.value;
      case 'object':
        return operand.field(field) ?? this.#report(pos, `undefined field '${field}'`);
      case 'param':
        isAssignable(this.#mapping, types.DYN, operand);
        return types.DYN;
      default:
        if (!isDynOrError(operand)) this.#report(pos, `type '${formatType(operand)}' does not support field selection`);
        return types.DYN;
    }
  }

  #call(expr: CallExpr, scope: Scope): CelType {
    const { target, args, fn, pos } = expr;
    if (fn === '_?._') return this.#optionalSelect(expr, scope);
    const wrong = wrongLiteral(expr);
    if (wrong) this.#issues.push(wrong);
    const argTypes = (list: readonly Expr[]): CelType[] => list.map((arg) => this.#argument(fn, arg, scope));
    if (!target) {
      const name = fn.replace(/^\./, '');
      const overloads = this.#functions.get(name);
      const given = argTypes(args);
      return overloads ? this.#resolve(expr, { name, overloads, given, member: false }) : this.#undeclared(pos, name);
    }
    const namespaced = qualifiedName(target);
    const global = namespaced === undefined || scope.has(namespaced) ? undefined : this.#functions.get(`${namespaced}.${fn}`);
    if (global) return this.#resolve(expr, { name: `${namespaced}.${fn}`, overloads: global, given: argTypes(args), member: false });
    const receiver = this.check(target, scope);
    const given = [receiver, ...argTypes(args)];
    const overloads = this.#functions.get(fn);
    return overloads ? this.#resolve(expr, { name: fn, overloads, given, member: true }) : this.#undeclared(pos, fn);
  }

  /** What is formatted may be of all types. */
  #argument(fn: string, arg: Expr, scope: Scope): CelType {
    if (fn !== 'format' || arg.kind !== 'list') return this.check(arg, scope);
    for (const element of arg.elements) this.check(element, scope);
    const type = listOf(types.DYN);
    this.#types.set(arg, type);
    return type;
  }

  #optionalSelect({ args, pos }: CallExpr, scope: Scope): CelType {
    const [operand, field] = args;
    if (!operand || field?.kind !== 'literal') return types.ERROR;
    const type = this.#field({ pos, field: String(field.value) }, this.check(operand, scope));
    return isOptional(type) ? type : optionalOf(type);
  }

  /** cel-go checker.resolveOverload */
  #resolve(
    expr: Expr,
    call: { readonly name: string; readonly overloads: readonly Overload[]; readonly given: readonly CelType[]; readonly member: boolean },
  ): CelType {
    const matching: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of call.overloads) {
      if (overload.member !== call.member || overload.params.length !== call.given.length) continue;
      const fresh = ++this.#fresh;
      const attempt: Mapping = new Map(this.#mapping);
      const fits = overload.params.every((type, index) => isAssignable(attempt, instantiate(type, fresh), call.given[index] ?? types.DYN));
      if (!fits) continue;
      for (const [name, type] of attempt) this.#mapping.set(name, type);
      const type = substitute(this.#mapping, instantiate(overload.result, fresh), false);
      matching.push(overload);
      result = result === undefined || formatType(result) === formatType(type) ? (result ?? type) : types.DYN;
    }
    this.#overloads.set(expr, matching);
    if (result) return result;
    const printed = call.given.map((type) => formatType(substitute(this.#mapping, type, true)));
    const applied = call.member ? `'${printed[0]}.(${printed.slice(1).join(', ')})'` : `'(${printed.join(', ')})'`;
    return this.#report(expr.pos, `found no matching overload for '${call.name}' applied to ${applied}`);
  }

  #joined(expr: Expr, previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    if (isAssignable(this.#mapping, previous, current)) return mostGeneral(previous, current);
    return this.#report(
      expr.pos,
      `expected type '${formatType(substitute(this.#mapping, previous, true))}' but found '${formatType(current)}'`,
    );
  }

  #list(expr: Extract<Expr, { kind: 'list' }>, scope: Scope): CelType {
    let element: CelType | undefined;
    for (const [index, each] of expr.elements.entries()) {
      const type = this.check(each, scope);
      const inner = expr.optional.has(index) && isOptional(type) ? (type.params[0] ?? types.DYN) : type;
      element = this.#joined(each, element, inner);
    }
    return listOf(element ?? types.param(`element#${++this.#fresh}`));
  }

  #map(expr: Extract<Expr, { kind: 'map' }>, scope: Scope): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of expr.entries) {
      key = this.#joined(entry.key, key, this.check(entry.key, scope));
      const type = this.check(entry.value, scope);
      value = this.#joined(entry.value, value, entry.optional && isOptional(type) ? (type.params[0] ?? types.DYN) : type);
    }
    const fresh = (): CelType => types.param(`entry#${++this.#fresh}`);
    return mapOf(key ?? fresh(), value ?? fresh());
  }

  #comprehension(expr: ComprehensionExpr, scope: Scope): CelType {
    const range = substitute(this.#mapping, this.check(expr.range, scope), false);
    const [first, second] = this.#loopTypes(expr, range);
    const accu = this.check(expr.accuInit, scope);
    const outer: Scope = new Map(scope).set(expr.accuVar, accu);
    const inner: Scope = new Map(outer).set(expr.iterVar, first);
    if (expr.iterVar2 !== undefined) inner.set(expr.iterVar2, second);
    this.check(expr.condition, inner);
    const step = this.check(expr.step, inner);
    if (!isAssignable(this.#mapping, accu, step))
      this.#report(
        expr.step.pos,
        `expected type '${formatType(substitute(this.#mapping, accu, true))}' but found '${formatType(substitute(this.#mapping, step, true))}'`,
      );
    return this.check(expr.result, outer);
  }

  /** The types of the variables of a loop. */
  #loopTypes({ range: expr, iterVar2 }: ComprehensionExpr, range: CelType): [CelType, CelType] {
    switch (range.kind) {
      case 'list':
        return iterVar2 === undefined ? [range.element, types.DYN] : [types.INT, range.element];
      case 'map':
        return [range.key, range.value];
      case 'dyn':
      case 'error':
      case 'param':
        return [types.DYN, types.DYN];
      default:
        this.#report(
          expr.pos,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [types.ERROR, types.ERROR];
    }
  }
}

function literalType(value: Value): CelType {
  if (value === null) return types.NULL;
  return TYPE_NAMES[typeNameOf(value)] ?? types.DYN;
}
