/** What is wrong with an operator: where it shows, and what to do about it. */
export interface Finding {
  readonly rule: 'hot-loop' | 'missing-observed-generation' | 'status-through-main-resource' | 'conflict-ignored' | 'secrets-cluster-wide';
  /** Who did it: the name that a process gives itself in its requests, up to the first `/`, or its actor. */
  readonly operator: string;
  readonly message: string;
  /** Entries of the trace that show it. */
  readonly evidence: readonly number[];
  readonly remedy: string;
}
