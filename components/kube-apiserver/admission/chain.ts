import type { KubernetesObject } from '../../../src/api/object.ts';
import type { RequestContext } from '../request-context.ts';
import { asSteps, type Steps } from '../steps.ts';

/** What an admission plugin gets to see. apiserver pkg/admission.Attributes */
export interface AdmissionAttributes {
  readonly context: RequestContext;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** '' when it is not known yet (generateName) and for each object of a deletecollection. */
  readonly name: string;
  /** Absent for DELETE. */
  readonly object?: KubernetesObject;
  /** Absent for CREATE. */
  readonly oldObject?: KubernetesObject;
}

/** One plugin of the chain. It refuses by throwing. */
export interface AdmissionPlugin {
  readonly name: string;
  /** May return a changed copy of the object. */
  mutate?(attributes: AdmissionAttributes): KubernetesObject | undefined | Steps<KubernetesObject | undefined>;
  validate?(attributes: AdmissionAttributes): void | Steps<void>;
}

/** The plugins in their order: all that mutate, later all that validate. apiserver pkg/admission.chainAdmissionHandler */
export class AdmissionChain {
  readonly #mutating: readonly AdmissionPlugin[];
  readonly #validating: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#mutating = plugins.filter((plugin) => plugin.mutate);
    this.#validating = plugins.filter((plugin) => plugin.validate);
  }

  *mutate(attributes: AdmissionAttributes): Steps<KubernetesObject> {
    let object = attributes.object;
    for (const plugin of this.#mutating) {
      const result = plugin.mutate?.(object === attributes.object ? attributes : { ...attributes, ...(object ? { object } : {}) });
      const changed = yield* asSteps(result);
      if (changed) object = changed;
    }
    return object as KubernetesObject;
  }

  *validate(attributes: AdmissionAttributes): Steps<void> {
    for (const plugin of this.#validating) {
      yield* asSteps(plugin.validate?.(attributes));
    }
  }
}
