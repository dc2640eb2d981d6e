export interface GoldenCase {
  readonly id: string;
  readonly title: string;
  /** What the cluster must have besides. */
  readonly needs?: string;
  readonly steps: readonly Record<string, unknown>[];
  readonly history?: unknown;
  readonly answers?: unknown;
}
/** Where a case's time comes from: virtual milliseconds. */
export interface GoldenClock {
  now(): number;
  wallTime(): number;
  sleep(ms: number): Promise<void>;
}
export interface GoldenContext {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  readonly server: string;
  readonly clock: GoldenClock;
  /** The audit log so far: `mark` names the present end, `since` gives the lines after a mark. */
  readonly audit: { mark(): number; since(mark: number): readonly unknown[] };
  readonly namespace: string;
  readonly log?: (line: string) => void;
}
export function runCase(testCase: GoldenCase, context: GoldenContext): Promise<unknown>;
export function normalize(run: unknown, testCase: GoldenCase): unknown;
export function compareCase(testCase: GoldenCase, answers: unknown, options?: { relaxed?: boolean }): string[];
