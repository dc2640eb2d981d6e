import { type AdmissionVariables, admissionVariables } from '../../../src/api/cel/admission-types.ts';
import { type CelType, DYN } from '../../../src/api/cel/cel-type.ts';
import { compile } from '../../../src/api/cel/environment.ts';
import { typeOfKind } from '../../../src/api/cel/kind-type.ts';
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../../../src/api/kinds/admissionregistration-v1.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../../src/api/resources.ts';

const MAX_TYPES = 10;

/** What of a policy's expressions does not fit the kinds that it is for. apiserver pkg/admission/plugin/policy/validating.TypeChecker.Check */
export function checkTypes({ spec = {} }: ValidatingAdmissionPolicy): ExpressionWarning[] {
  const kinds = typesToCheck(spec);
  const { apiVersion = '', kind = '' } = spec.paramKind ?? {};
  const paramsType = typeOfKind(apiVersion, kind);
  const warnings: ExpressionWarning[] = [];
  const checkExpression = (fieldRef: string, source: string | undefined): void => {
    if (!source) return;
    const texts = kinds.flatMap((resource) => issueFor(source, { resource, spec, paramsType }));
    if (texts.length > 0) warnings.push({ fieldRef, warning: texts.map((text) => `${text}\n`).join('') });
  };
  for (const [index, { expression, messageExpression }] of (spec.validations ?? []).entries()) {
    checkExpression(`spec.validations[${index}].expression`, expression);
    checkExpression(`spec.validations[${index}].messageExpression`, messageExpression);
  }
  return warnings;
}

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;

/** The built-in kinds that the rules name; wildcards name none. */
function typesToCheck({ matchConstraints }: Spec): Resource[] {
  const found = new Set<Resource>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    for (const resource of BUILT_IN_RESOURCES) {
      const named = apiGroups.includes(resource.group) && apiVersions.includes(resource.version) && resources.includes(resource.resource);
      if (named) found.add(resource);
    }
  }
  return [...found].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)).slice(0, MAX_TYPES);
}

const nameOf = ({ group, version, kind }: Resource): string => `${group}/${version}, Kind=${kind}`;

function issueFor(
  source: string,
  { resource, spec, paramsType }: { readonly resource: Resource; readonly spec: Spec; readonly paramsType: CelType | undefined },
): string[] {
  const object = typeOfKind(apiVersionOf(resource), resource.kind) ?? DYN;
  const composed = new Map<string, CelType>();
  const scope: AdmissionVariables = {
    params: spec.paramKind !== undefined,
    authorizer: true,
    composed,
    object,
    ...(paramsType ? { paramsType } : {}),
  };
  for (const { name, expression } of spec.variables ?? [])
    composed.set(name, compile(expression, admissionVariables(scope)).program?.type ?? DYN);
  const { error } = compile(source, admissionVariables(scope));
  return error === undefined ? [] : [`${nameOf(resource)}: ${error}`];
}
