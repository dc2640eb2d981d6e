import { installCniPlugins } from '../../components/cni-plugins/plugins.ts';
import type { ImageDefinition } from '../../components/containerd/image-definition.ts';
import { Containerd } from '../../components/containerd/server.ts';
import { runCoreDns } from '../../components/coredns/server.ts';
import { runKubeControllerManager } from '../../components/kube-controller-manager/server.ts';
import { runKubeProxy } from '../../components/kube-proxy/server.ts';
import { loadConfig, withTypeMeta } from '../../components/kube-scheduler/apis/config/load-config.ts';
import type { PluginFactory } from '../../components/kube-scheduler/framework/interface.ts';
import { runKubeScheduler } from '../../components/kube-scheduler/server.ts';
import { runKubelet } from '../../components/kubelet/server.ts';
import { runNvidiaDevicePlugin } from '../../components/nvidia-device-plugin/server.ts';
import type { NameResolver } from '../api/network.ts';
import type { UserInfo } from '../api/request.ts';
import type { Client } from '../client/client.ts';
import type { UserController } from '../client/controller-runtime.ts';
import { runUserController } from '../client/controller-runtime.ts';
import type { Actor } from '../sim/actor.ts';
import { addAddons } from './addons.ts';
import { addAws } from './aws.ts';
import { addAwsCloud, addCloud } from './cloud.ts';
import type { Cluster } from './cluster.ts';
import { componentImages } from './component-images.ts';
import { ALL_COMPONENTS, type ComponentName, nodesOf, type ResolvedNode, type SchedulerConfig } from './config.ts';
import { kubeControllerManagerFlags, kubeletFlags } from './flags.ts';
import { installCoreDnsAddon } from './kubeadm.ts';
import { answerHealth, KUBE_CONTROLLER_MANAGER_PORT, KUBE_SCHEDULER_PORT } from './localhost.ts';
import { Machine } from './machine.ts';
import { enforceNetworkPolicies } from './network-policies.ts';
import { imagesWithPrograms, type Programs } from './programs.ts';
import { KUBERNETES_ADMIN, serviceAccountUser } from './users.ts';

const authenticated = (username: string, ...groups: string[]): UserInfo => ({ username, groups: [...groups, 'system:authenticated'] });

/** What cannot be said in plain data. */
interface CodeOfUsers {
  readonly userControllers: readonly UserController[];
  readonly schedulerPlugins: Plugins;
  readonly programs: Programs;
}

/** Adds the components that the config names, each as a process of its own with its real user, and starts them. */
export function addComponents(cluster: Cluster, options: CodeOfUsers): void {
  const wanted = new Set<ComponentName>(cluster.config.components ?? ALL_COMPONENTS);
  if (wanted.has('kube-controller-manager')) {
    const config = { controllers: cluster.config.controllers ?? ['*'], ...kubeControllerManagerFlags(cluster.config.flags ?? {}) };
    const manager = cluster.addProcess('kube-controller-manager', authenticated('system:kube-controller-manager'), (actor, client) =>
      runKubeControllerManager({ actor, client, config }),
    );
    manager.start();
    cluster.localhost.listen(KUBE_CONTROLLER_MANAGER_PORT, manager, answerHealth);
  }
  const { schedulerConfig = {}, schedulers = [] } = cluster.config;
  const { schedulerPlugins: plugins } = options;
  if (wanted.has('kube-scheduler'))
    addScheduler(cluster, { name: 'kube-scheduler', user: authenticated('system:kube-scheduler'), config: schedulerConfig, plugins });
  for (const scheduler of schedulers) addScheduler(cluster, { ...scheduler, plugins });
  if (wanted.has('coredns')) addCoreDns(cluster);
  const images = [...componentImages(cluster), ...imagesWithPrograms(cluster.config.images ?? [], options.programs)];
  for (const node of nodesOf(cluster.config.nodes)) addNode(cluster, { wanted, images }, node);
  cluster.aws = addAws(cluster);
  addAddons(cluster);
  if (cluster.aws) addAwsCloud(cluster, cluster.aws);
  else if (cluster.config.cloud) cluster.cloud = addCloud(cluster, cluster.config.cloud);
  if (wanted.has('kube-network-policies')) enforceNetworkPolicies(cluster, serviceAccountUser('kube-network-policies'));
  for (const controller of options.userControllers) addUserController(cluster, controller);
}

type Plugins = Readonly<Record<string, PluginFactory>>;

/** Starts a kube-scheduler. Another than the first may do everything, as one that runs from a developer's kubeconfig. @throws ApiStatusError when its configuration is not valid */
export function addScheduler(
  cluster: Cluster,
  scheduler: SchedulerConfig & { readonly user?: UserInfo; readonly plugins?: Plugins },
): void {
  const { name, plugins = {}, user = authenticated(name, 'system:masters') } = scheduler;
  const config = loadConfig(withTypeMeta(scheduler.config), Object.keys(plugins));
  const process = cluster.addProcess(name, user, (actor, client) =>
    runKubeScheduler({ actor, client, config, plugins, outbound: cluster.outbound }),
  );
  process.start();
  // Others run in pods, or elsewhere.
  if (name === 'kube-scheduler') cluster.localhost.listen(KUBE_SCHEDULER_PORT, process, answerHealth);
}

/** CoreDNS starts when kubeadm has given it its account and role. */
function addCoreDns(cluster: Cluster): void {
  const { serviceNetwork } = cluster;
  const config = {
    listen: (resolver: NameResolver) => serviceNetwork.setResolver(resolver),
    upstream: (name: string) => serviceNetwork.balancers.resolve(name),
  };
  const coredns = cluster.addProcess('coredns', serviceAccountUser('coredns'), (actor, client) => runCoreDns({ actor, client, config }));
  const install = async (_: Actor, client: Client): Promise<void> => {
    await installCoreDnsAddon(client);
    coredns.start();
  };
  cluster.addProcess('kubeadm', KUBERNETES_ADMIN, install).start();
}

interface OnNodes {
  readonly wanted: ReadonlySet<ComponentName>;
  readonly images: readonly ImageDefinition[];
}

function addNode(cluster: Cluster, { wanted, images }: OnNodes, node: ResolvedNode): void {
  const place = cluster.serviceNetwork.addNode(node.name, { ip: node.ip, now: () => cluster.simulation.now });
  if (wanted.has('kubelet')) {
    const random = cluster.simulation.random.fork(`cni/${node.name}`);
    const cniPlugins = installCniPlugins({ random, hostPorts: place.hostPorts });
    const containerd = new Containerd(cluster.simulation, {
      registries: cluster.registries,
      nodeName: node.name,
      nodeIp: node.ip,
      ...(node.podCIDR ? { podCidr: node.podCIDR } : {}),
      maxPods: node.pods,
      cniPlugins,
      images,
      presentImages: node.images,
      network: cluster.serviceNetwork,
    });
    containerd.actor.start();
    place.containerd = containerd;
    const machine = new Machine({
      containerd,
      cniPlugins,
      gpus: node.gpus,
      random: cluster.simulation.random.fork(`gpus of ${node.name}`),
    });
    cluster.machines.set(node.name, machine);
    const user = authenticated(`system:node:${node.name}`, 'system:nodes');
    const serve = (kubelet: Parameters<typeof cluster.kubelets.serve>[1]): void => cluster.kubelets.serve(node.name, kubelet);
    const { sockets } = machine;
    const staticPods = machine.writeStaticPods(node.staticPods);
    const config = {
      ...node,
      nodeName: node.name,
      runtime: containerd,
      shutdown: machine,
      sockets,
      ...staticPods,
      serve,
      ...(cluster.config.cloud ? { cloudProvider: 'external' as const } : {}),
      ...kubeletFlags(cluster.config.flags ?? {}),
    };
    cluster.addProcess(`kubelet/${node.name}`, user, (actor, client) => runKubelet({ actor, client, config })).start();
    if (node.gpus > 0) addDevicePlugin(cluster, node.name, machine);
  }
  if (wanted.has('kube-proxy')) {
    const config = { nodeName: node.name, netfilter: place.netfilter };
    cluster
      .addProcess(`kube-proxy/${node.name}`, authenticated('system:kube-proxy'), (actor, client) => runKubeProxy({ actor, client, config }))
      .start();
  }
}

function addDevicePlugin({ simulation }: Cluster, node: string, { sockets, gpus }: Machine): void {
  simulation.actor(`nvidia-device-plugin/${node}`, (actor) => runNvidiaDevicePlugin({ actor, sockets, gpus })).start();
}

/** Starts a user's controller. It may do everything, as one that runs from a developer's kubeconfig. */
export function addUserController(cluster: Cluster, controller: UserController): void {
  const user = authenticated(
    `system:serviceaccount:default:${controller.name}`,
    'system:serviceaccounts',
    'system:serviceaccounts:default',
    'system:masters',
  );
  cluster.addProcess(`controller/${controller.name}`, user, (actor, client) => runUserController(controller, { actor, client })).start();
}
