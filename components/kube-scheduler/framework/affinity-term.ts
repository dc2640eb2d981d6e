import type { Pod, PodAffinityTerm } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector, type Selector } from '../../../src/api/label-selector.ts';

const NO_LABELS: Readonly<Record<string, string>> = {};

/** A parsed term of inter-pod affinity: framework.AffinityTerm (pkg/scheduler/framework/types.go). */
export class AffinityTerm {
  readonly topologyKey: string;
  readonly weight: number;
  readonly #namespaces: ReadonlySet<string>;
  readonly #selector: Selector;
  readonly #namespaceSelector: Selector | undefined;

  constructor(pod: Pod, term: PodAffinityTerm, weight = 0) {
    this.topologyKey = term.topologyKey;
    this.weight = weight;
    this.#selector = labelSelectorAsSelector(term.labelSelector);
    const own = !term.namespaces?.length && !term.namespaceSelector;
    this.#namespaces = new Set(own ? [pod.metadata.namespace ?? ''] : term.namespaces);
    this.#namespaceSelector = term.namespaceSelector && labelSelectorAsSelector(term.namespaceSelector);
  }

  /** AffinityTerm.Matches: is `pod`, in a namespace that has `namespaceLabels`, one of those that the term speaks of? */
  matches(pod: Pod, namespaceLabels: (namespace: string) => Readonly<Record<string, string>> | undefined): boolean {
    const namespace = pod.metadata.namespace ?? '';
    if (!this.#namespaces.has(namespace)) {
      if (!this.#namespaceSelector?.matches(namespaceLabels(namespace) ?? NO_LABELS)) return false;
    }
    return this.#selector.matches(pod.metadata.labels ?? NO_LABELS);
  }
}
