import type { ConfigMap, Pod } from '../../src/api/kinds/core-v1.ts';
import { parseLabelSelector } from '../../src/api/label-selector.ts';
import { canonicalQuantity, newMilliQuantity } from '../../src/api/quantity.ts';
import { apiVersionOf, groupResource } from '../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../src/api/resources.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import { formatTime } from '../../src/api/time.ts';
import type { Indexer } from '../../src/client/indexer.ts';
import { valuesIn, type WrittenValue } from './values.ts';

const GROUP = 'custom.metrics.k8s.io';
/** Of pods, measured: requests that reach them as a load. */
const REQUESTS_PER_SECOND = 'http_requests_per_second';

interface Parts {
  readonly configMaps: Indexer<ConfigMap>;
  readonly pods: Indexer<Pod>;
  readonly wallTime: () => number;
  readonly requestsPerSecond: (podIp: string) => number;
}

/** What is asked for: a metric of one object, or (`*`) of all of a resource that the selector picks. */
interface Asked {
  readonly namespace: string;
  /** e.g. `pods`, `ingresses.networking.k8s.io` */
  readonly resource: string;
  readonly name: string;
  readonly metric: string;
  readonly selector: string;
}

/** custom.metrics.k8s.io: values of objects of the cluster. pkg/apiserver/endpoints/handlers of sigs.k8s.io/custom-metrics-apiserver */
export class CustomMetrics {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param path what comes after the group */
  serve([version = 'v1beta2', ...rest]: readonly string[], query: URLSearchParams): object {
    if (rest.length === 0) return this.#describe(version);
    const [namespace = '', resource = '', name = '', metric = ''] = rest[0] === 'namespaces' ? rest.slice(1) : ['', ...rest];
    const selector = query.get('labelSelector') ?? '';
    // `namespaces/NAME/metrics/METRIC` is about the namespace itself.
    const asked: Asked =
      resource === 'metrics' && metric === ''
        ? { namespace, resource: 'namespaces', name: namespace, metric: name, selector }
        : { namespace, resource, name, metric, selector };
    const found = this.#values(asked);
    if (found.length === 0) throw notFound(asked);
    const timestamp = formatTime(this.#parts.wallTime());
    const items = found.map((one) => ({ ...describe(asked, one.name), ...metricOf(version, asked.metric), timestamp, value: one.value }));
    return { kind: 'MetricValueList', apiVersion: `${GROUP}/${version}`, metadata: {}, items };
  }

  #values(asked: Asked): { readonly name: string; readonly value: string }[] {
    if (asked.resource !== 'pods') {
      const { value } = this.#written(asked, asked.name) ?? {};
      return value === undefined ? [] : [{ name: asked.name, value: canonicalQuantity(value) ?? value }];
    }
    const selector = parseLabelSelector(asked.selector);
    const wanted = this.#parts.pods
      .listNamespace(asked.namespace)
      .filter(({ metadata }) => (asked.name === '*' ? selector.matches(metadata.labels) : metadata.name === asked.name));
    return wanted.flatMap((pod) => {
      const value = this.#ofPod(asked, pod);
      return value === undefined ? [] : [{ name: pod.metadata.name ?? '', value }];
    });
  }

  /** What somebody wrote down goes before what is measured. */
  #ofPod(asked: Asked, { metadata, status }: Pod): string | undefined {
    const written = this.#written(asked, metadata.name ?? '');
    if (written) return canonicalQuantity(written.value);
    if (asked.metric !== REQUESTS_PER_SECOND || !status?.podIP || status.phase !== 'Running') return undefined;
    return newMilliQuantity(Math.round(this.#parts.requestsPerSecond(status.podIP) * 1000)).toString();
  }

  /** The value that fits the name; one for `*` or `web-*` fits many. */
  #written({ namespace, resource, metric }: Asked, name: string): WrittenValue | undefined {
    return this.#all().find((one) => {
      const { resource: of = 'pods', name: pattern = '*' } = one.labels;
      const fits = pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
      return one.namespace === namespace && one.metric === metric && of === resource && fits;
    });
  }

  #all(): WrittenValue[] {
    return this.#parts.configMaps.list().flatMap((configMap) => valuesIn(configMap, 'custom'));
  }

  #describe(version: string): object {
    const written = this.#all().map(({ metric, labels }) => `${labels['resource'] ?? 'pods'}/${metric}`);
    const names = [...new Set([`pods/${REQUESTS_PER_SECOND}`, ...written])].sort();
    const resources = names.map((name) => ({ name, singularName: '', namespaced: true, kind: 'MetricValueList', verbs: ['get'] }));
    return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${GROUP}/${version}`, resources };
  }
}

function describe({ namespace, resource }: Asked, name: string): object {
  const known = BUILT_IN_RESOURCES.find((candidate) => groupResource(candidate) === resource);
  const apiVersion = known ? (known.group ? apiVersionOf(known) : `/${known.version}`) : '';
  return { describedObject: { kind: known?.kind ?? resource, ...(namespace ? { namespace } : {}), name, apiVersion } };
}

/** The two versions differ in this only. */
function metricOf(version: string, name: string): object {
  return version === 'v1beta1' ? { metricName: name, selector: null } : { metric: { name, selector: null } };
}

/** pkg/provider/errors.go NewMetricNotFoundError, NewMetricNotFoundForError */
function notFound({ resource, name, metric }: Asked): ApiStatusError {
  const message = `the server could not find the metric ${metric} for ${resource}${name === '*' ? '' : ` ${name}`}`;
  return new ApiStatusError({ message, reason: 'NotFound', code: 404 });
}
