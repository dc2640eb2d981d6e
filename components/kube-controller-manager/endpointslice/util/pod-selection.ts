import type { Pod, Service } from '../../../../src/api/kinds/core-v1.ts';
import type { Indexer } from '../../../../src/client/indexer.ts';
import type { SharedInformer } from '../../../../src/client/informer.ts';

const LABEL_INDEX = 'endpointslice.labelPair';
const SELECTOR_INDEX = 'endpointslice.selectorPair';

/** Whether every pair of the selector is among the labels. */
export function selectorMatches(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>> | undefined): boolean {
  for (const key in selector) if (labels?.[key] !== selector[key]) return false;
  return true;
}

/**
 * Which pods a Service selects and which Services select a pod, by indexes: neither question costs more when the cluster grows.
 * endpointslice util/controller_utils.go GetServicesToUpdate's lookups
 */
export class PodSelection {
  readonly #pods: Indexer<Pod>;
  readonly #services: Indexer<Service>;

  constructor(pods: SharedInformer<Pod>, services: SharedInformer<Service>) {
    this.#pods = pods.store;
    this.#services = services.store;
  }

  /** Adds the indexes; once for each process, before the caches start. */
  static addIndexers(pods: SharedInformer<Pod>, services: SharedInformer<Service>): void {
    pods.addIndexers({ [LABEL_INDEX]: labelPairs });
    services.addIndexers({ [SELECTOR_INDEX]: selectorPair });
  }

  podsOf(service: Service): readonly Pod[] {
    const selector = service.spec?.selector ?? {};
    const pair = firstPair(service.metadata.namespace, selector);
    const candidates =
      pair === undefined ? this.#pods.listNamespace(service.metadata.namespace ?? '') : this.#pods.byIndex(LABEL_INDEX, pair);
    return Object.keys(selector).length <= 1 ? candidates : candidates.filter((pod) => selectorMatches(selector, pod.metadata.labels));
  }

  /** Services in the pod's namespace that would select a pod with these labels. */
  servicesFor(namespace: string, labels: Readonly<Record<string, string>> | undefined): Service[] {
    const found = [...this.#services.byIndex(SELECTOR_INDEX, `${namespace}/`)];
    for (const key in labels) {
      for (const service of this.#services.byIndex(SELECTOR_INDEX, `${namespace}/${key}=${labels[key]}`)) {
        if (selectorMatches(service.spec?.selector ?? {}, labels)) found.push(service);
      }
    }
    return found;
  }
}

function labelPairs({ metadata: { namespace, labels } }: Pod): string[] {
  const pairs: string[] = [];
  for (const key in labels) pairs.push(`${namespace}/${key}=${labels[key]}`);
  return pairs;
}

/** Services without a selector are in nobody's way; those with an empty one select every pod of the namespace. */
function selectorPair({ metadata: { namespace }, spec }: Service): string[] {
  if (!spec?.selector) return [];
  return [firstPair(namespace, spec.selector) ?? `${namespace}/`];
}

function firstPair(namespace: string | undefined, selector: Readonly<Record<string, string>>): string | undefined {
  const key = Object.keys(selector).sort()[0];
  return key === undefined ? undefined : `${namespace}/${key}=${selector[key]}`;
}
