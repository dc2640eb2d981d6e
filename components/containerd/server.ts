import type { CniPlugins } from '../../src/api/cni.ts';
import type {
  ContainerRuntimeInterface,
  ExecListener,
  ExecRequest,
  ExecStream,
  ExecSyncResponse,
  LinuxContainerResources,
  RuntimeCondition,
  RuntimeEndpoint,
} from '../../src/api/cri.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { Random } from '../../src/sim/random.ts';
import type { Simulation } from '../../src/sim/simulation.ts';
import { addressOf, podCidrOf } from './addresses.ts';
import type { ClusterNetwork } from './cluster-network.ts';
import { Cni } from './cni/cni.ts';
import { bridgeConfList, CNI_CONF_FILE, type PodRange } from './cni/network-config.ts';
import { CriClient } from './cri-client.ts';
import { attach, exec } from './exec-stream.ts';
import { execSync } from './exec-sync.ts';
import { FileTree } from './file-tree.ts';
import type { ImageDefinition } from './image-definition.ts';
import { ImageService } from './image-service.ts';
import { ImageStore } from './image-store.ts';
import { ImageCatalogue } from './images.ts';
import { MachineLoad } from './machine-load.ts';
import { NetworkNamespace } from './network-namespace.ts';
import { NodePodNetwork } from './pod-network.ts';
import type { Registries } from './registries.ts';
import { RuntimeService } from './runtime-service.ts';

export interface ContainerdConfig {
  readonly nodeName: string;
  /** The node's own address: what pods with `hostNetwork` have. Made up from the node's name if absent. */
  readonly nodeIp?: string;
  /** The range of pod addresses; may also come later, from the kubelet. Made up from the node's name and `maxPods` if absent. */
  readonly podCidr?: string;
  readonly maxPods?: number;
  /** The size of its disk. Default 100Gi. */
  readonly diskBytes?: number;
  /** What lies in /opt/cni/bin. */
  readonly cniPlugins: CniPlugins;
  /** What containers reach beyond their node. */
  readonly network?: ClusterNetwork;
  /** Images that scenarios and tests describe. */
  readonly images?: readonly ImageDefinition[];
  /** Which registries answer. All if absent. */
  readonly registries?: Registries;
  /** Names of images that are on the node from the beginning. */
  readonly presentImages?: readonly string[];
}

const DEFAULT_DISK_BYTES = 100 * 1024 ** 3;

/**
 * The container runtime of one node: its own actor `containerd/<node>`, so that containers live on when the kubelet goes down. The node's disk (images,
 * logs, volumes) outlives a crash of the actor; what ran then has ended.
 */
export class Containerd implements RuntimeEndpoint<Actor> {
  readonly nodeIp: string;
  bootId = '';
  readonly actor: Actor;
  readonly runtime: RuntimeService;
  readonly imageService: ImageService;
  readonly files = new FileTree();
  readonly load: MachineLoad;
  readonly #listeners = new Map<Actor, { readonly incarnation: number; readonly onChange: (podUid: string) => void }>();
  readonly #random: Random;
  /** How pods are connected to the network. */
  readonly cni: Cni;
  #podCidr: string;

  constructor(simulation: Simulation, config: ContainerdConfig) {
    this.actor = simulation.actor(`containerd/${config.nodeName}`, (self) => this.#boot(self));
    this.nodeIp = config.nodeIp ?? addressOf(config.nodeName);
    this.#podCidr = config.podCidr ?? podCidrOf(config.nodeName, config.maxPods);
    const random = simulation.random.fork(`containerd/${config.nodeName}`);
    this.#random = random;
    this.load = new MachineLoad(config.diskBytes ?? DEFAULT_DISK_BYTES);
    this.configureNetwork();
    this.cni = new Cni({ random: random.fork('cni'), files: this.files, plugins: config.cniPlugins });
    const images = new ImageStore();
    const catalogue = new ImageCatalogue(config.images);
    this.imageService = new ImageService({
      actor: this.actor,
      random: random.fork('pull'),
      store: images,
      catalogue,
      registries: config.registries,
    });
    for (const name of config.presentImages ?? []) this.imageService.preload(name);
    this.runtime = new RuntimeService({
      actor: this.actor,
      random,
      images,
      files: this.files,
      nodeName: config.nodeName,
      network: config.network,
      nodeNetwork: new NetworkNamespace(this.nodeIp),
      cni: this.cni,
      onChange: (podUid) => this.#notify(podUid),
    });
  }

  /** The runtime as `caller` reaches it. */
  connect(caller: Actor): ContainerRuntimeInterface {
    const network = new NodePodNetwork({ caller, target: this.actor, networkAt: (ip) => this.runtime.networkAt(ip) });
    return new CriClient({ caller, containerd: this, network });
  }

  conditions(): readonly RuntimeCondition[] {
    const { problem } = this.cni;
    return [
      { type: 'RuntimeReady', status: true, reason: '', message: '' },
      {
        type: 'NetworkReady',
        status: problem === undefined,
        reason: problem === undefined ? '' : 'NetworkPluginNotReady',
        message: problem === undefined ? '' : `Network plugin returns error: ${problem}`,
      },
    ];
  }

  /** Writes the network configuration of the node: that of bridge and host-local with its range of addresses, or another one. */
  configureNetwork(range: PodRange = { subnet: this.#podCidr }): void {
    this.files.writeFile(CNI_CONF_FILE, bridgeConfList(range));
  }

  /** Takes the network configuration away: the node is not ready without. */
  removeNetworkConfiguration(): void {
    this.files.remove(CNI_CONF_FILE);
  }

  /** containerd pkg/cri/server UpdateRuntimeConfig: the configuration is made again out of its template. */
  setPodCidr(podCidr: string): void {
    if (podCidr === this.#podCidr) return;
    this.#podCidr = podCidr;
    this.configureNetwork();
  }

  updateResources(id: string, linux: LinuxContainerResources): void {
    this.runtime.container(id).updateResources(linux);
  }

  /** containerd pkg/cri/server ExecSync */
  execSync(id: string, command: readonly string[], timeoutMs: number): Promise<ExecSyncResponse> {
    return execSync({ runtime: this.runtime, container: this.runtime.container(id), command, timeoutMs });
  }

  /** containerd pkg/cri/server Exec */
  exec(id: string, request: ExecRequest, listener: ExecListener): ExecStream {
    return exec({ runtime: this.runtime, container: this.runtime.container(id) }, request, listener);
  }

  /** containerd pkg/cri/server Attach */
  attach(id: string, request: { readonly stdin: boolean }, listener: ExecListener): ExecStream {
    return attach(this.runtime.container(id), request, listener);
  }

  /** @internal Calls `onChange` at each change of a pod while this incarnation of `caller` lives. */
  listen(caller: Actor, onChange: (podUid: string) => void): () => void {
    this.#listeners.set(caller, { incarnation: caller.incarnation, onChange });
    return () => void this.#listeners.delete(caller);
  }

  #boot(self: Actor): void {
    this.bootId = this.#random.fork(`boot ${self.incarnation}`).uuid();
    if (self.incarnation > 1) this.runtime.reboot();
  }

  #notify(podUid: string): void {
    for (const [caller, { incarnation, onChange }] of this.#listeners) {
      if (caller.incarnation === incarnation && caller.state !== 'crashed') onChange(podUid);
      else this.#listeners.delete(caller);
    }
  }
}
