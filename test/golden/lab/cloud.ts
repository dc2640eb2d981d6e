// The cloud of recordings: machines appear, fail and go as the case says.
import type { CloudCall, Instance } from '../../../components/cloud-controller-manager/simulated/cloud.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { CreateClusterOptions } from '../../../src/cluster/config.ts';
import type { LabRequest, LabSystem } from './system.ts';

const calls = new WeakMap<Cluster, CloudCall[]>();

const CLUSTER: CreateClusterOptions = {
  cloud: { latencyMs: 0, loadBalancers: 'hostname' },
  flags: {
    'cloud-controller-manager': { 'node-monitor-period': '1s', 'route-reconciliation-period': '1s', 'cluster-cidr': '10.246.0.0/16' },
  },
};

function cloudOf({ cluster }: LabRequest): NonNullable<Cluster['cloud']> {
  if (!cluster.cloud) throw new Error('this cluster has no cloud');
  return cluster.cloud;
}

/** The calls about an object since the last look; repetitions in a row count once. */
function takeCalls(request: LabRequest): unknown[] {
  const about = request.query.get('about') ?? '';
  const all = calls.get(request.cluster) ?? [];
  calls.set(
    request.cluster,
    all.filter((call) => call.about !== about),
  );
  const told = all.filter((call) => call.about === about).map(({ call, nodes }) => ({ about, call, with: nodes ? { nodes } : null }));
  return told.filter((call, index) => JSON.stringify(call) !== JSON.stringify(told[index - 1]));
}

export const CLOUD_LAB: LabSystem = {
  clusterFor: ({ needs }) => (needs?.includes('cloud controller manager') ? CLUSTER : {}),
  prepare: (cluster) => {
    const noted: CloudCall[] = [];
    calls.set(cluster, noted);
    cluster.cloud?.onCall((call) => calls.get(cluster)?.push(call));
  },
  routes: {
    '/lab/cloud/instances': (request) => {
      for (const [node, instance] of Object.entries(request.body as Record<string, Instance | null>)) {
        if (instance) cloudOf(request).instances.set(node, instance);
        else cloudOf(request).instances.delete(node);
      }
    },
    '/lab/cloud/fail': (request) => {
      const { failures } = cloudOf(request);
      failures.clear();
      for (const [method, text] of Object.entries(request.body as Record<string, string>)) failures.set(method, text);
    },
    '/lab/cloud/calls': takeCalls,
    '/lab/cloud/routes': (request) => {
      const routes = [...cloudOf(request).routes.values()];
      return routes.filter(({ targetNode }) => targetNode === request.query.get('node')).map(({ targetNode, destinationCIDR }) => ({ cidr: destinationCIDR, node: targetNode }));
    },
  },
};
