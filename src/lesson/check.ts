import type { Expectation } from '../scenario/expectation.ts';

/** Picks objects of a state. Texts may hold `*` for any text, and `{name}` for what a lesson has picked. */
export interface Selection {
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether the condition `Ready` is True. */
  readonly ready?: boolean;
  /** What fields must be, by path: `status.phase`, `status.conditions[type=Ready].status`. */
  readonly where?: Readonly<Record<string, unknown>>;
}

/** What a value must be. All that is given must hold. */
export interface Comparison {
  readonly eq?: unknown;
  readonly ne?: unknown;
  readonly lt?: number;
  readonly gt?: number;
  readonly min?: number;
  readonly max?: number;
  readonly exists?: boolean;
}

/** A claim about a run: about the state at its end, or about its trace. Plain data. */
export type Check = {
  /** By which the lesson's text may word it. */
  readonly id?: string;
} & (
  | { readonly check: 'all' | 'any'; readonly of: readonly Check[] }
  | { readonly check: 'not'; readonly of: Check }
  | { readonly check: 'count'; readonly of: Selection; readonly is: Comparison }
  | { readonly check: 'exists' | 'absent'; readonly of: Selection }
  | { readonly check: 'object'; readonly of: Selection; readonly path: string; readonly is: Comparison }
  /** Over the trace: `eventually`, `never`, `before`, `within`. */
  | { readonly check: 'trace'; readonly expectation: Expectation }
  /** How often it happened. */
  | { readonly check: 'times'; readonly event: Expectation & { expect: 'eventually' }; readonly is: Comparison }
  /** At some moment, objects of each selection were there at once (different ones). */
  | { readonly check: 'coexist'; readonly of: readonly Selection[] }
  /** At every moment, or at one at least, so many objects fitted. */
  | { readonly check: 'always' | 'ever'; readonly of: Selection; readonly is: Comparison }
  /** The learner gave such a command (`*` for any text). For mistakes: what a lesson asks for is checked by state and trace. */
  | { readonly check: 'ran'; readonly command: string }
);
