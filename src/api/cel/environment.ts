import type { Expr } from './ast.ts';
import type { CelType } from './cel-type.ts';
import { type Checked, check } from './checker.ts';
import { type Activation, evaluate } from './evaluator.ts';
import { type FunctionTable, functionTable } from './functions.ts';
import { formatIssues } from './issue.ts';
import { AUTHORIZATION } from './library/authorizer.ts';
import { COLLECTIONS, OPTIONALS } from './library/collections.ts';
import { CONVERSIONS } from './library/conversions.ts';
import { FORMAT_LIBRARY } from './library/formats.ts';
import { KUBERNETES } from './library/kubernetes.ts';
import { OPERATORS } from './library/operators.ts';
import { STRINGS } from './library/strings.ts';
import { TIME } from './library/time.ts';
import { parse } from './parser.ts';
import type { Value } from './values.ts';

let table: FunctionTable | undefined;

/** Every function that kube-apiserver offers. apiserver pkg/cel/environment.MustBaseEnvSet */
function functions(): FunctionTable {
  table ??= functionTable([
    ...OPERATORS,
    ...CONVERSIONS,
    ...STRINGS,
    ...TIME,
    ...COLLECTIONS,
    ...OPTIONALS,
    ...KUBERNETES,
    ...FORMAT_LIBRARY,
    ...AUTHORIZATION,
  ]);
  return table;
}

/** An expression whose types fit. */
export interface Program {
  readonly expr: Expr;
  readonly checked: Checked;
  readonly type: CelType;
  /** @throws CelError */
  evaluate(activation: Activation, limit?: number): { readonly value: Value; readonly cost: number };
}

/** A program, or the text of what is wrong with an expression. */
export type Compiled = { readonly program: Program; readonly error?: undefined } | { readonly program?: undefined; readonly error: string };

/**
 * Compiles an expression of the Common Expression Language for variables of these types.
 * @example compile('self.min <= self.max', new Map([['self', schemaType]]))
 */
export function compile(source: string, variables: ReadonlyMap<string, CelType>): Compiled {
  const parsed = parse(source);
  if (parsed.issues) return { error: formatIssues(source, parsed.issues) };
  const { expr } = parsed;
  const checked = check(expr, { variables, functions: functions() });
  if (checked.issues.length > 0) return { error: formatIssues(source, checked.issues) };
  return {
    program: {
      expr,
      checked,
      type: checked.type,
      evaluate: (activation, limit) => evaluate(expr, activation, { functions: functions(), ...(limit === undefined ? {} : { limit }) }),
    },
  };
}

/** Whether an expression names a variable. */
export function mentions(expr: Expr, name: string): boolean {
  switch (expr.kind) {
    case 'literal':
      return false;
    case 'ident':
      return expr.name === name;
    case 'select':
      return mentions(expr.operand, name);
    case 'call':
      return [...(expr.target ? [expr.target] : []), ...expr.args].some((child) => mentions(child, name));
    case 'list':
      return expr.elements.some((child) => mentions(child, name));
    case 'map':
      return expr.entries.some(({ key, value }) => mentions(key, name) || mentions(value, name));
    case 'struct':
      return expr.entries.some(({ value }) => mentions(value, name));
    case 'comprehension':
      return [expr.range, expr.accuInit, expr.condition, expr.step, expr.result].some((child) => mentions(child, name));
  }
}
