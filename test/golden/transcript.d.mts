export interface TranscriptStep {
  readonly cmd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly capture?: Readonly<Record<string, string>>;
  readonly until?: { readonly cmd: string; readonly regex?: string; readonly 'stdout-contains'?: string; readonly stderr?: boolean };
  readonly start?: string;
  readonly sleep?: number;
  readonly exitCode?: number | string;
  readonly stdout?: string;
  readonly stderr?: string;
}
/** Commands typed at a real kubectl, and what it printed. */
export interface Transcript {
  readonly id: string;
  readonly title: string;
  /** False: no namespace of its own. */
  readonly namespace?: boolean | 'context';
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly TranscriptStep[];
}
export interface StepResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}
export function compareCase(
  testCase: Transcript,
  run: { readonly vars: Readonly<Record<string, unknown>>; readonly results: readonly (StepResult | undefined)[] },
): string[];
