import type { MetricsBatch, MetricsPoint, PodMetricsPoint } from './decode.ts';

/** A container is measured from its start when it has run for so long, and was not there at the last scrape. */
const FRESH_CONTAINER_MIN_METRICS_RESOLUTION_MS = 10_000;

/** Of a time: what was used on average, or now. */
export interface Usage {
  /** In billionths of a CPU. */
  readonly cpuNano: number;
  readonly memoryBytes: number;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly windowMs: number;
}

/** The last two scrapes, between which usage is worked out. metrics-server pkg/storage */
export class Storage {
  readonly #metricResolutionMs: number;
  #nodes = new Pair<MetricsPoint>();
  #pods = new Pair<PodMetricsPoint>();

  constructor(metricResolutionMs: number) {
    this.#metricResolutionMs = metricResolutionMs;
  }

  /** pkg/storage/storage.go Ready */
  get ready(): boolean {
    return this.#nodes.previous.size > 0 || this.#pods.previous.size > 0;
  }

  /** Takes a scrape of all kubelets; by name of node. pkg/storage/node.go Store, pod.go Store */
  store(batches: ReadonlyMap<string, MetricsBatch>): void {
    const nodes = new Pair<MetricsPoint>();
    const pods = new Pair<PodMetricsPoint>();
    for (const [name, { node, pods: found }] of batches) {
      if (node) this.#storeNode(nodes, name, node);
      for (const [key, pod] of found) this.#storePod(pods, key, pod);
    }
    this.#nodes = nodes;
    this.#pods = pods;
  }

  #storeNode(nodes: Pair<MetricsPoint>, name: string, point: MetricsPoint): void {
    nodes.last.set(name, point);
    const last = this.#nodes.last.get(name);
    if (!last) return;
    if (point.timestamp > last.timestamp) nodes.previous.set(name, last);
    else {
      const previous = this.#nodes.previous.get(name);
      if (previous && previous.timestamp < point.timestamp) nodes.previous.set(name, previous);
    }
  }

  #storePod(pods: Pair<PodMetricsPoint>, key: string, pod: PodMetricsPoint): void {
    const previous = new Map<string, MetricsPoint>();
    for (const [name, point] of pod.containers) {
      const before = this.#before(key, name, point);
      if (before) previous.set(name, before);
    }
    pods.last.set(key, pod);
    if (previous.size > 0) pods.previous.set(key, { ...pod, containers: previous });
  }

  /** What a container's point is compared with. */
  #before(key: string, name: string, point: MetricsPoint): MetricsPoint | undefined {
    const age = point.timestamp - point.startTime;
    if (age > 0 && age < this.#metricResolutionMs && age >= FRESH_CONTAINER_MIN_METRICS_RESOLUTION_MS)
      return { ...point, timestamp: point.startTime, cumulativeCpuUsed: 0 };
    const last = this.#pods.last.get(key)?.containers.get(name);
    if (!last || point.startTime >= last.timestamp) return undefined;
    if (point.timestamp > last.timestamp) return last;
    const previous = this.#pods.previous.get(key)?.containers.get(name);
    return previous && previous.timestamp < point.timestamp ? previous : undefined;
  }

  nodeUsage(name: string): Usage | undefined {
    return usageBetween(this.#nodes.last.get(name), this.#nodes.previous.get(name));
  }

  /** By container; undefined unless all of them are measured. */
  podUsage(namespace: string, name: string): ReadonlyMap<string, Usage> | undefined {
    const key = `${namespace}/${name}`;
    const [last, previous] = [this.#pods.last.get(key), this.#pods.previous.get(key)];
    if (!last || !previous) return undefined;
    const usages = new Map<string, Usage>();
    for (const [container, point] of last.containers) {
      const usage = usageBetween(point, previous.containers.get(container));
      if (!usage) return undefined;
      usages.set(container, usage);
    }
    return usages;
  }
}

class Pair<T> {
  readonly last = new Map<string, T>();
  readonly previous = new Map<string, T>();
}

/** pkg/storage/types.go resourceUsage */
function usageBetween(last: MetricsPoint | undefined, previous: MetricsPoint | undefined): Usage | undefined {
  if (!last || !previous || last.cumulativeCpuUsed < previous.cumulativeCpuUsed) return undefined;
  const windowMs = last.timestamp - previous.timestamp;
  const cpuNano = Math.round(((last.cumulativeCpuUsed - previous.cumulativeCpuUsed) / (windowMs / 1000)) * 1e9);
  return { cpuNano, memoryBytes: last.memoryUsage, timestamp: last.timestamp, windowMs };
}
