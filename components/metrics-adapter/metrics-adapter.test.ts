// Goal: autoscalers act on custom and external metrics. Method: a whole cluster with the adapter; values are written into a ConfigMap, or come from a load.
import { beforeAll, describe, expect, test } from 'vitest';
import type { HorizontalPodAutoscaler, MetricSpec } from '../../src/api/kinds/autoscaling-v2.ts';
import { deployments, horizontalpodautoscalers } from '../../src/api/resources.ts';
import { type Cluster, createCluster } from '../../src/cluster/cluster.ts';

const SECOND = 1_000;

const SETUP = `
apiVersion: v1
kind: ConfigMap
metadata: { name: values, labels: { metrics-adapter: values } }
data:
  custom: |
    packets_per_second{name="packets-*"} 1k
    requests_per_second{resource="ingresses.networking.k8s.io",name="main"} 2500m
  external: |
    queue_length{queue="orders"} 70
    queue_length{queue="mails"} 5
---
apiVersion: v1
kind: Service
metadata: { name: requests }
spec: { selector: { app: requests }, ports: [{ port: 80 }] }
`;

describe('an autoscaler', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    const flags = { 'kube-controller-manager': { 'horizontal-pod-autoscaler-sync-period': '5s' } };
    cluster = await createCluster({ nodes: 2, addons: { 'metrics-adapter': {} }, flags });
    await cluster.kubectl(['apply', '-f', 'setup.yaml'], { 'setup.yaml': SETUP });
  });

  async function scale(name: string, metric: MetricSpec): Promise<HorizontalPodAutoscaler & { replicas: number | undefined }> {
    const at = { namespace: 'default', name };
    await cluster.kubectl(['create', 'deployment', name, '--image=nginx']);
    await cluster.settle();
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
    await cluster.call((client) =>
      client.resource(horizontalpodautoscalers).create({ metadata: at, spec: { scaleTargetRef, maxReplicas: 4, metrics: [metric] } }),
    );
    await cluster.advance(30 * SECOND);
    return cluster.call(async (client) => {
      const { spec } = await client.resource(deployments).get(at);
      return { ...(await client.resource(horizontalpodautoscalers).get(at)), replicas: spec?.replicas };
    });
  }

  test('by a value of its pods', async () => {
    const target = { type: 'AverageValue', averageValue: '500' };
    const { status, replicas } = await scale('packets', { type: 'Pods', pods: { metric: { name: 'packets_per_second' }, target } });
    expect(replicas).toBe(4);
    expect(status?.currentMetrics?.[0]?.pods).toEqual({ metric: { name: 'packets_per_second' }, current: { averageValue: '1k' } });
  });

  test('by the requests that reach its pods', async () => {
    cluster.load({ service: 'requests', requestsPerSecond: 60 });
    const target = { type: 'AverageValue', averageValue: '20' };
    const { status, replicas } = await scale('requests', { type: 'Pods', pods: { metric: { name: 'http_requests_per_second' }, target } });
    expect(replicas).toBe(3);
    expect(status?.currentMetrics?.[0]?.pods?.current).toEqual({ averageValue: '20' });
  });

  test('by a value of an object', async () => {
    const describedObject = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'main' };
    const object = { describedObject, metric: { name: 'requests_per_second' }, target: { type: 'AverageValue', averageValue: '1' } };
    const { status, replicas } = await scale('ingress', { type: 'Object', object });
    expect(replicas).toBe(3);
    expect(status?.currentMetrics?.[0]?.object?.current).toEqual({ averageValue: '834m' });
  });

  test('by a value from outside', async () => {
    const metric = { name: 'queue_length', selector: { matchLabels: { queue: 'orders' } } };
    const { status, replicas } = await scale('queue', {
      type: 'External',
      external: { metric, target: { type: 'AverageValue', averageValue: '30' } },
    });
    expect(replicas).toBe(3);
    expect(status?.conditions?.[1]?.message).toBe(
      'the HPA was able to successfully calculate a replica count from external metric queue_length(&LabelSelector{MatchLabels:map[string]string{queue: orders,},MatchExpressions:[]LabelSelectorRequirement{},})',
    );
  });

  test('and says what is not there', async () => {
    const target = { type: 'AverageValue', averageValue: '1' };
    const { status, replicas } = await scale('nothing', { type: 'Pods', pods: { metric: { name: 'nothing' }, target } });
    expect(replicas).toBe(1);
    expect(status?.conditions?.[1]?.message).toBe(
      'the HPA was unable to compute the replica count: unable to get metric nothing: unable to fetch metrics from custom metrics API: the server could not find the metric nothing for pods',
    );
  });
});
