import type { Aws } from '../../components/aws/aws.ts';
import { awsCloudProvider } from '../../components/aws-cloud-provider/provider.ts';
import { runCloudControllerManager } from '../../components/cloud-controller-manager/server.ts';
import { type CloudOptions, SimulatedCloud } from '../../components/cloud-controller-manager/simulated/cloud.ts';
import { simulatedProvider } from '../../components/cloud-controller-manager/simulated/provider.ts';
import { DEFAULT_KUBE_CONTROLLER_MANAGER_CONFIGURATION } from '../../components/kube-controller-manager/config.ts';
import type { CloudProvider } from '../api/cloud-provider.ts';
import type { Client } from '../client/client.ts';
import { installAccount } from '../client/install.ts';
import type { Actor } from '../sim/actor.ts';
import { awsClientOf } from './aws.ts';
import type { Cluster } from './cluster.ts';
import { type CloudConfig, nodesOf, type ResolvedNode } from './config.ts';
import { cloudControllerManagerFlags } from './flags.ts';
import { CLIENT_IP } from './service-network.ts';
import { KUBERNETES_ADMIN, serviceAccountUser } from './users.ts';

const NAME = 'cloud-controller-manager';

/** What the documentation of Kubernetes and those of clouds have it bound to. */
const RULES = [
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch', 'update'] },
  { apiGroups: [''], resources: ['nodes'], verbs: ['*'] },
  { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['services'], verbs: ['list', 'patch', 'update', 'watch'] },
  { apiGroups: [''], resources: ['services/status'], verbs: ['list', 'patch', 'update', 'watch'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'list', 'update', 'watch'] },
];

/**
 * A cloud, and the cloud-controller-manager that connects the cluster with it. Each node of the config is a machine there.
 * @example addCloud(cluster, { zones: ['zone-a', 'zone-b'] }).failures.set('EnsureLoadBalancer', 'quota exceeded');
 */
export function addCloud(cluster: Cluster, config: CloudConfig): SimulatedCloud {
  const actor = cluster.simulation.actor('cloud', () => {});
  actor.start();
  const cloud = new SimulatedCloud(actor, {
    latencyMs: config.latencyMs ?? 100,
    addressOf: addressesOf(config),
    isHealthy: healthOf(cluster),
  });
  cluster.serviceNetwork.balancers.add(cloud);
  for (const [index, node] of nodesOf(cluster.config.nodes).entries())
    cloud.instances.set(node.name, instanceOf(cluster, config, { node, index }));
  startManager(cluster, (process) => simulatedProvider(process, cloud));
  return cloud;
}

/** cloud-controller-manager for a cluster on AWS. */
export function addAwsCloud(cluster: Cluster, aws: Aws): void {
  startManager(cluster, (process) => awsCloudProvider(awsClientOf(aws, process)));
}

function startManager(cluster: Cluster, providerFor: (process: Actor) => CloudProvider): void {
  const flags = cloudControllerManagerFlags(cluster.config.flags ?? {});
  const manager = cluster.addProcess(NAME, serviceAccountUser(NAME), (process, client) => {
    runCloudControllerManager({
      actor: process,
      client,
      config: { cloud: providerFor(process), clusterCIDR: DEFAULT_KUBE_CONTROLLER_MANAGER_CONFIGURATION.clusterCIDR, ...flags },
    });
  });
  const install = async (_: Actor, client: Client): Promise<void> => {
    await installAccount(client, { account: NAME, role: `system:${NAME}`, rules: RULES });
    manager.start();
  };
  cluster.addProcess(`install ${NAME}`, KUBERNETES_ADMIN, install).start();
}

function instanceOf(
  { simulation }: Cluster,
  config: CloudConfig,
  { node, index }: { readonly node: ResolvedNode; readonly index: number },
) {
  const { zones = ['zone-a'], region = 'region-1', instanceType = 'm5.large' } = config;
  const zone = zones[index % zones.length] ?? '';
  const id = simulation.random.fork(`instance of ${node.name}`).hex(17);
  return {
    providerID: `bottle:///${zone}/i-${id}`,
    type: instanceType,
    zone,
    region,
    addresses: [
      { type: 'InternalIP', address: node.ip },
      { type: 'Hostname', address: node.name },
    ],
  };
}

/** Load balancers get addresses of 203.0.113.0/24 in turn, or host names. */
function addressesOf({ loadBalancers = 'ip' }: CloudConfig): CloudOptions['addressOf'] {
  let given = 0;
  return ({ name }) => {
    given++;
    const ip = `203.0.113.${((given - 1) % 254) + 1}`;
    return { ip, status: { ingress: [loadBalancers === 'hostname' ? { hostname: `${name}.lb.example.com` } : { ip }] } };
  };
}

/** What kube-proxy would answer at its port for health checks; the one for Services that keep to their node is that of their own. */
function healthOf({ config, serviceNetwork, simulation }: Cluster): CloudOptions['isHealthy'] {
  return (node, { nodePort, isLocal }) => {
    if (simulation.actors.get(`kube-proxy/${node}`)?.state !== 'running') return false;
    const ip = nodesOf(config.nodes).find(({ name }) => name === node)?.ip ?? '';
    return !isLocal || serviceNetwork.receiversBehind({ ip, port: nodePort, from: CLIENT_IP }).length > 0;
  };
}
