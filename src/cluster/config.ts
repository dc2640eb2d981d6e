import type { ImageDefinition } from '../../components/containerd/image-definition.ts';
import type { KubeSchedulerConfiguration } from '../../components/kube-scheduler/apis/config/kube-scheduler-configuration.ts';
import type { PluginFactory } from '../../components/kube-scheduler/framework/interface.ts';
import type { KubeletConfiguration } from '../../components/kubelet/apis/config/kubelet-configuration.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Outbound } from '../api/outbound.ts';
import type { UserController } from '../client/controller-runtime.ts';
import type { Timing } from '../client/timing.ts';
import type { TraceLevel } from '../sim/trace.ts';
import type { Addons } from './addons.ts';
import type { ComponentFlags } from './flags.ts';
import type { Programs } from './programs.ts';

/** A node of the cluster. Quantities are written as in manifests. */
export interface NodeConfig {
  readonly name: string;
  /** Default `8`. */
  readonly cpu?: string;
  /** Default `16Gi`. */
  readonly memory?: string;
  /** Default 110. */
  readonly pods?: number;
  /** The range of its pods' addresses. Default: a /24 of its own, a /22 if more than 250 pods may run there. */
  readonly podCIDR?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** Its address on the machines' network. Default 192.168.100.11, .12, … in the order of the list. */
  readonly ip?: string;
  /** Images that are there before the first pull. */
  readonly images?: readonly string[];
  /** Manifests of static pods: a file for each lies in the kubelet's staticPodPath, /etc/kubernetes/manifests. */
  readonly staticPods?: readonly string[];
  /** What the configuration file of its kubelet says (kubelet.config.k8s.io/v1beta1). Default: nothing. */
  readonly kubeletConfiguration?: KubeletConfiguration;
  /** How many GPUs the machine has; with any, NVIDIA's device plugin runs there and offers them as `nvidia.com/gpu`. Default 0. */
  readonly gpus?: number;
}

/** The binaries that a cluster can run; `kubelet`, `kube-proxy`, `containerd` and `kube-network-policies` stand for one per node. */
export type ComponentName =
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubelet'
  | 'kube-proxy'
  | 'coredns'
  /** Starts with the first NetworkPolicy. Without it the network does not care about them, as with some network plugins. */
  | 'kube-network-policies';

export const ALL_COMPONENTS: readonly ComponentName[] = [
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'coredns',
  'kube-network-policies',
];

/** One more kube-scheduler. Its profiles say which pods it places. */
export interface SchedulerConfig {
  /** The name of the process and of the user that it logs in as. */
  readonly name: string;
  /** As of its `--config` file. Like in a real cluster it waits for the same lease as the first one, unless `leaderElection` says otherwise. */
  readonly config: KubeSchedulerConfiguration;
}

/** The cloud that a cluster runs on. */
export interface CloudConfig {
  /** Where its machines are; the nodes take turns. Default `['zone-a']`. */
  readonly zones?: readonly string[];
  /** Default `region-1`. */
  readonly region?: string;
  /** Default `m5.large`. */
  readonly instanceType?: string;
  /** How long it takes to answer. Default 100. */
  readonly latencyMs?: number;
  /** What load balancers are reached by. Default `ip`. */
  readonly loadBalancers?: 'ip' | 'hostname';
}

/** What a cluster is made of. All of it is plain data but `userControllers`, and all of it goes into a recording. */
export interface ClusterConfig {
  /** Default `1`. */
  readonly seed?: string;
  /** What the virtual clock shows at the start, in milliseconds since 1970. Default: the beginning of 2026. */
  readonly epoch?: number;
  /** How many nodes (n1, n2, …), or which. Default 3. */
  readonly nodes?: number | readonly NodeConfig[];
  /** Default: all. */
  readonly components?: readonly ComponentName[];
  /** `--controllers` of kube-controller-manager. Default `['*']`. */
  readonly controllers?: readonly string[];
  /** Flags of the components, by their names on the command line: `{ 'kube-controller-manager': { 'horizontal-pod-autoscaler-sync-period': '5s' } }`. */
  readonly flags?: ComponentFlags;
  /** What the `--config` file of kube-scheduler says (kubescheduler.config.k8s.io/v1). Default: nothing. */
  readonly schedulerConfig?: KubeSchedulerConfiguration;
  /** Schedulers beside kube-scheduler, for pods with another `schedulerName`. */
  readonly schedulers?: readonly SchedulerConfig[];
  /** Objects that are there from the first moment, as they are: those of another cluster. No kubelets run for nodes among them. */
  readonly snapshot?: readonly KubernetesObject[];
  /** How images behave that the catalogue does not know, or otherwise than it says. */
  readonly images?: readonly ImageDefinition[];
  /** Programs that people install into clusters, e.g. `{ 'database-operator': {} }`. Default: none. */
  readonly addons?: Addons;
  /** The cluster runs on the machines of a cloud, and cloud-controller-manager connects it with that. Default: it does not. */
  readonly cloud?: CloudConfig;
  readonly timing?: Partial<Timing>;
  /** Requests may leave the cluster, e.g. to a webhook by its URL: whoever listens with `Cluster.onOutbound` answers them. */
  readonly outside?: boolean;
}

/** How a run is watched. It does not change what happens. */
export interface ObservationConfig {
  /** Default `full`. */
  readonly trace?: TraceLevel;
  /** Keep a digest over the trace. Default false. */
  readonly digest?: boolean;
  /** Trace entries for the stages of each request. Default true at trace level `full`. */
  readonly stages?: boolean;
  /** Keep all revisions of all objects, for looking back. Default true at trace level `full`. */
  readonly history?: boolean;
  /** Gets each audit event (audit.k8s.io/v1) of a write, and which entry of the trace is its request. */
  readonly audit?: (event: unknown, request: number) => void;
}

export interface CreateClusterOptions extends ClusterConfig, ObservationConfig {
  /** Controllers of the user's own; each runs as an actor `controller/<name>`. */
  readonly userControllers?: readonly UserController[];
  /** Scheduler plugins of the user's own, by name; they run where the configuration of a scheduler enables them. */
  readonly schedulerPlugins?: Readonly<Record<string, PluginFactory>>;
  /** Code that runs in containers, by name: the `program` of an image in `images`. */
  readonly programs?: Programs;
  /** Answers what leaves the cluster, inside this process and in virtual time; instead of `outside`. */
  readonly outbound?: Outbound;
  /** Equal due times run in order of insertion, or as the seed permutes them. */
  readonly ties?: 'insertion' | 'shuffle';
}

/** A node with defaults filled in. */
export type ResolvedNode = Required<Omit<NodeConfig, 'podCIDR'>> & Pick<NodeConfig, 'podCIDR'>;

/** The nodes that a config means. */
export function nodesOf(nodes: ClusterConfig['nodes'] = 3): ResolvedNode[] {
  const list = typeof nodes === 'number' ? Array.from({ length: nodes }, (_, index): NodeConfig => ({ name: `n${index + 1}` })) : nodes;
  return list.map(
    (
      {
        name,
        cpu = '8',
        memory = '16Gi',
        pods = 110,
        labels = {},
        taints = [],
        images = [],
        gpus = 0,
        staticPods = [],
        kubeletConfiguration = {},
        ip,
        podCIDR,
      },
      index,
    ) => {
      return {
        name,
        cpu,
        memory,
        pods,
        labels,
        taints,
        images,
        gpus,
        kubeletConfiguration,
        staticPods,
        ip: ip ?? addressOf(index),
        ...(podCIDR ? { podCIDR } : {}),
      };
    },
  );
}

/** 192.168.100.11, and on into the next networks when there are many nodes. */
function addressOf(index: number): string {
  const host = index + 11;
  return `192.168.${100 + Math.floor(host / 250)}.${host % 250}`;
}
