import type { CommandContext } from './command.ts';
import type { FlagSpecs } from './flags.ts';
import { KubectlError } from './kubectl-error.ts';

/** `--validate`: what the server does about unknown fields. */
export const VALIDATE_FLAGS: FlagSpecs = { validate: { type: 'optional' } };

const FIELD_VALIDATION: Readonly<Record<string, 'Strict' | 'Warn' | 'Ignore'>> = {
  unchanged: 'Strict',
  strict: 'Strict',
  true: 'Strict',
  warn: 'Warn',
  ignore: 'Ignore',
  false: 'Ignore',
};

/** What `--validate` asks for: kubectl pkg/cmd/util GetValidationDirective. @throws KubectlError */
export function validation({ flags }: CommandContext): { fieldValidation: 'Strict' | 'Warn' | 'Ignore' } {
  const text = flags.string('validate') ?? 'strict';
  const fieldValidation = FIELD_VALIDATION[text];
  if (!fieldValidation)
    throw new KubectlError(`error: invalid - validate option "${text}"; must be one of: strict (or true), warn, ignore (or false)`);
  return { fieldValidation };
}
