import type { Namespace } from '../../../../src/api/kinds/core-v1.ts';
import { nameIsDNSLabel } from '../../../../src/api/validation/object-meta.ts';
import type { KindRules } from '../kind-strategy.ts';
import { setDefaultsNamespace } from './defaults.ts';

const FINALIZER = 'kubernetes';

/** pkg/registry/core/namespace namespaceStrategy */
export const namespaceRules: KindRules<Namespace> = {
  validateName: nameIsDNSLabel,
  defaults: setDefaultsNamespace,
  hasStatus: true,
  prepareForCreate: (namespace) => {
    const finalizers = namespace.spec?.finalizers ?? [];
    return {
      ...namespace,
      spec: { ...namespace.spec, finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER] },
      status: { phase: 'Active' },
    };
  },
  /** Finalizers change through the subresource `finalize` only. */
  prepareForUpdate: (namespace, old) => ({
    ...namespace,
    spec: { ...namespace.spec, ...(old.spec?.finalizers ? { finalizers: old.spec.finalizers } : {}) },
  }),
};
