import type {
  ContainerConfig,
  ContainerRuntimeInterface,
  ContainerRuntimeStatus,
  ContainerStats,
  ExecListener,
  ExecRequest,
  ExecStream,
  ExecSyncResponse,
  HostFiles,
  Image,
  LinuxContainerResources,
  LogLine,
  NodeStats,
  PodNetwork,
  PodRuntimeState,
  PodSandboxConfig,
  PodSandboxStatus,
  RuntimeCondition,
} from '../../src/api/cri.ts';
import type { Actor } from '../../src/sim/actor.ts';
import {
  CREATE_CONTAINER_MS,
  EXEC_MS,
  READ_MS,
  REMOVE_MS,
  RUN_POD_SANDBOX_MS,
  RUNTIME_NAME,
  RUNTIME_VERSION,
  START_CONTAINER_MS,
  STOP_POD_SANDBOX_MS,
} from './constants.ts';
import type { Containerd } from './server.ts';

/** The runtime's socket as one caller sees it: each call is an event of the runtime, its answer one of the caller. */
export class CriClient implements ContainerRuntimeInterface {
  readonly files: HostFiles;
  readonly network: PodNetwork;
  readonly #caller: Actor;
  readonly #containerd: Containerd;

  constructor(parts: { caller: Actor; containerd: Containerd; network: PodNetwork }) {
    this.#caller = parts.caller;
    this.#containerd = parts.containerd;
    this.files = parts.containerd.files;
    this.network = parts.network;
  }

  status(): Promise<readonly RuntimeCondition[]> {
    return this.#call(READ_MS, () => this.#containerd.conditions());
  }

  version(): Promise<{ runtimeName: string; runtimeVersion: string }> {
    return this.#call(READ_MS, () => ({ runtimeName: RUNTIME_NAME, runtimeVersion: RUNTIME_VERSION }));
  }

  updateRuntimeConfig(config: { readonly podCidr: string }): Promise<void> {
    return this.#call(READ_MS, () => this.#containerd.setPodCidr(config.podCidr));
  }

  runPodSandbox(config: PodSandboxConfig): Promise<string> {
    return this.#call(RUN_POD_SANDBOX_MS, () => this.#containerd.runtime.runPodSandbox(config));
  }

  stopPodSandbox(id: string): Promise<void> {
    return this.#call(STOP_POD_SANDBOX_MS, () => this.#containerd.runtime.stopPodSandbox(id));
  }

  removePodSandbox(id: string): Promise<void> {
    return this.#call(REMOVE_MS, () => this.#containerd.runtime.removePodSandbox(id), 'background');
  }

  podSandboxStatus(id: string): Promise<PodSandboxStatus> {
    return this.#call(READ_MS, () => this.#containerd.runtime.podSandboxStatus(id));
  }

  createContainer(podSandboxId: string, config: ContainerConfig): Promise<string> {
    return this.#call(CREATE_CONTAINER_MS, () => this.#containerd.runtime.createContainer(podSandboxId, config));
  }

  startContainer(id: string): Promise<void> {
    return this.#call(START_CONTAINER_MS, () => this.#containerd.runtime.startContainer(id));
  }

  stopContainer(id: string, timeoutSeconds: number): Promise<void> {
    return this.#call(READ_MS, () => this.#containerd.runtime.stopContainer(id, timeoutSeconds));
  }

  removeContainer(id: string): Promise<void> {
    return this.#call(REMOVE_MS, () => this.#containerd.runtime.removeContainer(id), 'background');
  }

  containerStatus(id: string): Promise<ContainerRuntimeStatus> {
    return this.#call(READ_MS, () => this.#containerd.runtime.containerStatus(id));
  }

  updateContainerResources(id: string, linux: LinuxContainerResources): Promise<void> {
    return this.#call(READ_MS, () => this.#containerd.updateResources(id, linux));
  }

  execSync(id: string, command: readonly string[], timeoutMs: number): Promise<ExecSyncResponse> {
    return this.#call(EXEC_MS, () => this.#containerd.execSync(id, command, timeoutMs));
  }

  exec(id: string, request: ExecRequest, listener: ExecListener): Promise<ExecStream> {
    return this.#call(EXEC_MS, () => this.#containerd.exec(id, request, listener));
  }

  attach(id: string, request: { readonly stdin: boolean }, listener: ExecListener): Promise<ExecStream> {
    return this.#call(READ_MS, () => this.#containerd.attach(id, request, listener));
  }

  logs(id: string): Promise<readonly LogLine[]> {
    return this.#call(READ_MS, () => [...this.#containerd.runtime.container(id).logs]);
  }

  followLogs(id: string, listener: { onLine(line: LogLine): void; onEnd(): void }): () => void {
    return this.#containerd.runtime.container(id).follow(listener);
  }

  listContainerStats(): Promise<readonly ContainerStats[]> {
    return this.#call(READ_MS, () => this.#containerd.runtime.listContainerStats(), 'background');
  }

  nodeStats(): Promise<NodeStats> {
    return this.#call(READ_MS, () => this.#containerd.runtime.nodeStats(this.#containerd.load), 'background');
  }

  listPods(uids?: readonly string[]): Promise<readonly PodRuntimeState[]> {
    return this.#call(0, () => this.#containerd.runtime.listPods(uids));
  }

  containerEvents(onChange: (podUid: string) => void): () => void {
    return this.#containerd.listen(this.#caller, onChange);
  }

  imageStatus(image: string): Promise<Image | undefined> {
    return this.#call(READ_MS, () => this.#containerd.imageService.imageStatus(image));
  }

  pullImage(image: string): Promise<Image> {
    return this.#call(READ_MS, () => this.#containerd.imageService.pullImage(image));
  }

  listImages(): Promise<readonly Image[]> {
    return this.#call(READ_MS, () => this.#containerd.imageService.list());
  }

  removeImage(image: string): Promise<void> {
    return this.#call(REMOVE_MS, () => this.#containerd.imageService.remove(image), 'background');
  }

  #call<T>(durationMs: number, serve: () => T | Promise<T>, priority: 'work' | 'background' = 'work'): Promise<T> {
    const { simulation } = this.#caller;
    const cause = simulation.cause;
    return this.#caller.call(this.#containerd.actor, () => simulation.withCause(cause, serve), {
      requestMs: durationMs,
      responseMs: READ_MS,
      priority,
    });
  }
}
