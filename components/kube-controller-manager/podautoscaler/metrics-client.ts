import type { CrossVersionObjectReference } from '../../../src/api/kinds/autoscaling-v2.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import type { RequestInfo } from '../../../src/api/request.ts';
import { groupResource } from '../../../src/api/resource.ts';
import { parseDuration, parseTime } from '../../../src/api/time.ts';
import type { Client } from '../../../src/client/client.ts';
import { responseError } from '../../../src/client/response-error.ts';
import { messageOf, SyncError } from '../controller/sync-error.ts';

/** What one pod uses: pkg/controller/podautoscaler/metrics PodMetric. Values are in thousandths. */
export interface PodMetric {
  readonly timestamp: number;
  readonly windowMs: number;
  readonly value: number;
}

/** By names of pods. */
export type PodMetrics = Map<string, PodMetric>;

/** metrics.k8s.io/v1beta1 PodMetrics */
interface PodMetricsItem extends KubernetesObject {
  readonly timestamp?: string;
  readonly window?: string;
  readonly containers?: readonly { readonly name: string; readonly usage?: Readonly<Record<string, string>> }[];
}

/** custom.metrics.k8s.io/v1beta2 MetricValue and external.metrics.k8s.io/v1beta1 ExternalMetricValue */
interface MetricValue {
  readonly describedObject?: { readonly name?: string };
  readonly timestamp?: string;
  readonly windowSeconds?: number;
  readonly value: string;
}

interface MetricQuery {
  readonly namespace: string;
  /** The text of a label selector. */
  readonly selector: string;
}

/** A custom metric's window when it does not say: metricServerDefaultMetricWindow */
const DEFAULT_WINDOW_MS = 60_000;

/** Reads the three metrics APIs, which other programs serve through kube-apiserver. pkg/controller/podautoscaler/metrics/client.go restMetricsClient */
export class MetricsClient {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** @param container only this one of each pod */
  async getResourceMetric(resource: string, { namespace, selector }: MetricQuery, container = ''): Promise<PodMetrics> {
    const query = selector ? { labelSelector: selector } : {};
    const at = { group: 'metrics.k8s.io', version: 'v1beta1', resource: 'pods', namespace, name: '', verb: 'list' };
    const items = await this.#read<PodMetricsItem>(at, query, 'unable to fetch metrics from resource metrics API');
    if (items.length === 0) throw new SyncError('no metrics returned from resource metrics API');
    const metrics: PodMetrics = new Map();
    for (const item of items) {
      const value = container ? valueOfContainer(item, resource, container) : valueOfPod(item, resource);
      if (value !== undefined) metrics.set(item.metadata.name ?? '', { ...timeOf(item), value });
    }
    return metrics;
  }

  async getRawMetric(metric: string, { namespace, selector }: MetricQuery, metricSelector: string): Promise<PodMetrics> {
    const query = { ...(selector ? { labelSelector: selector } : {}), ...(metricSelector ? { metricLabelSelector: metricSelector } : {}) };
    const at = { ...CUSTOM, resource: 'pods', namespace, name: '*', subresource: metric };
    const items = await this.#read<MetricValue>(at, query, 'unable to fetch metrics from custom metrics API');
    if (items.length === 0) throw new SyncError('no metrics returned from custom metrics API');
    return new Map(items.map((item) => [item.describedObject?.name ?? '', podMetricOf(item)]));
  }

  async getObjectMetric(
    metric: string,
    { reference, namespace }: { reference: CrossVersionObjectReference; namespace: string },
    metricSelector: string,
  ): Promise<number> {
    const query: Record<string, string> = metricSelector ? { metricLabelSelector: metricSelector } : {};
    const place =
      reference.kind === 'Namespace'
        ? { resource: 'metrics', namespace, name: metric }
        : { resource: resourceOf(reference), namespace, name: reference.name, subresource: metric };
    const items = await this.#read<MetricValue>({ ...CUSTOM, ...place }, query, 'unable to fetch metrics from custom metrics API');
    return parseQuantity(items[0]?.value).milliValue();
  }

  async getExternalMetric(metric: string, { namespace, selector }: MetricQuery): Promise<number[]> {
    const at = { group: 'external.metrics.k8s.io', version: 'v1beta1', resource: metric, namespace, name: '', verb: 'list' };
    const query = selector ? { labelSelector: selector } : {};
    const items = await this.#read<MetricValue>(at, query, 'unable to fetch metrics from external metrics API');
    if (items.length === 0) throw new SyncError('no metrics returned from external metrics API');
    return items.map(({ value }) => parseQuantity(value).milliValue());
  }

  async #read<T>(
    at: Pick<RequestInfo, 'group' | 'version' | 'resource' | 'namespace' | 'name' | 'verb'> & { subresource?: string },
    query: Record<string, string>,
    what: string,
  ): Promise<readonly T[]> {
    const info: RequestInfo = { isResourceRequest: true, path: '', subresource: '', ...at };
    try {
      const response = await this.#client.send({ info, query, headers: {} });
      // The client of custom metrics looks for the group first.
      if (response.code === 404 && typeof response.body !== 'object' && at.group === CUSTOM.group)
        throw new SyncError(`no custom metrics API (${at.group}) registered`);
      if (response.code >= 400) throw responseError(response, info);
      return (response.body as { items?: readonly T[] }).items ?? [];
    } catch (error) {
      throw new SyncError(`${what}: ${messageOf(error)}`, { cause: error });
    }
  }
}

const CUSTOM = { group: 'custom.metrics.k8s.io', version: 'v1beta2', verb: 'get' };

/** `deployments.apps`; the resource of a kind is its plural. */
function resourceOf({ apiVersion = '', kind }: CrossVersionObjectReference): string {
  const lower = kind.toLowerCase();
  const plural = /(s|x|ch)$/.test(lower) ? `${lower}es` : /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
  return groupResource({ group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '', resource: plural });
}

/** All containers together; undefined when one of them is not measured. metrics/client.go getPodMetrics */
function valueOfPod({ containers = [] }: PodMetricsItem, resource: string): number | undefined {
  let total = 0;
  for (const { usage } of containers) {
    if (usage?.[resource] === undefined) return undefined;
    total += parseQuantity(usage[resource]).milliValue();
  }
  return containers.length > 0 ? total : undefined;
}

/** metrics/client.go getContainerMetrics */
function valueOfContainer({ containers = [], metadata }: PodMetricsItem, resource: string, name: string): number | undefined {
  const container = containers.find((candidate) => candidate.name === name);
  if (!container) throw new SyncError(`container ${name} not present in metrics for pod ${metadata.namespace}/${metadata.name}`);
  const amount = container.usage?.[resource];
  return amount === undefined ? undefined : parseQuantity(amount).milliValue();
}

function timeOf({ timestamp, window }: PodMetricsItem): { timestamp: number; windowMs: number } {
  return { timestamp: parseTime(timestamp) ?? 0, windowMs: parseDuration(window ?? '') ?? 0 };
}

function podMetricOf({ timestamp, windowSeconds, value }: MetricValue): PodMetric {
  const windowMs = windowSeconds === undefined ? DEFAULT_WINDOW_MS : windowSeconds * 1000;
  return { timestamp: parseTime(timestamp) ?? 0, windowMs, value: parseQuantity(value).milliValue() };
}
