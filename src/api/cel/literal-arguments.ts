import { RE2JS, RE2JSException } from 're2js';
import type { CallExpr, Expr } from './ast.ts';
import type { Issue } from './issue.ts';
import { parseDuration, parseTimestamp } from './library/time.ts';

const VALID: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: (text) => isPattern(text),
};

function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
}

/** A literal that no call will ever take. cel-go cel.ValidateDurationLiterals, ValidateTimestampLiterals, ValidateRegexLiterals */
export function wrongLiteral({ fn, target, args }: CallExpr): Issue | undefined {
  const isValid = Object.hasOwn(VALID, fn) ? VALID[fn] : undefined;
  const arg: Expr | undefined = fn === 'matches' && !target ? args[1] : args[0];
  if (!isValid || arg?.kind !== 'literal' || typeof arg.value !== 'string' || isValid(arg.value)) return undefined;
  return { pos: arg.pos, message: `invalid ${fn} argument` };
}
