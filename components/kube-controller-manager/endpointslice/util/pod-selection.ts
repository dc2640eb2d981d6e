import type { Pod, Service } from '../../../../src/api/kinds/core-v1.ts';
import type { Indexer } from '../../../../src/client/indexer.ts';
import type { SharedInformer } from '../../../../src/client/informer.ts';
import { firstPair, labelPair, podsByLabel, podsWithLabels, selectorMatches } from './pod-label-index.ts';

const SELECTOR_INDEX = 'spec.selector';

/**
 * Which pods a Service selects and which Services select a pod, by indexes: neither question costs more when the cluster grows.
 * endpointslice util/controller_utils.go GetServicesToUpdate's lookups
 */
export class PodSelection {
  readonly #pods: Indexer<Pod>;
  readonly #services: Indexer<Service>;

  constructor(pods: SharedInformer<Pod>, services: SharedInformer<Service>) {
    pods.addIndexers(podsByLabel);
    services.addIndexers({ [SELECTOR_INDEX]: selectorPair });
    this.#pods = pods.store;
    this.#services = services.store;
  }

  podsOf({ metadata, spec }: Service): readonly Pod[] {
    return podsWithLabels(this.#pods, metadata.namespace, spec?.selector ?? {});
  }

  /** Services in the pod's namespace that would select a pod with these labels. */
  servicesFor(namespace: string, labels: Readonly<Record<string, string>> | undefined): Service[] {
    const found = [...this.#services.byIndex(SELECTOR_INDEX, `${namespace}/`)];
    for (const key in labels) {
      for (const service of this.#services.byIndex(SELECTOR_INDEX, labelPair(namespace, key, labels[key] ?? ''))) {
        if (selectorMatches(service.spec?.selector ?? {}, labels)) found.push(service);
      }
    }
    return found;
  }
}

/** Services without a selector are in nobody's way; those with an empty one select every pod of the namespace. */
function selectorPair({ metadata: { namespace }, spec }: Service): string[] {
  if (!spec?.selector) return [];
  return [firstPair(namespace, spec.selector) ?? `${namespace}/`];
}
