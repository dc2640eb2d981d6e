import type { KubernetesObject } from '../../../src/api/object.ts';
import type { RequestContext } from '../request-context.ts';
import { isSteps, type Steps } from '../steps.ts';
import { Reinvocation } from './reinvocation.ts';

/** What an admission plugin gets to see. apiserver pkg/admission.Attributes */
export interface AdmissionAttributes<T extends KubernetesObject = KubernetesObject> {
  readonly context: RequestContext;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** '' when it is not known yet (generateName) and for each object of a deletecollection. */
  readonly name: string;
  /** Absent for DELETE. */
  readonly object?: T;
  /** Absent for CREATE. */
  readonly oldObject?: T;
  /** DeleteOptions; those of the query for other operations. */
  readonly options?: object;
  /** While plugins mutate. */
  readonly reinvocation?: Reinvocation;
}

/** One plugin of the chain. It refuses by throwing. */
export interface AdmissionPlugin {
  readonly name: string;
  /** The plural names of the resources it looks at; all if absent. */
  readonly resources?: readonly string[];
  /** Looks at CONNECT requests as well: exec, attach, portforward. */
  readonly connects?: boolean;
  /** May return a changed copy of the object. */
  mutate?(attributes: AdmissionAttributes): KubernetesObject | undefined | Steps<KubernetesObject | undefined>;
  validate?(attributes: AdmissionAttributes): undefined | Steps<void>;
}

/** The plugins in their order: all that mutate, later all that validate. apiserver pkg/admission.chainAdmissionHandler */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #byResource = new Map<
    string,
    { readonly mutating: readonly AdmissionPlugin[]; readonly validating: readonly AdmissionPlugin[] }
  >();

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  *mutate(attributes: AdmissionAttributes): Steps<KubernetesObject> {
    const { stages } = attributes.context;
    stages.enter('mutating-admission');
    const { mutating } = this.#pluginsFor(attributes);
    const reinvocation = new Reinvocation();
    let current: AdmissionAttributes = { ...attributes, reinvocation };
    for (;;) {
      for (const plugin of mutating) {
        const result = plugin.mutate?.(current);
        const changed = isSteps(result) ? yield* result : result;
        if (!changed || changed === current.object) continue;
        stages.changed();
        current = { ...current, object: changed };
      }
      if (!reinvocation.wanted || reinvocation.again) return current.object as KubernetesObject;
      reinvocation.again = true;
    }
  }

  *validate(attributes: AdmissionAttributes): Steps<void> {
    attributes.context.stages.enter('validating-admission');
    for (const plugin of this.#pluginsFor(attributes).validating) {
      const result = plugin.validate?.(attributes);
      if (isSteps(result)) yield* result;
    }
  }

  /** CONNECT: the object is the options of the request. */
  *connect(attributes: AdmissionAttributes): Steps<void> {
    const plugins = this.#plugins.filter(({ connects }) => connects);
    for (const plugin of plugins) {
      const result = plugin.mutate?.(attributes);
      if (isSteps(result)) yield* result;
    }
    for (const plugin of plugins) {
      const result = plugin.validate?.(attributes);
      if (isSteps(result)) yield* result;
    }
  }

  #pluginsFor({ context }: AdmissionAttributes): {
    readonly mutating: readonly AdmissionPlugin[];
    readonly validating: readonly AdmissionPlugin[];
  } {
    const { resource } = context.resource;
    let found = this.#byResource.get(resource);
    if (!found) {
      const mine = this.#plugins.filter((plugin) => plugin.resources?.includes(resource) ?? true);
      found = { mutating: mine.filter((plugin) => plugin.mutate), validating: mine.filter((plugin) => plugin.validate) };
      this.#byResource.set(resource, found);
    }
    return found;
  }
}
