import type { ConfigMap } from '../../src/api/kinds/core-v1.ts';
import { parseLabelSelector } from '../../src/api/label-selector.ts';
import { canonicalQuantity } from '../../src/api/quantity.ts';
import { formatTime } from '../../src/api/time.ts';
import type { Indexer } from '../../src/client/indexer.ts';
import { valuesIn, type WrittenValue } from './values.ts';

const GROUP_VERSION = 'external.metrics.k8s.io/v1beta1';

/** external.metrics.k8s.io/v1beta1: values of things that are no objects of the cluster, by name and labels. */
export class ExternalMetrics {
  readonly #configMaps: Indexer<ConfigMap>;
  readonly #wallTime: () => number;

  constructor(parts: { readonly configMaps: Indexer<ConfigMap>; readonly wallTime: () => number }) {
    this.#configMaps = parts.configMaps;
    this.#wallTime = parts.wallTime;
  }

  /** @param path what comes after the group */
  serve([, namespaces, namespace, metric]: readonly string[], query: URLSearchParams): object {
    if (namespaces === undefined) return this.#describe();
    const selector = parseLabelSelector(query.get('labelSelector') ?? '');
    const timestamp = formatTime(this.#wallTime());
    const items = this.#values()
      .filter((value) => value.namespace === namespace && value.metric === metric && selector.matches(value.labels))
      .map((value) => ({ metricName: value.metric, metricLabels: value.labels, timestamp, value: canonicalQuantity(value.value) }));
    return { kind: 'ExternalMetricValueList', apiVersion: GROUP_VERSION, metadata: {}, items };
  }

  #describe(): object {
    const names = [...new Set(this.#values().map(({ metric }) => metric))].sort();
    const resources = names.map((name) => ({ name, singularName: '', namespaced: true, kind: 'ExternalMetricValueList', verbs: ['get'] }));
    return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: GROUP_VERSION, resources };
  }

  #values(): WrittenValue[] {
    return this.#configMaps.list().flatMap((configMap) => valuesIn(configMap, 'external'));
  }
}
