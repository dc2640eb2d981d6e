import type { ComprehensionExpr, Expr } from './ast.ts';

/** What a loop collects its result in; no user can write this name. */
const ACCU = '@result';
const UNUSED = '#unused';

/** A macro whose arguments do not fit. */
export class MacroError extends Error {
  override name = 'MacroError';
  readonly pos: number;

  constructor(message: string, pos: number) {
    super(message);
    this.pos = pos;
  }
}

interface Call {
  readonly pos: number;
  readonly target: Expr;
  readonly args: readonly Expr[];
}

type Macro = (call: Call) => Expr;

const at = (pos: number) => ({
  value: (value: boolean | bigint): Expr => ({ kind: 'literal', pos, value }),
  name: (name: string): Expr => ({ kind: 'ident', pos, name }),
  call: (fn: string, ...args: Expr[]): Expr => ({ kind: 'call', pos, fn, target: undefined, args }),
  list: (...elements: Expr[]): Expr => ({ kind: 'list', pos, elements, optional: new Set() }),
});

function variable(arg: Expr | undefined): string {
  if (arg?.kind === 'ident' && !arg.name.startsWith('.')) return arg.name;
  throw new MacroError('argument must be a simple name', arg?.pos ?? 0);
}

type Loop = Pick<ComprehensionExpr, 'accuInit' | 'condition' | 'step' | 'result'>;

function loop({ pos, target, args }: Call, { two, body }: { two: boolean; body: Loop }): Expr {
  const iterVar = variable(args[0]);
  const iterVar2 = two ? variable(args[1]) : undefined;
  if (iterVar2 === iterVar) throw new MacroError(`duplicate variable name: ${iterVar}`, args[1]?.pos ?? pos);
  return { kind: 'comprehension', pos, range: target, iterVar, iterVar2, accuVar: ACCU, ...body };
}

/** Which of the arguments are names of variables, and what comes after them. */
function bodyOf({ args }: Call, two: boolean): Expr[] {
  return args.slice(two ? 2 : 1);
}

const all =
  (two: boolean): Macro =>
  (call) => {
    const { value, name, call: apply } = at(call.pos);
    const [predicate] = bodyOf(call, two);
    const condition = apply('@not_strictly_false', name(ACCU));
    const step = apply('_&&_', name(ACCU), predicate as Expr);
    return loop(call, { two, body: { accuInit: value(true), condition, step, result: name(ACCU) } });
  };

const exists =
  (two: boolean): Macro =>
  (call) => {
    const { value, name, call: apply } = at(call.pos);
    const [predicate] = bodyOf(call, two);
    const condition = apply('@not_strictly_false', apply('!_', name(ACCU)));
    const step = apply('_||_', name(ACCU), predicate as Expr);
    return loop(call, { two, body: { accuInit: value(false), condition, step, result: name(ACCU) } });
  };

const existsOne =
  (two: boolean): Macro =>
  (call) => {
    const { value, name, call: apply } = at(call.pos);
    const [predicate] = bodyOf(call, two);
    const step = apply('_?_:_', predicate as Expr, apply('_+_', name(ACCU), value(1n)), name(ACCU));
    const result = apply('_==_', name(ACCU), value(1n));
    return loop(call, { two, body: { accuInit: value(0n), condition: value(true), step, result } });
  };

/** `map(x, f)` and `map(x, p, f)`, `transformList(i, x, f)` and `transformList(i, x, p, f)` */
const map =
  (two: boolean): Macro =>
  (call) => {
    const { value, name, call: apply, list } = at(call.pos);
    const body = bodyOf(call, two);
    const [filter, transform] = body.length > 1 ? body : [undefined, body[0]];
    const appended = apply('_+_', name(ACCU), list(transform as Expr));
    const step = filter ? apply('_?_:_', filter, appended, name(ACCU)) : appended;
    return loop(call, { two, body: { accuInit: list(), condition: value(true), step, result: name(ACCU) } });
  };

const filter: Macro = (call) => {
  const { value, name, call: apply, list } = at(call.pos);
  const [predicate] = bodyOf(call, false);
  const appended = apply('_+_', name(ACCU), list(call.args[0] as Expr));
  const step = apply('_?_:_', predicate as Expr, appended, name(ACCU));
  return loop(call, { two: false, body: { accuInit: list(), condition: value(true), step, result: name(ACCU) } });
};

/** `transformMap(k, v, f)`, `transformMapEntry(k, v, m)`, both also with a filter before the last argument. */
const transformMap =
  (entries: boolean): Macro =>
  (call) => {
    const { value, name, call: apply } = at(call.pos);
    const body = bodyOf(call, true);
    const [condition, transform] = body.length > 1 ? body : [undefined, body[0]];
    const key = call.args[0] as Expr;
    const inserted = entries
      ? apply('cel.@mapInsert', name(ACCU), transform as Expr)
      : apply('cel.@mapInsert', name(ACCU), key, transform as Expr);
    const step = condition ? apply('_?_:_', condition, inserted, name(ACCU)) : inserted;
    const accuInit: Expr = { kind: 'map', pos: call.pos, entries: [] };
    return loop(call, { two: true, body: { accuInit, condition: value(true), step, result: name(ACCU) } });
  };

/** `optMap(x, f)` and `optFlatMap(x, f)`: `f` of the value if there is one. */
const optMap =
  (flat: boolean): Macro =>
  ({ pos, target, args }) => {
    const { value, name, call: apply, list } = at(pos);
    const name_ = variable(args[0]);
    const member = (fn: string): Expr => ({ kind: 'call', pos, fn, target, args: [] });
    const bound: Expr = {
      kind: 'comprehension',
      pos,
      range: list(),
      iterVar: UNUSED,
      iterVar2: undefined,
      accuVar: name_,
      accuInit: member('value'),
      condition: value(false),
      step: name(name_),
      result: args[1] as Expr,
    };
    return apply('_?_:_', member('hasValue'), flat ? bound : apply('optional.of', bound), apply('optional.none'));
  };

const MACROS: Readonly<Record<string, Macro>> = {
  'all/2': all(false),
  'exists/2': exists(false),
  'exists_one/2': existsOne(false),
  'existsOne/2': existsOne(false),
  'map/2': map(false),
  'map/3': map(false),
  'filter/2': filter,
  'all/3': all(true),
  'exists/3': exists(true),
  'exists_one/3': existsOne(true),
  'existsOne/3': existsOne(true),
  'transformList/3': map(true),
  'transformList/4': map(true),
  'transformMap/3': transformMap(false),
  'transformMap/4': transformMap(false),
  'transformMapEntry/3': transformMap(true),
  'transformMapEntry/4': transformMap(true),
  'optMap/2': optMap(false),
  'optFlatMap/2': optMap(true),
};

/** What a call of a member stands for, if it is a macro. cel-go parser/macro.go, ext/comprehensions.go @throws MacroError */
export function expandMember(fn: string, call: Call): Expr | undefined {
  const macro = Object.hasOwn(MACROS, `${fn}/${call.args.length}`) ? MACROS[`${fn}/${call.args.length}`] : undefined;
  return macro?.(call);
}

/** `has(a.b)` @throws MacroError */
export function expandHas(args: readonly Expr[], pos: number): Expr | undefined {
  if (args.length !== 1) return undefined;
  const [arg] = args;
  if (arg?.kind !== 'select') throw new MacroError('invalid argument to has() macro', pos);
  return { ...arg, test: true };
}
