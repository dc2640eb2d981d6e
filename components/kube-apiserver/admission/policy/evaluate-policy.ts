import { type Activation, Budget, CostExceeded } from '../../../../src/api/cel/evaluator.ts';
import { CelError, type Value } from '../../../../src/api/cel/values.ts';
import type { ValidatingAdmissionPolicy } from '../../../../src/api/kinds/admissionregistration-v1.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import type { AdmissionAttributes } from '../chain.ts';
import { admissionActivation, ComposedVariables, PER_CALL } from './admission-activation.ts';
import { type CompiledPolicy, compilePolicy, type Expression } from './compiled-policy.ts';
import { evaluateMatchConditions } from './match-conditions.ts';

const BUDGET = 10_000_000;
const MAX_MESSAGE = 5 * 1024;
const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** That a policy refuses a request, and why. */
export interface Denial {
  readonly message: string;
  readonly reason: string;
}

export interface PolicyResult {
  readonly denials: readonly Denial[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
}

interface Evaluation {
  readonly policy: ValidatingAdmissionPolicy;
  readonly asked: Resource;
  readonly params: KubernetesObject | undefined;
}

/** Evaluates a policy with one parameter. apiserver pkg/admission/plugin/policy/validating.validator.Validate */
export function evaluatePolicy(attributes: AdmissionAttributes, { policy, asked, params }: Evaluation): PolicyResult {
  const { spec = {} } = policy;
  const compiled = compilePolicy(spec);
  const fails = spec.failurePolicy !== 'Ignore';
  const budget = new Budget(BUDGET);
  const variables = new ComposedVariables(compiled.variables, budget);
  const activation = admissionActivation(attributes, asked, { params, variables });
  variables.activation = activation;
  const matched = evaluateMatchConditions(compiled.matchConditions, activation);
  if (matched.error !== undefined) return { denials: fails ? [{ message: matched.error, reason: 'Invalid' }] : [], annotations: [] };
  if (!matched.holds) return { denials: [], annotations: [] };
  return {
    denials: validate(spec, compiled, { activation, budget, fails }),
    annotations: compiled.auditAnnotations.flatMap((annotation) => annotationOf(annotation, activation)),
  };
}

interface Run {
  readonly activation: Activation;
  readonly budget: Budget;
  /** Errors refuse the request. */
  readonly fails: boolean;
}

function validate(spec: NonNullable<ValidatingAdmissionPolicy['spec']>, compiled: CompiledPolicy, run: Run): Denial[] {
  const denials: Denial[] = [];
  for (const [index, { expression, message }] of compiled.validations.entries()) {
    const { message: fixed, reason = 'Invalid' } = spec.validations?.[index] ?? {};
    const outcome = outcomeOf(expression, run);
    if (typeof outcome === 'string') {
      if (run.fails) denials.push({ message: outcome, reason: 'Invalid' });
      if (outcome === OUT_OF_BUDGET) break;
    } else if (outcome !== true) {
      const text = computedMessage(message, run.activation) ?? (fixed?.trim() || `failed expression: ${expression.source.trim()}`);
      denials.push({ message: text, reason });
    }
  }
  return denials;
}

/** true, false, or what went wrong. */
function outcomeOf({ program, source, error }: Expression, { activation, budget }: Run): Value {
  if (!program) return `compilation error: ${error}`;
  try {
    const { value, cost } = program.evaluate(activation, PER_CALL);
    budget.spend(cost);
    return budget.left < 0 ? OUT_OF_BUDGET : value === true;
  } catch (thrown) {
    if (!(thrown instanceof CelError)) throw thrown;
    return thrown instanceof CostExceeded ? OUT_OF_BUDGET : `expression '${source.trim()}' resulted in error: ${thrown.message}`;
  }
}

function computedMessage(expression: Expression | undefined, activation: Activation): string | undefined {
  if (!expression?.program) return undefined;
  try {
    const { value } = expression.program.evaluate(activation, PER_CALL);
    const text = typeof value === 'string' ? value.trim() : '';
    return text && !text.includes('\n') && text.length <= MAX_MESSAGE ? text : undefined;
  } catch (thrown) {
    if (thrown instanceof CelError) return undefined;
    throw thrown;
  }
}

/** An annotation is left out when its expression gives null or fails. */
function annotationOf({ key, program }: CompiledPolicy['auditAnnotations'][number], activation: Activation): PolicyResult['annotations'] {
  if (!program) return [];
  try {
    const { value } = program.evaluate(activation, PER_CALL);
    const text = typeof value === 'string' ? value.trim() : '';
    return text ? [{ key, value: text }] : [];
  } catch (thrown) {
    if (thrown instanceof CelError) return [];
    throw thrown;
  }
}
