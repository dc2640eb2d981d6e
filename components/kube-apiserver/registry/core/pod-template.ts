import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { PodTemplate } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import type { KindRules } from '../kind-strategy.ts';
import { setDefaultsPodTemplate } from './pod-defaults.ts';
import { dropDisabledFieldsOfTemplate } from './pod-disabled-fields.ts';
import { validatePodTemplate } from './pod-spec-validation.ts';
import { podTemplateWarnings } from './pod-warnings.ts';

/** kubernetes pkg/registry/core/podtemplate */
export const podTemplateRules: KindRules<PodTemplate> = {
  defaults: ({ template }) => {
    if (template) setDefaultsPodTemplate(template);
  },
  generation: true,
  dropDisabledFields: (object) => (object.template ? { ...object, template: dropDisabledFieldsOfTemplate(object.template) } : object),
  changes: (object, old) => !semanticDeepEqual(object.template, old.template),
  validate: ({ template }) => {
    const errors: FieldError[] = [];
    validatePodTemplate(errors, 'template', template ?? {});
    return errors;
  },
  warnings: ({ template }, old) => podTemplateWarnings('template', template, old?.template),
};
