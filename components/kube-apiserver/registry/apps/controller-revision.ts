import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { ControllerRevision } from '../../../../src/api/kinds/apps-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { invalid, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative } from '../validation.ts';

/** kubernetes pkg/registry/apps/controllerrevision */
export const controllerRevisionRules: KindRules<ControllerRevision> = {
  validate: validateControllerRevision,
  validateUpdate: (revision, old) => {
    const errors = validateControllerRevision(revision);
    if (!semanticDeepEqual(revision.data, old.data)) errors.push(invalid('data', revision.data, 'field is immutable'));
    return errors;
  },
};

function validateControllerRevision({ data, revision }: ControllerRevision): FieldError[] {
  const errors: FieldError[] = [];
  if (data === undefined) errors.push(required('data', 'data is mandatory'));
  nonNegative(errors, 'revision', revision);
  return errors;
}
