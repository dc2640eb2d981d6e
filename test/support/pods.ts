import { resources } from 'bottleship';
import { createTestCluster, type TestCluster } from 'bottleship/testing';
import type { Pod, PodSpec } from '../../src/api/kinds/core-v1.ts';

/** A cluster with one node of 2 cores and 4Gi, which has busybox and nginx. */
export async function oneNode(options: Parameters<typeof createTestCluster>[0] = {}): Promise<TestCluster> {
  return createTestCluster({ nodes: [{ name: 'n1', cpu: '2', memory: '4Gi', images: ['busybox:1.36', 'nginx:1.27'] }], ...options });
}

/** A pod of the namespace `default`. */
export const pod = (name: string, spec: PodSpec): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec,
});
/** A pod that runs a script once. */
export const shell = (name: string, script: string, more: Partial<PodSpec> = {}): Pod =>
  pod(name, { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.36', command: ['sh', '-c', script] }], ...more });

export async function statusOf(cluster: TestCluster, name: string): Promise<NonNullable<Pod['status']>> {
  return (await cluster.get(resources.pods, name))?.status ?? {};
}

export const running = ({ status }: Pod): boolean => status?.containerStatuses?.[0]?.state?.running !== undefined;
export const containerOf = async (cluster: TestCluster, name: string) => (await statusOf(cluster, name)).containerStatuses?.[0];
