import { type AdmissionVariables, admissionVariables } from '../../../../src/api/cel/admission-types.ts';
import { type CelType, DYN, typeName } from '../../../../src/api/cel/cel-type.ts';
import { compile, type Program } from '../../../../src/api/cel/environment.ts';
import type { ValidatingAdmissionPolicy } from '../../../../src/api/kinds/admissionregistration-v1.ts';

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;

/** An expression, and the program or what is wrong with it. */
export interface Expression {
  readonly source: string;
  readonly program: Program | undefined;
  readonly error: string | undefined;
}

/** The expressions of a policy. */
export interface CompiledPolicy {
  readonly variables: readonly (Expression & { readonly name: string })[];
  readonly matchConditions: readonly Expression[];
  readonly validations: readonly { readonly expression: Expression; readonly message: Expression | undefined }[];
  readonly auditAnnotations: readonly (Expression & { readonly key: string })[];
}

const compiled = new WeakMap<Spec, CompiledPolicy>();

/** Compiles what a policy says. apiserver pkg/admission/plugin/policy/validating.compilePolicy */
export function compilePolicy(spec: Spec): CompiledPolicy {
  let policy = compiled.get(spec);
  if (!policy) {
    policy = compileSpec(spec);
    compiled.set(spec, policy);
  }
  return policy;
}

function compileSpec(spec: Spec): CompiledPolicy {
  const params = spec.paramKind !== undefined;
  const composed = new Map<string, CelType>();
  const scope: AdmissionVariables = { params, authorizer: true, composed };
  const variables = (spec.variables ?? []).map(({ name, expression }) => {
    const result = compileExpression(expression, scope);
    composed.set(name, result.program?.type ?? DYN);
    return { ...result, name };
  });
  const plain: AdmissionVariables = { params, authorizer: true };
  return {
    variables,
    matchConditions: (spec.matchConditions ?? []).map(({ expression }) => compileExpression(expression, plain, ['bool'])),
    validations: (spec.validations ?? []).map(({ expression, messageExpression }) => ({
      expression: compileExpression(expression, scope, ['bool']),
      message: messageExpression ? compileExpression(messageExpression, { ...scope, authorizer: false }, ['string']) : undefined,
    })),
    auditAnnotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      ...compileExpression(valueExpression, scope, ['string', 'null_type']),
      key,
    })),
  };
}

/** @param results the types that the expression may have; any if absent */
export function compileExpression(source: string, scope: AdmissionVariables, results?: readonly string[]): Expression {
  if (!source?.trim()) return { source, program: undefined, error: undefined };
  const { program, error } = compile(source, admissionVariables(scope));
  if (!program) return { source, program, error: `compilation failed: ${error}` };
  const type = typeName(program.type);
  if (!results || results.includes(type)) return { source, program, error: undefined };
  const wanted = results.length > 1 ? `one of [${results.join(' ')}]` : results[0];
  return { source, program: undefined, error: `must evaluate to ${wanted} but got ${type}` };
}
