import type {
  ContainerConfig,
  ContainerRuntimeState,
  ContainerRuntimeStatus,
  LinuxContainerResources,
  LogLine,
} from '../../src/api/cri.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { DEFAULT_CPU_MILLI, DEFAULT_MEMORY_BYTES, LOG_LINES_MAX } from './constants.ts';
import type { ContainerFiles } from './container-files.ts';
import { ContainerUsage } from './container-usage.ts';
import type { StoredImage } from './image-store.ts';
import type { Process } from './process.ts';
import type { Sandbox } from './sandbox.ts';
import { Input } from './shell/io.ts';

interface Exit {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

/** One container: its state, its process, what it wrote. */
export class Container {
  readonly id: string;
  readonly sandbox: Sandbox;
  readonly config: ContainerConfig;
  readonly image: StoredImage;
  readonly files: ContainerFiles;
  readonly logs: LogLine[] = [];
  /** Bytes of its log, rotated ones included. */
  logBytes = 0;
  /** What is typed to its process, if it takes any. */
  readonly stdin: Input | undefined;
  process: Process | undefined;
  linux: LinuxContainerResources;
  readonly usage: ContainerUsage;
  readonly #actor: Actor;
  readonly #createdAt: number;
  // Made when somebody listens: mostly nobody does.
  #exitListeners: Set<() => void> | undefined;
  #followers: Set<{ onLine(line: LogLine): void; onEnd(): void }> | undefined;
  #listeners: Set<(stream: 'stdout' | 'stderr', text: string) => void> | undefined;
  #state: ContainerRuntimeState = 'CONTAINER_CREATED';
  #startedAt = 0;
  #finishedAt = 0;
  #exit: Exit = { code: 0, reason: '', message: '' };
  #status: ContainerRuntimeStatus | undefined;

  constructor(actor: Actor, parts: { id: string; sandbox: Sandbox; config: ContainerConfig; image: StoredImage; files: ContainerFiles }) {
    this.#actor = actor;
    this.id = parts.id;
    this.sandbox = parts.sandbox;
    this.config = parts.config;
    this.linux = parts.config.linux;
    this.usage = new ContainerUsage(actor.simulation, () => this.linux.cpuLimitMilli);
    this.stdin = parts.config.stdin ? new Input('', true) : undefined;
    this.image = parts.image;
    this.files = parts.files;
    this.#createdAt = actor.wallTime;
  }

  get state(): ContainerRuntimeState {
    return this.#state;
  }

  get exitCode(): number {
    return this.#exit.code;
  }

  /** Whom its processes belong to. The groups of an image's user are not known, but that its own has the same number. */
  get user(): ContainerRuntimeStatus['user'] {
    const { runAsUser, runAsGroup, supplementalGroups = [] } = this.config;
    const ofImage = this.image.image.uid ?? 0;
    const gid = runAsGroup ?? (runAsUser === undefined || runAsUser === ofImage ? ofImage : 0);
    const groups = [...new Set([gid, ...supplementalGroups])].sort((a, b) => a - b);
    return { uid: runAsUser ?? ofImage, gid, supplementalGroups: groups };
  }

  /** The same object until something changes. */
  get status(): ContainerRuntimeStatus {
    this.#status ??= this.#makeStatus();
    return this.#status;
  }

  markRunning(): void {
    this.#state = 'CONTAINER_RUNNING';
    const { cpuMilli = DEFAULT_CPU_MILLI, memoryBytes = DEFAULT_MEMORY_BYTES } = this.image.definition;
    this.usage.start({ cpuMilli, memoryBytes });
    this.#startedAt = this.#actor.wallTime;
    this.#status = undefined;
  }

  markExited(exit: Exit): void {
    this.#state = 'CONTAINER_EXITED';
    this.usage.start({ cpuMilli: 0, memoryBytes: 0 });
    this.#finishedAt = this.#actor.wallTime;
    this.#exit = exit;
    this.#status = undefined;
    this.process = undefined;
    const listeners = this.#exitListeners ?? [];
    this.#exitListeners = undefined;
    for (const listener of listeners) listener();
  }

  /** The task never ran: containerd reports no start. */
  markStartFailed(code: number, message: string): void {
    this.#startedAt = 0;
    this.markExited({ code, reason: 'StartError', message });
  }

  /** In-place resize. */
  updateResources(linux: LinuxContainerResources): void {
    this.usage.settle();
    this.linux = linux;
  }

  /** Calls `listener` when the container ends; returns a function that takes it back. */
  onExit(listener: () => void): () => void {
    this.#exitListeners ??= new Set();
    this.#exitListeners.add(listener);
    return () => this.#exitListeners?.delete(listener);
  }

  /** Resolves when the container is not running any more. */
  exited(): Promise<void> {
    if (this.#state !== 'CONTAINER_RUNNING') return Promise.resolve();
    return new Promise((resolve) => void this.onExit(() => this.#actor.simulation.resolve(resolve, undefined)));
  }

  /** Tells of each further piece of the log, and of the container's end. */
  follow(listener: { onLine(line: LogLine): void; onEnd(): void }): () => void {
    if (this.#state === 'CONTAINER_EXITED') {
      listener.onEnd();
      return () => {};
    }
    this.#followers ??= new Set();
    this.#followers.add(listener);
    const release = this.onExit(() => {
      this.#followers?.delete(listener);
      listener.onEnd();
    });
    return () => {
      release();
      this.#followers?.delete(listener);
    };
  }

  /** Hears all further output as it is written; returns a function that ends it. */
  listen(listener: (stream: 'stdout' | 'stderr', text: string) => void): () => void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    return () => this.#listeners?.delete(listener);
  }

  write(stream: 'stdout' | 'stderr', text: string): void {
    for (const listener of this.#listeners ?? []) listener(stream, text);
    const time = this.#actor.wallTime;
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) this.#append({ time, stream, text: line, partial: false });
    if (rest) this.#append({ time, stream, text: rest, partial: true });
  }

  #append(line: LogLine): void {
    for (const { onLine } of this.#followers ?? []) onLine(line);
    const last = this.logs.at(-1);
    if (last?.partial && last.stream === line.stream)
      this.logs[this.logs.length - 1] = { ...line, time: last.time, text: last.text + line.text };
    else this.logs.push(line);
    this.logBytes += line.text.length + 1;
    if (this.logs.length > LOG_LINES_MAX) this.logs.splice(0, this.logs.length - LOG_LINES_MAX);
  }

  #makeStatus(): ContainerRuntimeStatus {
    return {
      id: this.id,
      podSandboxId: this.sandbox.id,
      podUid: this.sandbox.config.metadata.uid,
      name: this.config.name,
      attempt: this.config.attempt,
      state: this.#state,
      createdAt: this.#createdAt,
      startedAt: this.#startedAt,
      finishedAt: this.#finishedAt,
      exitCode: this.#exit.code,
      image: this.image.name,
      imageRef: this.image.image.repoDigests[0] ?? this.image.image.id,
      reason: this.#exit.reason,
      message: this.#exit.message,
      annotations: this.config.annotations,
      user: this.user,
    };
  }
}
