import type { RuntimeEndpoint } from '../../src/api/cri.ts';
import type { Taint } from '../../src/api/kinds/core-v1.ts';
import type { KubeletApi } from '../../src/api/kubelet-api.ts';
import type { UnixSockets } from '../../src/api/unix-sockets.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { KubeletConfiguration } from './apis/config/kubelet-configuration.ts';

/** Who is told of a shutdown before it happens: systemd-logind's delay inhibitor lock. */
export interface ShutdownDelay {
  readonly process: Actor;
  readonly incarnation: number;
  readonly onShutdown: () => Promise<void>;
}

/** What a kubelet is told by flags, its configuration file and its machine. Quantities are written as in manifests. */
export interface KubeletConfig {
  readonly nodeName: string;
  /** The machine's size. */
  readonly cpu: string;
  readonly memory: string;
  /** KubeletConfiguration maxPods */
  readonly pods: number;
  readonly ephemeralStorage?: string;
  /** Further resources, e.g. `nvidia.com/gpu`. */
  readonly extendedResources?: Readonly<Record<string, string>>;
  /** --node-labels */
  readonly labels?: Readonly<Record<string, string>>;
  /** --cloud-provider: a cloud-controller-manager initializes the node. */
  readonly cloudProvider?: 'external';
  /** --register-with-taints */
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** KubeletConfiguration nodeStatusUpdateFrequency. Default 10 s. */
  readonly nodeStatusUpdateFrequencyMs?: number;
  /** What its configuration file says otherwise than the default. */
  readonly kubeletConfiguration?: KubeletConfiguration;
  /** The init system of the machine, which is asked to wait for the kubelet. */
  readonly shutdown?: { inhibitShutdown(delay: ShutdownDelay): void };
  /** KubeletConfiguration staticPodPath: a directory with manifests of pods that run here whatever the API says. */
  readonly staticPodPath?: string;
  /** The node's sockets, for device plugins. */
  readonly sockets?: UnixSockets<Actor>;
  /** The runtime of the node. */
  readonly runtime: RuntimeEndpoint<Actor>;
  /** Takes the kubelet's own API, once it is served: what kube-apiserver calls. */
  readonly serve?: (api: KubeletApi & { readonly actor: Actor }) => void;
}

/** Nothing runs on the node before the cloud has said what it is. k8s.io/cloud-provider/api TaintExternalCloudProvider */
const UNINITIALIZED: Taint = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' };

/** --register-with-taints as the API has them. */
export function registerTaints({ taints = [], cloudProvider }: KubeletConfig): Taint[] {
  const own = taints.map(({ key, value, effect }) => ({ key, ...(value ? { value } : {}), effect }));
  return cloudProvider ? [...own, UNINITIALIZED] : own;
}
