import type { HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import { parseFieldSelector } from '../../src/api/field-selector.ts';
import type { Node, Pod } from '../../src/api/kinds/core-v1.ts';
import type { ObjectMeta } from '../../src/api/kinds/meta-v1.ts';
import { parseLabelSelector } from '../../src/api/label-selector.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { newQuantity, Quantity } from '../../src/api/quantity.ts';
import { ApiStatusError, newNotFound } from '../../src/api/status-error.ts';
import { formatDuration, formatTime } from '../../src/api/time.ts';
import type { Indexer } from '../../src/client/indexer.ts';
import type { Storage, Usage } from './storage.ts';
import { type Metrics, tableOf } from './table.ts';

const GROUP = 'metrics.k8s.io';
const GROUP_VERSION = `${GROUP}/v1beta1`;
const VERBS = ['get', 'list'];
const RESOURCES = [
  { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: VERBS },
  { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: VERBS },
];

interface Known {
  readonly nodes: Indexer<Node>;
  readonly pods: Indexer<Pod>;
  readonly storage: Storage;
  readonly wallTime: () => number;
}

/** The group metrics.k8s.io, as an extension API server serves it: metrics-server pkg/api. Who asks has been authorized by kube-apiserver. */
export class MetricsApi {
  readonly #known: Known;

  constructor(known: Known) {
    this.#known = known;
  }

  handle({ path, headers }: HttpCall): HttpAnswer {
    const { pathname, searchParams } = new URL(path, 'https://metrics-server');
    try {
      const found = this.#serve(pathname.split('/').filter(Boolean), searchParams);
      return json(200, headers['accept']?.includes('as=Table') ? asTable(found) : found);
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
      return json(error.code, error.status);
    }
  }

  #serve([root, group, version, ...rest]: readonly string[], query: URLSearchParams): object {
    if (root !== 'apis' || (group !== undefined && group !== GROUP) || (version !== undefined && version !== 'v1beta1'))
      throw unknownPath();
    const versions = [{ groupVersion: GROUP_VERSION, version: 'v1beta1' }];
    const described = { name: GROUP, versions, preferredVersion: versions[0] };
    if (!group) return { kind: 'APIGroupList', apiVersion: 'v1', groups: [described] };
    if (!version) return { kind: 'APIGroup', apiVersion: 'v1', ...described };
    if (rest.length === 0) return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: GROUP_VERSION, resources: RESOURCES };
    const [namespace = '', resource, name] = rest[0] === 'namespaces' ? rest.slice(1) : ['', ...rest];
    if (resource === 'nodes' && !namespace) return name ? this.#node(name) : listOf('NodeMetrics', this.#nodes(query));
    if (resource === 'pods') return name ? this.#pod(namespace, name) : listOf('PodMetrics', this.#pods(namespace, query));
    throw unknownPath();
  }

  /** pkg/api/node.go Get */
  #node(name: string): object {
    const node = this.#known.nodes.get(name);
    if (!node) throw newNotFound({ group: '', resource: 'nodes' }, name);
    const metrics = this.#ofNode(node);
    if (!metrics) throw newNotFound({ group: GROUP, resource: 'nodemetrics' }, name);
    return { kind: 'NodeMetrics', apiVersion: GROUP_VERSION, ...metrics };
  }

  #nodes(query: URLSearchParams): object[] {
    return select(this.#known.nodes.list(), query).flatMap((node) => this.#ofNode(node) ?? []);
  }

  /** pkg/api/node.go getMetrics */
  #ofNode({ metadata }: Node): object | undefined {
    const usage = this.#known.storage.nodeUsage(metadata.name ?? '');
    return usage && { metadata: this.#metaOf(metadata), ...timeOf(usage), usage: listed(usage) };
  }

  /** pkg/api/pod.go Get */
  #pod(namespace: string, name: string): object {
    const pod = this.#known.pods.get(`${namespace}/${name}`);
    if (!pod) throw newNotFound({ group: '', resource: 'pods' }, name);
    const metrics = this.#ofPod(pod);
    if (!metrics) throw newNotFound({ group: GROUP, resource: 'podmetrics' }, `${namespace}/${name}`);
    return { kind: 'PodMetrics', apiVersion: GROUP_VERSION, ...metrics };
  }

  #pods(namespace: string, query: URLSearchParams): object[] {
    const { pods } = this.#known;
    return select(namespace ? pods.listNamespace(namespace) : pods.list(), query).flatMap((pod) => this.#ofPod(pod) ?? []);
  }

  /** pkg/api/pod.go getMetrics, pkg/storage/pod.go GetMetrics */
  #ofPod({ metadata }: Pod): object | undefined {
    const usages = this.#known.storage.podUsage(metadata.namespace ?? '', metadata.name ?? '');
    const [first, ...others] = usages?.values() ?? [];
    if (!usages || !first) return undefined;
    const earliest = others.reduce((least, usage) => (usage.timestamp < least.timestamp ? usage : least), first);
    const containers = [...usages].map(([name, usage]) => ({ name, usage: listed(usage) }));
    return { metadata: this.#metaOf(metadata), ...timeOf(earliest), containers };
  }

  #metaOf({ name, namespace, labels }: ObjectMeta): ObjectMeta {
    const creationTimestamp = formatTime(this.#known.wallTime());
    return { name, ...(namespace ? { namespace } : {}), creationTimestamp, ...(labels ? { labels } : {}) } as ObjectMeta;
  }
}

/** By the selectors of a request, in order of namespace and name. */
function select<T extends KubernetesObject>(all: readonly T[], query: URLSearchParams): T[] {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  const fieldOf = ({ metadata }: T, field: string): string =>
    field === 'metadata.name' ? (metadata.name ?? '') : field === 'metadata.namespace' ? (metadata.namespace ?? '') : '';
  return all
    .filter((object) => labels.matches(object.metadata.labels) && fields.matches((field) => fieldOf(object, field)))
    .sort(
      (a, b) => compare(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || compare(a.metadata.name ?? '', b.metadata.name ?? ''),
    );
}

function listOf(kind: string, items: readonly object[]): object {
  return { kind: `${kind}List`, apiVersion: GROUP_VERSION, metadata: {}, items };
}

/** A list or one object of metrics; everything else is answered as it is. */
function asTable(found: object): object {
  const { kind = '', items } = found as { readonly kind?: string; readonly items?: readonly Metrics[] };
  if (!/^(Node|Pod)Metrics(List)?$/.test(kind)) return found;
  return tableOf(items ?? [found as Metrics]);
}

function timeOf({ timestamp, windowMs }: Usage): object {
  return { timestamp: formatTime(timestamp), window: formatDuration(windowMs) };
}

function listed({ cpuNano, memoryBytes }: Usage): object {
  return { cpu: new Quantity(BigInt(cpuNano)).toString(), memory: newQuantity(memoryBytes, 'BinarySI').toString() };
}

function json(status: number, body: object): HttpAnswer {
  return { status, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

function unknownPath(): ApiStatusError {
  return new ApiStatusError({ message: 'the server could not find the requested resource', reason: 'NotFound', code: 404 });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
