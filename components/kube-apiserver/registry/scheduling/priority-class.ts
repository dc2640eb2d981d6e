import type { PriorityClass } from '../../../../src/api/kinds/scheduling-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, invalid } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { oneOf } from '../validation.ts';
import { setDefaultsPriorityClass } from './defaults.ts';

const HIGHEST_USER_PRIORITY = 1_000_000_000;
/** kubernetes pkg/apis/scheduling/v1 SystemPriorityClasses */
const SYSTEM: Readonly<Record<string, number>> = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 };

/** kubernetes pkg/registry/scheduling/priorityclass */
export const priorityClassRules: KindRules<PriorityClass> = {
  defaults: setDefaultsPriorityClass,
  generation: true,
  changes: () => false,
  validate: validatePriorityClass,
  validateUpdate: (priorityClass, old) => {
    const errors: FieldError[] = [];
    if (priorityClass.value !== old.value) errors.push(forbidden('value', 'may not be changed in an update.'));
    if (priorityClass.preemptionPolicy !== old.preemptionPolicy)
      errors.push(invalid('preemptionPolicy', priorityClass.preemptionPolicy, 'field is immutable'));
    return errors;
  },
};

/** kubernetes pkg/apis/scheduling/validation ValidatePriorityClass */
function validatePriorityClass({ metadata, value, preemptionPolicy, globalDefault }: PriorityClass): FieldError[] {
  const errors: FieldError[] = [];
  const name = metadata.name ?? '';
  if (name.startsWith('system-')) {
    const known = SYSTEM[name];
    const why =
      known === undefined
        ? `${name} is not a known system priority class`
        : known !== value
          ? `value of ${name} PriorityClass must be ${known}`
          : globalDefault
            ? `globalDefault of ${name} PriorityClass must be false`
            : undefined;
    if (why)
      errors.push(forbidden('metadata.name', `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`));
  } else if (value > HIGHEST_USER_PRIORITY)
    errors.push(forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`));
  oneOf(errors, { path: 'preemptionPolicy', value: preemptionPolicy }, ['PreemptLowerPriority', 'Never']);
  return errors;
}
