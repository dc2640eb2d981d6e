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
import { CriClient } from './cri-client.ts';
import { attach, exec } from './exec-stream.ts';
import { execSync } from './exec-sync.ts';
import { FileTree } from './file-tree.ts';
import type { ImageDefinition } from './image-definition.ts';
import { ImageService } from './image-service.ts';
import { ImageStore } from './image-store.ts';
import { ImageCatalogue } from './images.ts';
import { HostLocalIpam } from './ipam.ts';
import { NetworkNamespace } from './network-namespace.ts';
import { NodePodNetwork } from './pod-network.ts';
import { RuntimeService } from './runtime-service.ts';

export interface ContainerdConfig {
  readonly nodeName: string;
  /** The node's own address: what pods with `hostNetwork` have. Made up from the node's name if absent. */
  readonly nodeIp?: string;
  /** The range of pod addresses; may also come later, from the kubelet. */
  readonly podCidr?: string;
  /** What containers reach beyond their node. */
  readonly network?: ClusterNetwork;
  /** Images that scenarios and tests describe. */
  readonly images?: readonly ImageDefinition[];
  /** Names of images that are on the node from the beginning. */
  readonly presentImages?: readonly string[];
}

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
  readonly #listeners = new Map<Actor, { readonly incarnation: number; readonly onChange: (podUid: string) => void }>();
  readonly #random: Random;
  #ipam: HostLocalIpam;
  #podCidr: string;
  #networkProblem: string | undefined;

  constructor(simulation: Simulation, config: ContainerdConfig) {
    this.actor = simulation.actor(`containerd/${config.nodeName}`, (self) => this.#boot(self));
    this.nodeIp = config.nodeIp ?? addressOf(config.nodeName);
    this.#podCidr = config.podCidr ?? podCidrOf(config.nodeName);
    this.#ipam = new HostLocalIpam(this.#podCidr);
    const random = simulation.random.fork(`containerd/${config.nodeName}`);
    this.#random = random;
    const images = new ImageStore();
    const catalogue = new ImageCatalogue(config.images);
    this.imageService = new ImageService({ actor: this.actor, random: random.fork('pull'), store: images, catalogue });
    for (const name of config.presentImages ?? []) this.imageService.preload(name);
    this.runtime = new RuntimeService({
      actor: this.actor,
      random,
      images,
      files: this.files,
      nodeName: config.nodeName,
      network: config.network,
      nodeNetwork: new NetworkNamespace(this.nodeIp),
      ipam: () => this.#ipam,
      onChange: (podUid) => this.#notify(podUid),
    });
  }

  /** The runtime as `caller` reaches it. */
  connect(caller: Actor): ContainerRuntimeInterface {
    const network = new NodePodNetwork({ caller, target: this.actor, networkAt: (ip) => this.runtime.networkAt(ip) });
    return new CriClient({ caller, containerd: this, network });
  }

  /** A fault of the CNI plugin: no sandbox gets a network until it is lifted. */
  breakNetwork(message: string | undefined): void {
    this.#networkProblem = message;
  }

  conditions(): readonly RuntimeCondition[] {
    const problem = this.#networkProblem;
    return [
      { type: 'RuntimeReady', status: true, reason: '', message: '' },
      {
        type: 'NetworkReady',
        status: problem === undefined,
        reason: problem === undefined ? '' : 'NetworkPluginNotReady',
        message: problem ?? '',
      },
    ];
  }

  setPodCidr(podCidr: string): void {
    if (podCidr === this.#podCidr) return;
    this.#podCidr = podCidr;
    this.#ipam = new HostLocalIpam(podCidr);
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
