/** What is known of a container or a node at one moment: metrics-server pkg/storage.MetricsPoint */
export interface MetricsPoint {
  /** Milliseconds since 1970. */
  readonly startTime: number;
  readonly timestamp: number;
  /** In seconds of a CPU. */
  readonly cumulativeCpuUsed: number;
  readonly memoryUsage: number;
}

export interface PodMetricsPoint {
  readonly namespace: string;
  readonly name: string;
  readonly containers: Map<string, MetricsPoint>;
}

/** What one scrape of one kubelet brought. */
export interface MetricsBatch {
  readonly node: MetricsPoint | undefined;
  /** By namespace/name. */
  readonly pods: Map<string, PodMetricsPoint>;
}

type Draft = { -readonly [Key in keyof MetricsPoint]?: MetricsPoint[Key] };

const SAMPLE = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)(?: (\d+))?$/;

/** Reads the page `/metrics/resource` of a kubelet. A container of which one of cpu and memory is missing makes its whole pod be left out. pkg/scraper/client/resource decodeBatch */
export function decodeBatch(page: string): MetricsBatch {
  const node: Draft = {};
  const drafts = new Map<string, Map<string, Draft>>();
  for (const line of page.split('\n')) {
    const [, name, labels = '', value, time] = SAMPLE.exec(line) ?? [];
    if (!name) continue;
    const draft = name.startsWith('node_') ? node : name.startsWith('container_') ? draftOf(drafts, labels) : undefined;
    if (draft) note(draft, name, { value: Number(value), time: Number(time) });
  }
  const pods = new Map<string, PodMetricsPoint>();
  for (const [key, containers] of drafts) {
    const points = new Map<string, MetricsPoint>();
    for (const [name, draft] of containers) if (isWhole(draft)) points.set(name, draft);
    if (points.size < containers.size) continue;
    const [namespace = '', name = ''] = key.split('/');
    pods.set(key, { namespace, name, containers: points });
  }
  const whole = { startTime: 0, ...node };
  return { node: isWhole(whole) ? whole : undefined, pods };
}

function draftOf(pods: Map<string, Map<string, Draft>>, labels: string): Draft {
  const [, container = ''] = /container="([^"]*)"/.exec(labels) ?? [];
  const [, namespace = ''] = /namespace="([^"]*)"/.exec(labels) ?? [];
  const [, pod = ''] = /pod="([^"]*)"/.exec(labels) ?? [];
  const key = `${namespace}/${pod}`;
  const containers = pods.get(key) ?? new Map<string, Draft>();
  pods.set(key, containers);
  const draft = containers.get(container) ?? {};
  containers.set(container, draft);
  return draft;
}

function note(draft: Draft, name: string, { value, time }: { readonly value: number; readonly time: number }): void {
  if (name.endsWith('_start_time_seconds')) draft.startTime = Math.round(value * 1000);
  else if (name.endsWith('_memory_working_set_bytes')) draft.memoryUsage = value;
  else if (name.endsWith('_cpu_usage_seconds_total')) {
    draft.cumulativeCpuUsed = value;
    draft.timestamp = time;
  }
}

function isWhole(draft: Draft): draft is MetricsPoint {
  return Boolean(draft.timestamp && draft.memoryUsage) && draft.cumulativeCpuUsed !== undefined && draft.startTime !== undefined;
}
