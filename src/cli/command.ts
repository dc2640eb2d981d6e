import type { ParseArgsOptionsConfig } from 'node:util';

/** Options as `parseArgs` of node:util gives them. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** One verb of `bottleship`. */
export interface CliCommand {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Arguments and options, as help shows them. */
  readonly usage: string;
  readonly example: string;
  readonly options: ParseArgsOptionsConfig;
  /** What each option does; a test keeps it complete. */
  readonly optionHelp: Readonly<Record<string, string>>;
  /** Resolves with the exit code: 0 done, 1 the thing itself failed. Throws `UsageError` and friends for wrong use. */
  run(args: readonly string[], options: OptionValues): Promise<number>;
}
