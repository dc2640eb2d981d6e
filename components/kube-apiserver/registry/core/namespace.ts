import type { Namespace } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isQualifiedName } from '../../../../src/api/validation/content.ts';
import { invalid } from '../../../../src/api/validation/field.ts';
import { nameIsDNSLabel, validateFinalizerName } from '../../../../src/api/validation/object-meta.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';
import { setDefaultsNamespace } from './defaults.ts';

/** kubernetes pkg/registry/core/namespace namespaceStrategy */
export const namespaceRules: KindRules<Namespace> = {
  validateName: nameIsDNSLabel,
  defaults: setDefaultsNamespace,
  hasStatus: true,
  prepareForCreate: (namespace) => {
    const finalizers = namespace.spec?.finalizers ?? [];
    const spec = finalizers.includes('kubernetes') ? namespace.spec : { ...namespace.spec, finalizers: [...finalizers, 'kubernetes'] };
    const labels = { ...namespace.metadata.labels, 'kubernetes.io/metadata.name': namespace.metadata.name ?? '' };
    return { ...namespace, metadata: { ...namespace.metadata, labels }, spec: spec ?? {}, status: { phase: 'Active' } };
  },
  prepareForUpdate: (namespace, old) => {
    const { finalizers: _, ...spec } = namespace.spec ?? {};
    return { ...namespace, spec: old.spec?.finalizers ? { ...spec, finalizers: old.spec.finalizers } : spec };
  },
  validate: ({ spec }) => validateFinalizers(spec?.finalizers),
  validateUpdate: () => [],
  validateStatusUpdate: ({ metadata, status }) => {
    const phase = status?.phase ?? '';
    if (metadata.deletionTimestamp)
      return phase === 'Terminating'
        ? []
        : [invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
    return phase === 'Active' ? [] : [invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  },
  subresources: {
    finalize: {
      prepareForUpdate: (_context, namespace, old) => ({ ...old, metadata: namespace.metadata, spec: namespace.spec ?? {} }),
      validateUpdate: (_context, { spec }) => validateFinalizers(spec?.finalizers),
    },
  },
};

function validateFinalizers(finalizers: readonly string[] | undefined): FieldError[] {
  const errors: FieldError[] = [];
  for (const finalizer of finalizers ?? []) {
    report(errors, { path: 'spec.finalizers', value: finalizer }, isQualifiedName(finalizer));
    errors.push(...validateFinalizerName(finalizer, 'spec.finalizers'));
  }
  return errors;
}
