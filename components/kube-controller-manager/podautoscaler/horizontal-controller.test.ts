// Goal: what an autoscaler says when something is in its way. Method: a cluster without nodes, whose pods nobody measures, and requests that fail when the test says so.
import { beforeEach, describe, expect, it } from 'vitest';
import { deployments, horizontalpodautoscalers } from '../../../src/api/resources.ts';
import { createTestCluster, type TestCluster } from '../../../src/testing/test-cluster.ts';

const SYNC_PERIOD_MS = 15_000;
const hpa = (minReplicas: number, maxReplicas: number) => ({
  metadata: { name: 'web' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas, maxReplicas },
});
let cluster: TestCluster;

beforeEach(async () => {
  cluster = await createTestCluster({ nodes: 0 });
  await cluster.kubectl(['create', 'deployment', 'web', '--image=nginx', '--replicas=2']);
});

describe('an autoscaler', () => {
  it('scales, and says that its status could not be written; the next look writes it', async () => {
    await cluster.create(horizontalpodautoscalers, hpa(3, 5));
    cluster.failNext('kube-controller-manager', { verb: 'update', resource: horizontalpodautoscalers, subresource: 'status', status: 409 });
    await cluster.advance(SYNC_PERIOD_MS + 1_000);
    expect((await cluster.get(deployments, 'web'))?.spec?.replicas).toBe(3);
    await cluster.expectEvents(horizontalpodautoscalers, 'web', [
      'Normal SuccessfulRescale: New size: 3; reason: Current number of replicas below Spec.MinReplicas',
      'Warning FailedUpdateStatus: Operation cannot be fulfilled on horizontalpodautoscalers.autoscaling "web": the object has been modified; please apply your changes to the latest version and try again',
    ]);
    expect((await cluster.get(horizontalpodautoscalers, 'web'))?.status?.conditions).toBeUndefined();
    await cluster.advance(SYNC_PERIOD_MS);
    expect((await cluster.get(horizontalpodautoscalers, 'web'))?.status?.currentReplicas).toBe(3);
  });

  it('says why no metric can be used, also when its status could not be written', async () => {
    await cluster.create(horizontalpodautoscalers, hpa(1, 5));
    cluster.failNext('kube-controller-manager', { verb: 'update', resource: horizontalpodautoscalers, subresource: 'status', status: 500 });
    await cluster.advance(SYNC_PERIOD_MS + 1_000);
    await cluster.expectEvents(horizontalpodautoscalers, 'web', [
      'Warning FailedGetResourceMetric: failed to get cpu utilization: *',
      'Warning FailedUpdateStatus: Internal error occurred: injected by the test',
      'Warning FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: *',
    ]);
  });
});
