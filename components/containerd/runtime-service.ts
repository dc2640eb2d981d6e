import {
  type ContainerConfig,
  type ContainerRuntimeStatus,
  type ContainerStats,
  type NodeStats,
  type PodRuntimeState,
  type PodSandboxConfig,
  type PodSandboxStatus,
  RuntimeError,
} from '../../src/api/cri.ts';
import { resolvConfOf, resolvConfText } from '../../src/api/resolv-conf.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { Random } from '../../src/sim/random.ts';
import type { TraceEvent } from '../../src/sim/trace.ts';
import { type ClusterNetwork, PodOutgoingNetwork } from './cluster-network.ts';
import type { Cni } from './cni/cni.ts';
import { EXIT_START_ERROR, EXIT_UNKNOWN } from './constants.ts';
import { Container } from './container.ts';
import { ContainerFiles } from './container-files.ts';
import type { FileTree } from './file-tree.ts';
import type { ImageStore } from './image-store.ts';
import type { MachineLoad } from './machine-load.ts';
import { NetworkNamespace } from './network-namespace.ts';
import type { ProcessContext } from './process.ts';
import { Sandbox } from './sandbox.ts';
import { startProgram } from './start-program.ts';

const DISK_BLOCK_BYTES = 4096;

interface RuntimeParts {
  readonly actor: Actor;
  readonly random: Random;
  readonly images: ImageStore;
  readonly files: FileTree;
  readonly nodeName: string;
  readonly nodeNetwork: NetworkNamespace;
  readonly network: ClusterNetwork | undefined;
  readonly cni: Cni;
  readonly onChange: (podUid: string) => void;
}

/** Something of a pod that changed. */
interface Told {
  readonly what: string;
  readonly message: string;
  readonly container?: string;
  readonly details?: unknown;
}

/** containerd's CRI RuntimeService: the sandboxes and containers of one node. All methods run as events of the runtime's actor. */
export class RuntimeService {
  readonly #parts: RuntimeParts;
  readonly #sandboxes = new Map<string, Sandbox>();
  readonly #containers = new Map<string, Container>();
  /** Names of containers, with whose they are. */
  readonly #names = new Map<string, string>();
  /** By pod uid, in order of creation. */
  readonly #pods = new Map<string, Set<Sandbox>>();
  readonly #byAddress = new Map<string, NetworkNamespace>();

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
  }

  get actor(): Actor {
    return this.#parts.actor;
  }

  /** containerd pkg/cri/server RunPodSandbox */
  runPodSandbox(config: PodSandboxConfig): string {
    const id = this.#parts.random.hex(64);
    const attachment = config.hostNetwork ? undefined : this.#parts.cni.setup(id, config);
    const network = attachment ? this.#newNetwork(attachment.ip) : this.#parts.nodeNetwork;
    const sandbox = new Sandbox({ id, config, network, attachment, createdAt: this.#parts.actor.wallTime });
    this.#sandboxes.set(sandbox.id, sandbox);
    const { uid } = config.metadata;
    const siblings = this.#pods.get(uid) ?? new Set();
    siblings.add(sandbox);
    this.#pods.set(uid, siblings);
    this.#tell(sandbox, {
      what: 'sandbox-created',
      message: `sandbox created${attachment ? ` with address ${network.ip}` : ''}`,
      details: attachment?.result,
    });
    return sandbox.id;
  }

  async stopPodSandbox(id: string): Promise<void> {
    const sandbox = this.#sandboxes.get(id);
    if (!sandbox?.ready) return;
    for (const container of sandbox.containers) await this.#kill(container);
    // First the network: while a plugin refuses, the caller comes again.
    this.#tearDown(sandbox);
    sandbox.stop();
    this.#tell(sandbox, { what: 'sandbox-stopped', message: 'sandbox stopped' });
  }

  async removePodSandbox(id: string): Promise<void> {
    const sandbox = this.#sandboxes.get(id);
    if (!sandbox) return;
    await this.stopPodSandbox(id);
    this.#tearDown(sandbox);
    for (const container of [...sandbox.containers]) this.#forget(container);
    this.#sandboxes.delete(id);
    const { uid } = sandbox.config.metadata;
    const siblings = this.#pods.get(uid);
    siblings?.delete(sandbox);
    if (siblings?.size === 0) this.#pods.delete(uid);
  }

  podSandboxStatus(id: string): PodSandboxStatus {
    const sandbox = this.#sandboxes.get(id);
    if (!sandbox) throw new RuntimeError(`an error occurred when try to find sandbox: not found`, 'NotFound');
    return sandbox.status;
  }

  createContainer(podSandboxId: string, config: ContainerConfig): string {
    const sandbox = this.#sandboxes.get(podSandboxId);
    if (!sandbox) throw new RuntimeError(`failed to find sandbox id "${podSandboxId}": not found`, 'NotFound');
    const name = this.#reserveName(sandbox, config);
    const image = this.#parts.images.byId(config.imageRef);
    if (!image) throw new RuntimeError(`failed to get image from containerd "${config.imageRef}": not found`, 'NotFound');
    const devices = Object.fromEntries((config.devices ?? []).map(({ containerPath }) => [containerPath, '']));
    const { hostname, dnsConfig } = sandbox.config;
    const resolvConf = dnsConfig ? { '/etc/resolv.conf': resolvConfText(dnsConfig) } : {};
    const base = { '/etc/hostname': `${hostname}\n`, ...resolvConf, ...image.definition.files, ...devices };
    const files = new ContainerFiles({
      ...{ host: this.#parts.files, mounts: config.mounts, base },
      readOnlyRoot: config.readonlyRootfs ?? false,
    });
    const container = new Container(this.#parts.actor, { id: this.#parts.random.hex(64), sandbox, config, image, files });
    sandbox.containers.add(container);
    this.#containers.set(container.id, container);
    this.#names.set(name, container.id);
    this.#tell(sandbox, { what: 'container-created', message: `container created from ${image.name}`, container: config.name });
    return container.id;
  }

  /** containerd internal/cri/store registrar.Reserve: of two containers with one name only the first can be. @throws RuntimeError */
  #reserveName({ config: { metadata } }: Sandbox, config: ContainerConfig): string {
    const name = containerName(metadata, config);
    const holder = this.#names.get(name);
    if (holder === undefined) return name;
    throw new RuntimeError(`failed to reserve container name "${name}": name "${name}" is reserved for "${holder}"`);
  }

  /** containerd pkg/cri/server StartContainer */
  startContainer(id: string): void {
    const container = this.container(id);
    if (container.state !== 'CONTAINER_CREATED') throw new RuntimeError(`container "${id}" is in ${container.state} state`);
    if (!container.sandbox.ready) throw new RuntimeError(`sandbox container "${container.sandbox.id}" is not running`);
    container.markRunning();
    let early: (() => void) | undefined;
    let started = false;
    const exit: ProcessContext['exit'] = (code, reason) => {
      if (started) this.#exited(container, code, reason);
      else early = () => this.#exited(container, code, reason);
    };
    const process = startProgram(this.#context(container, exit));
    started = true;
    if ('failure' in process) {
      const message = `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ${process.failure}: unknown`;
      container.markStartFailed(EXIT_START_ERROR, message);
      this.#tell(container.sandbox, { what: 'container-start-failed', message: message, container: container.config.name });
      throw new RuntimeError(message);
    }
    container.process = process;
    this.#tell(container.sandbox, { what: 'container-started', message: 'container started', container: container.config.name });
    early?.();
  }

  /** containerd pkg/cri/server StopContainer: SIGTERM, and SIGKILL when that was not enough in time. */
  async stopContainer(id: string, timeoutSeconds: number): Promise<void> {
    const container = this.#containers.get(id);
    if (container?.state !== 'CONTAINER_RUNNING') return;
    if (timeoutSeconds > 0) {
      this.#tell(container.sandbox, { what: 'container-signalled', message: 'SIGTERM sent', container: container.config.name });
      container.process?.signal('SIGTERM');
      const killer = this.#parts.actor.schedule(timeoutSeconds * 1000, () => void this.#kill(container));
      await container.exited();
      killer.cancel();
    } else {
      await this.#kill(container);
    }
  }

  removeContainer(id: string): void {
    const container = this.#containers.get(id);
    if (container) this.#forget(container);
  }

  container(id: string): Container {
    const container = this.#containers.get(id);
    if (!container) throw new RuntimeError(`an error occurred when try to find container "${id}": not found`, 'NotFound');
    return container;
  }

  containerStatus(id: string): ContainerRuntimeStatus {
    return this.container(id).status;
  }

  listPods(uids?: readonly string[]): readonly PodRuntimeState[] {
    return [...(uids ?? this.#pods.keys())].map((uid) => {
      const sandboxes = [...(this.#pods.get(uid) ?? [])].reverse();
      const containers = sandboxes.flatMap((sandbox) => [...sandbox.containers]).map((container) => container.status);
      if (containers.length > 1) containers.sort((a, b) => b.createdAt - a.createdAt || b.attempt - a.attempt);
      return { uid, sandboxes: sandboxes.map((sandbox) => sandbox.status), containers };
    });
  }

  listContainerStats(): readonly ContainerStats[] {
    const stats: ContainerStats[] = [];
    for (const { status, config, sandbox, usage, image, files, logBytes } of this.#containers.values()) {
      if (status.state !== 'CONTAINER_RUNNING') continue;
      const { uid, namespace, name } = sandbox.config.metadata;
      const { cpuNanos, memoryBytes } = usage;
      const { diskBytes = 0, processes = 1 } = image.definition;
      const rootfsBytes = files.writtenBytes + diskBytes;
      const { startedAt } = status;
      const what = { podUid: uid, namespace, pod: name, container: config.name };
      stats.push({ ...what, startedAt, cpuNanos, memoryBytes, rootfsBytes, logBytes, processes });
    }
    return stats;
  }

  /** What the machine has of disk and process ids, and what is left when images, containers, volumes and strangers have theirs. */
  nodeStats(load: MachineLoad): NodeStats {
    let disk = this.#parts.files.size('/') + this.#parts.images.list().reduce((sum, { size }) => sum + size, 0);
    let pids = Math.round(load.foreignPids * load.maxPids);
    let memoryBytes = 0;
    for (const { state, files, logBytes, image, usage } of this.#containers.values()) {
      disk += files.writtenBytes + logBytes + (image.definition.diskBytes ?? 0);
      if (state !== 'CONTAINER_RUNNING') continue;
      pids += image.definition.processes ?? 1;
      memoryBytes += usage.memoryBytes;
    }
    const free = Math.max(0, load.diskBytes * (1 - load.foreignDisk) - disk);
    const diskAvailableBytes = Math.floor(free / DISK_BLOCK_BYTES) * DISK_BLOCK_BYTES;
    const { diskBytes: diskCapacityBytes, maxPids } = load;
    return { memoryBytes, diskCapacityBytes, diskAvailableBytes, maxPids, pids: Math.min(pids, maxPids) };
  }

  /** What runs in a container, and what its files and ports are: for a process that joins it. */
  contextOf(container: Container, parts: Pick<ProcessContext, 'argv' | 'write' | 'exit'>): ProcessContext {
    return { ...this.#context(container, parts.exit), argv: parts.argv, write: parts.write, isInit: false, stdin: undefined, tty: false };
  }

  /** The namespace that has this address. */
  networkAt(ip: string): NetworkNamespace | undefined {
    if (ip === this.#parts.nodeNetwork.ip || ip === '127.0.0.1' || ip === 'localhost') return this.#parts.nodeNetwork;
    return this.#byAddress.get(ip);
  }

  /** The machine went down and came up again: nothing runs any more. */
  reboot(): void {
    for (const container of this.#containers.values()) {
      if (container.state !== 'CONTAINER_RUNNING') continue;
      container.process?.signal('SIGKILL');
      container.markExited({ code: EXIT_UNKNOWN, reason: 'Unknown', message: '' });
    }
    for (const sandbox of this.#sandboxes.values()) {
      if (!sandbox.ready) continue;
      sandbox.stop();
      this.#tell(sandbox, { what: 'sandbox-stopped', message: 'ended with its machine' });
    }
    this.#byAddress.clear();
  }

  #newNetwork(ip: string): NetworkNamespace {
    const network = new NetworkNamespace(ip);
    this.#byAddress.set(ip, network);
    return network;
  }

  /** containerd pkg/cri/server teardownPodNetwork: once. A sandbox that ended with its machine is taken off when it is removed. */
  #tearDown(sandbox: Sandbox): void {
    const { attachment } = sandbox;
    if (!attachment) return;
    this.#parts.cni.remove(sandbox.id, sandbox.config, attachment);
    sandbox.attachment = undefined;
    if (this.#byAddress.get(attachment.ip) === sandbox.network) this.#byAddress.delete(attachment.ip);
  }

  #context(container: Container, exit: ProcessContext['exit']): ProcessContext {
    const { config, image, sandbox } = container;
    const { definition } = image;
    const own = config.command ?? definition.entrypoint ?? [];
    const args = config.args ?? (config.command ? [] : (definition.command ?? []));
    const env = (): Map<string, string> =>
      new Map([
        ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
        ['HOSTNAME', sandbox.config.hostname],
        ...Object.entries(definition.env ?? {}),
        ...config.envs.map(({ key, value }): [string, string] => [key, value]),
      ]);
    return {
      actor: this.#parts.actor,
      argv: [...own, ...args],
      env,
      workingDir: config.workingDir ?? definition.workingDir ?? '/',
      hostname: sandbox.config.hostname,
      user: container.user,
      files: container.files,
      image: definition,
      network: sandbox.network,
      memoryLimitBytes: container.linux.memoryLimitBytes,
      usage: container.usage,
      outgoing: new PodOutgoingNetwork({
        actor: this.#parts.actor,
        own: sandbox.network,
        node: this.#parts.nodeName,
        namespace: sandbox.config.metadata.namespace,
        ...(sandbox.config.dnsConfig ? { resolvConf: resolvConfOf(sandbox.config.dnsConfig) } : {}),
        hostsFile: () => container.files.read('/etc/hosts'),
        networkAt: (ip) => this.networkAt(ip),
        cluster: this.#parts.network,
      }),
      isInit: true,
      stdin: container.stdin,
      tty: config.tty,
      write: (stream, text) => container.write(stream, text),
      exit,
    };
  }

  #exited(container: Container, code: number, reason?: 'OOMKilled'): void {
    if (container.state !== 'CONTAINER_RUNNING') return;
    container.markExited({ code, reason: reason ?? (code === 0 ? 'Completed' : 'Error'), message: '' });
    this.#tell(container.sandbox, {
      what: 'container-exited',
      message: `container exited with ${code}${reason ? ` (${reason})` : ''}`,
      container: container.config.name,
    });
  }

  async #kill(container: Container): Promise<void> {
    if (container.state !== 'CONTAINER_RUNNING') return;
    this.#tell(container.sandbox, { what: 'container-killed', message: 'SIGKILL sent', container: container.config.name });
    container.process?.signal('SIGKILL');
    await container.exited();
  }

  #forget(container: Container): void {
    container.process?.signal('SIGKILL');
    container.sandbox.containers.delete(container);
    this.#containers.delete(container.id);
    this.#names.delete(containerName(container.sandbox.config.metadata, container.config));
    this.#parts.onChange(container.sandbox.config.metadata.uid);
  }

  /** Tells trace and listeners that something of a pod changed. */
  #tell(sandbox: Sandbox, { what, message, container, details }: Told): void {
    const { name, namespace, uid } = sandbox.config.metadata;
    const { simulation } = this.#parts.actor;
    const told = (): TraceEvent => ({
      kind: 'runtime',
      what,
      object: { group: '', resource: 'pods', kind: 'Pod', namespace, name, uid },
      ...(container ? { container } : {}),
      message,
      ...(details ? { details } : {}),
    });
    simulation.recordCause(simulation.trace.recording ? told() : undefined);
    this.#parts.onChange(uid);
  }
}

/** containerd internal/cri/server makeContainerName */
function containerName({ name, namespace, uid }: PodSandboxConfig['metadata'], config: ContainerConfig): string {
  return [config.name, name, namespace, uid, config.attempt].join('_');
}
