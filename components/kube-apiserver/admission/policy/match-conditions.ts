import type { Activation } from '../../../../src/api/cel/evaluator.ts';
import { CelError } from '../../../../src/api/cel/values.ts';
import { PER_CALL } from './admission-activation.ts';
import type { Expression } from './compiled-policy.ts';

/** What match conditions say: all hold, one does not, or it cannot be told. */
export type Matched = { readonly holds: boolean; readonly error?: string };

/** One that is false counts more than one that fails. apiserver pkg/admission/plugin/webhook/matchconditions.matcher.Match */
export function evaluateMatchConditions(conditions: readonly Expression[], activation: Activation): Matched {
  let failure: string | undefined;
  for (const { program, source, error } of conditions) {
    try {
      if (!program) failure ??= `${error}`;
      else if (program.evaluate(activation, PER_CALL).value === false) return { holds: false };
    } catch (thrown) {
      if (!(thrown instanceof CelError)) throw thrown;
      failure ??= `expression '${source}' resulted in error: ${thrown.message}`;
    }
  }
  return failure === undefined ? { holds: true } : { holds: false, error: failure };
}
