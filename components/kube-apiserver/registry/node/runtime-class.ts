import type { RuntimeClass } from '../../../../src/api/kinds/node-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label } from '../../../../src/api/validation/content.ts';
import { duplicate, invalid } from '../../../../src/api/validation/field.ts';
import { validateLabels } from '../../../../src/api/validation/object-meta.ts';
import { resourceRequirements } from '../core/resources-validation.ts';
import { validateTolerations } from '../core/scheduling-validation.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';

/** kubernetes pkg/registry/node/runtimeclass */
export const runtimeClassRules: KindRules<RuntimeClass> = {
  validate: ({ handler, overhead, scheduling }) => {
    const errors: FieldError[] = [];
    report(errors, { path: 'handler', value: handler ?? '' }, isDNS1123Label(handler ?? ''));
    if (overhead?.podFixed) resourceRequirements(errors, { limits: overhead.podFixed }, { path: 'overhead' });
    if (!scheduling) return errors;
    if (scheduling.nodeSelector) errors.push(...validateLabels(scheduling.nodeSelector, 'scheduling.nodeSelector'));
    validateTolerations(errors, 'scheduling.tolerations.tolerations', scheduling.tolerations);
    const seen = new Set<string>();
    for (const [index, toleration] of (scheduling.tolerations ?? []).entries()) {
      const { key = '', operator = '', value = '', effect = '', tolerationSeconds = null } = toleration;
      const shape = { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: tolerationSeconds };
      if (seen.has(JSON.stringify(shape))) errors.push(duplicate(`scheduling.tolerations[${index}]`, shape));
      seen.add(JSON.stringify(shape));
    }
    return errors;
  },
  validateUpdate: ({ handler }, old) => (handler === old.handler ? [] : [invalid('handler', handler, 'field is immutable')]),
};
