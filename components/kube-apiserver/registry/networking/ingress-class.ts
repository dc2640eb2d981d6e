import type { IngressClass } from '../../../../src/api/kinds/networking-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, invalid, required, tooLong } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { requiredOneOf } from '../validation.ts';
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
    if (!controller) errors.push(required('spec.controller'));
    else if (controller.indexOf('/') <= 0 || controller.endsWith('/'))
      errors.push(invalid('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")'));
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
  if (!parameters.kind) errors.push(required(`${path}.kind`));
  if (!parameters.name) errors.push(required(`${path}.name`));
  requiredOneOf(errors, { path: `${path}.scope`, value: parameters.scope }, ['Cluster', 'Namespace']);
  if (parameters.scope === 'Namespace' && !parameters.namespace)
    errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
  if (parameters.scope === 'Cluster' && parameters.namespace !== undefined)
    errors.push(forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
}
