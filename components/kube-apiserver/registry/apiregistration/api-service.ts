import type { APIService } from '../../../../src/api/kinds/apiregistration-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1035Label, isDNS1123Subdomain, isValidPathSegmentName, isValidPortNumber } from '../../../../src/api/validation/content.ts';
import { invalid, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';
import { setDefaultsAPIService } from './defaults.ts';

/** kube-aggregator pkg/registry/apiservice */
export const apiServiceRules: KindRules<APIService> = {
  validateName: isValidPathSegmentName,
  defaults: setDefaultsAPIService,
  hasStatus: true,
  validate: ({ metadata, spec }) => {
    const errors: FieldError[] = [];
    const { group = '', version = '', service } = spec ?? {};
    const expected = `${version}.${group}`;
    if (metadata.name && metadata.name !== expected)
      errors.push(invalid('metadata.name', metadata.name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`));
    if (group) report(errors, { path: 'spec.group', value: group }, isDNS1123Subdomain(group));
    report(errors, { path: 'spec.version', value: version }, isDNS1035Label(version));
    inRange(errors, 'spec.groupPriorityMinimum', { value: spec?.groupPriorityMinimum ?? 0, maximum: 20_000 });
    inRange(errors, 'spec.versionPriority', { value: spec?.versionPriority ?? 0, maximum: 1000 });
    if (!service) {
      if (spec?.caBundle)
        errors.push(invalid('spec.caBundle', `${spec.caBundle.length} bytes`, 'local APIServices may not have a caBundle'));
      if (spec?.insecureSkipTLSVerify)
        errors.push(invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'));
      return errors;
    }
    if (!service.namespace) errors.push(required('spec.service.namespace'));
    if (!service.name) errors.push(required('spec.service.name'));
    if (service.port !== undefined && isValidPortNumber(service.port).length > 0)
      errors.push(invalid('spec.service.port', service.port, `port is not valid: ${isValidPortNumber(service.port).join(',')}`));
    if (spec?.insecureSkipTLSVerify && spec.caBundle)
      errors.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
    return errors;
  },
};

function inRange(errors: FieldError[], path: string, { value, maximum }: { value: number; maximum: number }): void {
  if (value <= 0 || value > maximum) errors.push(invalid(path, value, `must be positive and less than ${maximum}`));
}
