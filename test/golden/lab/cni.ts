import type { CniRun } from '../../../src/api/cni.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { LabSystem } from './system.ts';

/** The node whose plugins are looked at. */
const NODE = 'n1';
const runs = new WeakMap<Cluster, CniRun[]>();

function runtimeOf(cluster: Cluster) {
  const runtime = cluster.serviceNetwork.runtimeOf(NODE);
  if (!runtime) throw new Error(`there is no node ${NODE}`);
  return runtime;
}

/** A run of a plugin as the recorder's wrapper around it wrote it down. */
function describe({ environment, stdin, stdout, error }: CniRun): unknown {
  const { command, ifname, args, path, netns } = environment;
  return {
    command,
    ifname,
    args: args.split(';').sort(),
    path: path ? 'set' : 'unset',
    netns: netns ? 'set' : 'unset',
    rc: error ? 1 : 0,
    stdin,
    stdout: error ? { cniVersion: stdin.cniVersion, code: error.code, msg: error.message } : (stdout ?? ''),
  };
}

export const CNI_LAB: LabSystem = {
  clusterFor: ({ needs = '' }) =>
    needs.includes('/lab/cni') ? { nodes: [NODE, 'n2'].map((name, index) => ({ name, images: ['nginx:1.26', 'nginx:1.27', 'nginx:1.28', 'busybox:1.36'], podCIDR: `10.245.${index + 1}.0/24` })) } : {},
  prepare: (cluster) => {
    const list: CniRun[] = [];
    runs.set(cluster, list);
    cluster.serviceNetwork.runtimeOf(NODE)?.cni.listen((run) => list.push(run));
  },
  routes: {
    '/lab/cni/calls': ({ cluster, query }) => {
      const namespace = query.get('namespace') ?? '';
      const own = (runs.get(cluster) ?? []).filter(({ stdin, environment }) => stdin.type === 'bridge' && environment.args.split(';').includes(`K8S_POD_NAMESPACE=${namespace}`));
      return own.map(describe);
    },
    '/lab/cni/conf': ({ cluster, body }) => {
      const { range, remove } = body as { range?: { subnet: string }; remove?: boolean };
      if (remove) runtimeOf(cluster).removeNetworkConfiguration();
      else runtimeOf(cluster).configureNetwork(range);
    },
  },
};
