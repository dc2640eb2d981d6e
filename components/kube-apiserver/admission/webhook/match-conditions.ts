import type { Resource } from '../../../../src/api/resource.ts';
import { newForbidden } from '../../../../src/api/status-error.ts';
import type { AdmissionAttributes } from '../chain.ts';
import { admissionActivation } from '../policy/admission-activation.ts';
import { compileExpression, type Expression } from '../policy/compiled-policy.ts';
import { evaluateMatchConditions } from '../policy/match-conditions.ts';
import type { Hook } from './webhook-configurations.ts';

const compiled = new WeakMap<object, readonly Expression[]>();

/** Whether the match conditions of a webhook hold. An error counts as its failure policy says. apiserver pkg/admission/plugin/webhook/matchconditions */
export function conditionsHold({ webhook }: Hook, attributes: AdmissionAttributes, asked: Resource): boolean {
  const { matchConditions, failurePolicy } = webhook;
  if (!matchConditions?.length) return true;
  let expressions = compiled.get(matchConditions);
  if (!expressions) {
    expressions = matchConditions.map(({ expression }) => compileExpression(expression, { params: false, authorizer: true }, ['bool']));
    compiled.set(matchConditions, expressions);
  }
  const { holds, error } = evaluateMatchConditions(expressions, admissionActivation(attributes, asked));
  if (error !== undefined && failurePolicy !== 'Ignore') throw newForbidden(attributes.context.resource, attributes.name, error);
  return holds;
}
