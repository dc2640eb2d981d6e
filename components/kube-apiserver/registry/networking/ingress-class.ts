import type { IngressClass } from '../../../../src/api/kinds/networking-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label, isDNS1123Subdomain, isValidPathSegmentName } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, required, tooLong } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { domainPrefixedPath, report, requiredOneOf } from '../validation.ts';
import { setDefaultsIngressClass } from './defaults.ts';

const MAX_CONTROLLER = 250;

/** kubernetes pkg/registry/networking/ingressclass */
export const ingressClassRules: KindRules<IngressClass> = {
  defaults: setDefaultsIngressClass,
  generation: true,
  validate: ({ spec }) => {
    const errors: FieldError[] = [];
    const controller = spec?.controller ?? '';
    if (controller.length > MAX_CONTROLLER) errors.push(tooLong('spec.controller', MAX_CONTROLLER));
    domainPrefixedPath(errors, 'spec.controller', controller);
    validateParameters(errors, spec?.parameters);
    return errors;
  },
  validateUpdate: ({ spec }, old) => {
    const errors: FieldError[] = [];
    if (spec?.controller !== old.spec?.controller) errors.push(invalid('spec.controller', spec?.controller ?? '', 'field is immutable'));
    validateParameters(errors, spec?.parameters);
    return errors;
  },
};

type Parameters = NonNullable<IngressClass['spec']>['parameters'];

/** kubernetes pkg/apis/networking/validation validateIngressClassParametersReference */
function validateParameters(errors: FieldError[], parameters: Parameters): void {
  if (!parameters) return;
  const path = 'spec.parameters';
  const { apiGroup, namespace } = parameters;
  if (apiGroup !== undefined) report(errors, { path: `${path}.apiGroup`, value: apiGroup }, isDNS1123Subdomain(apiGroup));
  for (const name of ['kind', 'name'] as const) {
    const value = parameters[name];
    if (!value) errors.push(required(`${path}.${name}`));
    else report(errors, { path: `${path}.${name}`, value }, isValidPathSegmentName(value));
  }
  requiredOneOf(errors, { path: `${path}.scope`, value: parameters.scope }, ['Cluster', 'Namespace']);
  if (parameters.scope === 'Namespace') {
    if (!namespace) errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
    else report(errors, { path: `${path}.namespace`, value: namespace }, isDNS1123Label(namespace));
  }
  if (parameters.scope === 'Cluster' && namespace !== undefined)
    errors.push(forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
}
