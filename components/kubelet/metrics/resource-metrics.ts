import type { ContainerStats } from '../../../src/api/cri.ts';

/** What the machine itself uses: its kernel, containerd, the kubelet. */
const SYSTEM_CPU_MILLI = 40;
const SYSTEM_MEMORY_BYTES = 420 * 2 ** 20;
const NANOS_PER_SECOND = 1e9;
/** Numbers with more digits before the point are written with an exponent. */
const SHORT_DIGITS = 6;

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  /** Samples without a time of their own, as the time at which something began. */
  readonly untimed?: boolean;
  readonly samples: readonly Sample[];
}

/**
 * The page `/metrics/resource`, in the text format of Prometheus. pkg/kubelet/metrics/collectors resourceMetricsCollector
 * @param node.bootTime when the machine started, in milliseconds since 1970
 */
export function formatResourceMetrics(
  stats: readonly ContainerStats[],
  node: { readonly bootTime: number; readonly time: number },
): string {
  const containers = [...stats].sort(
    (a, b) => compare(a.namespace, b.namespace) || compare(a.pod, b.pod) || compare(a.container, b.container),
  );
  const families = [...ofContainers(containers), ...ofNode(stats, node), ...ofPods(sumByPod(containers)), SCRAPE_ERROR];
  return families
    .filter(({ samples }) => samples.length > 0)
    .map((family) => formatFamily(family, node.time))
    .join('');
}

const SCRAPE_ERROR: Family = {
  name: 'resource_scrape_error',
  help: '[STABLE] 1 if there was an error while getting container metrics, 0 otherwise',
  type: 'gauge',
  untimed: true,
  samples: [{ labels: {}, value: 0 }],
};

function ofContainers(containers: readonly ContainerStats[]): Family[] {
  const samples = (value: (one: ContainerStats) => number): Sample[] =>
    containers.map((one) => ({ labels: { container: one.container, namespace: one.namespace, pod: one.pod }, value: value(one) }));
  return [
    {
      name: 'container_cpu_usage_seconds_total',
      help: '[STABLE] Cumulative cpu time consumed by the container in core-seconds',
      type: 'counter',
      samples: samples(({ cpuNanos }) => cpuNanos / NANOS_PER_SECOND),
    },
    {
      name: 'container_memory_working_set_bytes',
      help: '[STABLE] Current working set of the container in bytes',
      type: 'gauge',
      samples: samples(({ memoryBytes }) => memoryBytes),
    },
    {
      name: 'container_start_time_seconds',
      help: '[STABLE] Start time of the container since unix epoch in seconds',
      type: 'gauge',
      untimed: true,
      samples: samples(({ startedAt }) => startedAt / 1000),
    },
  ];
}

function ofNode(stats: readonly ContainerStats[], { bootTime, time }: { readonly bootTime: number; readonly time: number }): Family[] {
  const cpu = sum(stats, ({ cpuNanos }) => cpuNanos) / NANOS_PER_SECOND + ((time - bootTime) * SYSTEM_CPU_MILLI) / 1e6;
  const memory = sum(stats, ({ memoryBytes }) => memoryBytes) + SYSTEM_MEMORY_BYTES;
  return [
    {
      name: 'node_cpu_usage_seconds_total',
      help: '[STABLE] Cumulative cpu time consumed by the node in core-seconds',
      type: 'counter',
      samples: [{ labels: {}, value: cpu }],
    },
    {
      name: 'node_memory_working_set_bytes',
      help: '[STABLE] Current working set of the node in bytes',
      type: 'gauge',
      samples: [{ labels: {}, value: memory }],
    },
  ];
}

function ofPods(pods: readonly PodSum[]): Family[] {
  const samples = (value: (one: PodSum) => number): Sample[] =>
    pods.map((one) => ({ labels: { namespace: one.namespace, pod: one.pod }, value: value(one) }));
  return [
    {
      name: 'pod_cpu_usage_seconds_total',
      help: '[STABLE] Cumulative cpu time consumed by the pod in core-seconds',
      type: 'counter',
      samples: samples(({ cpuNanos }) => cpuNanos / NANOS_PER_SECOND),
    },
    {
      name: 'pod_memory_working_set_bytes',
      help: '[STABLE] Current working set of the pod in bytes',
      type: 'gauge',
      samples: samples(({ memoryBytes }) => memoryBytes),
    },
  ];
}

interface PodSum {
  readonly namespace: string;
  readonly pod: string;
  readonly cpuNanos: number;
  readonly memoryBytes: number;
}

/** Of a list in order of pods. */
function sumByPod(containers: readonly ContainerStats[]): PodSum[] {
  const pods: PodSum[] = [];
  for (const { namespace, pod, cpuNanos, memoryBytes } of containers) {
    const last = pods.at(-1);
    if (last?.pod === pod && last.namespace === namespace)
      pods[pods.length - 1] = { namespace, pod, cpuNanos: last.cpuNanos + cpuNanos, memoryBytes: last.memoryBytes + memoryBytes };
    else pods.push({ namespace, pod, cpuNanos, memoryBytes });
  }
  return pods;
}

function formatFamily({ name, help, type, untimed, samples }: Family, time: number): string {
  const lines = samples.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text}"`);
    return `${name}${pairs.length ? `{${pairs.join(',')}}` : ''} ${formatFloat(value)}${untimed ? '' : ` ${time}`}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** Go's strconv.FormatFloat with format g and the fewest digits. @example formatFloat(12345678) // '1.2345678e+07' */
function formatFloat(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < SHORT_DIGITS) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function sum(stats: readonly ContainerStats[], of: (one: ContainerStats) => number): number {
  return stats.reduce((total, one) => total + of(one), 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
