import type { Value } from './values.ts';

/** The parts that every expression has. */
interface Node {
  /** Where it is in the source, counted in UTF-16 units: its operator where it has one. */
  readonly pos: number;
}

export interface LiteralExpr extends Node {
  readonly kind: 'literal';
  readonly value: Value;
}

export interface IdentExpr extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

export interface SelectExpr extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** `has(a.b)` */
  readonly test: boolean;
}

export interface CallExpr extends Node {
  readonly kind: 'call';
  readonly fn: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Elements written as `?e`: left out when they are `optional.none()`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

/** A message of some type, e.g. `Object{field: 1}`. No such type is known here; the checker says so. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly name: string;
  readonly entries: readonly { readonly field: string; readonly value: Expr }[];
}

/** A loop: what `all`, `exists`, `map`, `filter` and their kin become. */
export interface ComprehensionExpr extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly iterVar: string;
  /** The second variable of loops over index and value, or key and value. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** An expression of the Common Expression Language, macros expanded. cel-go common/ast.Expr */
export type Expr = LiteralExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | ComprehensionExpr;
