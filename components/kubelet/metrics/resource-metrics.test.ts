import { expect, test } from 'vitest';
import { formatResourceMetrics } from './resource-metrics.ts';

const container = (pod: string, name: string, cpuNanos: number) => ({
  ...{
    podUid: pod,
    namespace: 'default',
    pod,
    container: name,
    startedAt: 1_000,
    cpuNanos,
    memoryBytes: 12_345_678,
    rootfsBytes: 0,
    logBytes: 0,
    processes: 1,
  },
});

test('containers, pods and the node, as Prometheus reads them', () => {
  const page = formatResourceMetrics([container('web', 'side', 5e8), container('web', 'main', 1.5e9)], { bootTime: 0, time: 10_000 });
  const samples = page.split('\n').filter((line) => line && !line.startsWith('#'));
  expect(samples).toEqual([
    'container_cpu_usage_seconds_total{container="main",namespace="default",pod="web"} 1.5 10000',
    'container_cpu_usage_seconds_total{container="side",namespace="default",pod="web"} 0.5 10000',
    'container_memory_working_set_bytes{container="main",namespace="default",pod="web"} 1.2345678e+07 10000',
    'container_memory_working_set_bytes{container="side",namespace="default",pod="web"} 1.2345678e+07 10000',
    'container_start_time_seconds{container="main",namespace="default",pod="web"} 1',
    'container_start_time_seconds{container="side",namespace="default",pod="web"} 1',
    'node_cpu_usage_seconds_total 2.4 10000',
    'node_memory_working_set_bytes 4.65093276e+08 10000',
    'pod_cpu_usage_seconds_total{namespace="default",pod="web"} 2 10000',
    'pod_memory_working_set_bytes{namespace="default",pod="web"} 2.4691356e+07 10000',
    'resource_scrape_error 0',
  ]);
});
