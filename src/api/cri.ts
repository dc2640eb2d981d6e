/**
 * The Container Runtime Interface: how a kubelet drives the runtime of its node (cri-api pkg/apis/runtime/v1). Method, field and state names are those of
 * the real interface, in camel case; instants are milliseconds since 1970. All calls take virtual time.
 */

import type { CniPortMapping } from './cni.ts';

/** cri-api PodSandboxMetadata */
export interface PodSandboxMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly attempt: number;
}

/** cri-api PodSandboxConfig */
export interface PodSandboxConfig {
  readonly metadata: PodSandboxMetadata;
  readonly hostname: string;
  readonly hostNetwork: boolean;
  /** Without it containers have no resolv.conf, and look names up as pods of the namespace usually do. */
  readonly dnsConfig?: DnsConfig;
  readonly logDirectory: string;
  /** Ports of the node that lead to the pod. */
  readonly portMappings?: readonly CniPortMapping[];
}

/** cri-api DNSConfig: what /etc/resolv.conf of a pod's containers says. */
export interface DnsConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

export type PodSandboxState = 'SANDBOX_READY' | 'SANDBOX_NOTREADY';

/** cri-api PodSandboxStatus */
export interface PodSandboxStatus {
  readonly id: string;
  readonly metadata: PodSandboxMetadata;
  readonly state: PodSandboxState;
  readonly createdAt: number;
  /** Empty with `hostNetwork`. */
  readonly ips: readonly string[];
  readonly hostNetwork: boolean;
}

/** cri-api Mount */
export interface Mount {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readOnly: boolean;
}

/** cri-api Device: a device file of the node that a container sees. */
export interface DeviceMapping {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly permissions: string;
}

/** cri-api LinuxContainerResources, as far as it is modelled. Cpu in millicores, memory in bytes. */
export interface LinuxContainerResources {
  readonly cpuLimitMilli?: number;
  readonly memoryLimitBytes?: number;
}

/** cri-api ContainerConfig */
export interface ContainerConfig {
  readonly name: string;
  /** Counts the instances of one container of a pod, from 0. */
  readonly attempt: number;
  /** As written in the pod. */
  readonly image: string;
  /** The image's id, as `pullImage` or `imageStatus` gave it. */
  readonly imageRef: string;
  /** The image's own entry point if absent. */
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly envs: readonly { readonly key: string; readonly value: string }[];
  readonly mounts: readonly Mount[];
  readonly devices?: readonly DeviceMapping[];
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly supplementalGroups?: readonly number[];
  /** Nothing but what is mounted can be written. */
  readonly readonlyRootfs?: boolean;
  readonly linux: LinuxContainerResources;
  readonly stdin: boolean;
  readonly stdinOnce?: boolean;
  readonly tty: boolean;
  /** What the kubelet wants to find again: the hash of the spec, restart count, termination message settings. */
  readonly annotations: Readonly<Record<string, string>>;
}

export type ContainerRuntimeState = 'CONTAINER_CREATED' | 'CONTAINER_RUNNING' | 'CONTAINER_EXITED' | 'CONTAINER_UNKNOWN';

/** cri-api ContainerStatus */
export interface ContainerRuntimeStatus {
  readonly id: string;
  readonly podSandboxId: string;
  readonly podUid: string;
  readonly name: string;
  readonly attempt: number;
  readonly state: ContainerRuntimeState;
  readonly createdAt: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode: number;
  /** e.g. `docker.io/library/nginx:1.27` */
  readonly image: string;
  /** e.g. `docker.io/library/nginx@sha256:…` */
  readonly imageRef: string;
  readonly reason: string;
  readonly message: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly user: { readonly uid: number; readonly gid: number; readonly supplementalGroups: readonly number[] };
}

/** Everything the runtime knows of one pod; what an event of cri-api GetContainerEvents carries. */
export interface PodRuntimeState {
  readonly uid: string;
  /** Newest first. */
  readonly sandboxes: readonly PodSandboxStatus[];
  /** Newest first. */
  readonly containers: readonly ContainerRuntimeStatus[];
}

/** cri-api Image */
export interface Image {
  readonly id: string;
  readonly repoTags: readonly string[];
  readonly repoDigests: readonly string[];
  readonly size: number;
  /** The user that the image asks for; absent for root. */
  readonly uid?: number;
}

/** cri-api ExecSyncResponse */
export interface ExecSyncResponse {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** cri-api ContainerStats: what a running container uses. */
export interface ContainerStats {
  readonly podUid: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** CPU time since its start, in nanoseconds. */
  readonly cpuNanos: number;
  /** Its working set now. */
  readonly memoryBytes: number;
  /** What it wrote to its writable layer, and to its log. */
  readonly rootfsBytes: number;
  readonly logBytes: number;
  readonly processes: number;
}

/** What the machine has and what of it is left: cri-api ImageFsInfo, and what a kubelet reads of its own machine. */
export interface NodeStats {
  /** What all containers that run use together. */
  readonly memoryBytes: number;
  readonly diskCapacityBytes: number;
  readonly diskAvailableBytes: number;
  readonly maxPids: number;
  readonly pids: number;
}

/** cri-api ExecRequest, as far as it is modelled */
export interface ExecRequest {
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** Hears what a process writes, and of its end. */
export interface ExecListener {
  onOutput(stream: 'stdout' | 'stderr', text: string): void;
  onExit(code: number): void;
}

/** The caller's end of a process that it joined. */
export interface ExecStream {
  /** What is typed. */
  write(text: string): void;
  /** Nothing more will be typed. */
  end(): void;
  /** The caller is gone. */
  close(): void;
}

/** One line of a container's log. */
export interface LogLine {
  readonly time: number;
  readonly stream: 'stdout' | 'stderr';
  /** Without the line break. */
  readonly text: string;
  /** The line ended without a line break. */
  readonly partial: boolean;
}

export interface RuntimeCondition {
  readonly type: 'RuntimeReady' | 'NetworkReady';
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

/** How a runtime refuses a call: a message for people, as the real one words it. */
export class RuntimeError extends Error {
  override name = 'RuntimeError';
  readonly reason: 'NotFound' | 'DeadlineExceeded' | 'Unknown';

  constructor(message: string, reason: 'NotFound' | 'DeadlineExceeded' | 'Unknown' = 'Unknown') {
    super(message);
    this.reason = reason;
  }
}

/** What stands at an address of the node's network, for probes and forwarded ports. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `refused`: nothing listens; `timeout`: no answer within the time given. */
export type DialFailure = 'refused' | 'timeout';

/** The node's way to the pods on it. */
export interface PodNetwork {
  connect(at: { readonly host: string; readonly port: number }, timeoutMs: number): Promise<'connected' | DialFailure>;
  http(call: HttpCall, timeoutMs: number): Promise<HttpAnswer | DialFailure>;
  /** grpc.health.v1 Check. */
  grpcHealth(
    at: { readonly host: string; readonly port: number; readonly service: string },
    timeoutMs: number,
  ): Promise<GrpcHealth | DialFailure>;
}

export type GrpcHealth = 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN' | 'UNIMPLEMENTED';

/** The node's file system, as far as kubelet and runtime share it. Paths are absolute; missing directories are made. */
export interface HostFiles {
  readFile(path: string): string | undefined;
  writeFile(path: string, content: string): void;
  makeDirectory(path: string): void;
  isDirectory(path: string): boolean;
  /** Names in a directory; empty when there is none. */
  list(path: string): readonly string[];
  /** Bytes in a file, or in all files of a directory. */
  size(path: string): number;
  /** Removes a file, or a directory with what is in it. */
  remove(path: string): void;
}

/** cri-api RuntimeServiceServer and ImageServiceServer, as seen by one caller. Rejects with `RuntimeError`, or `ActorUnavailable` when the runtime is down. */
export interface ContainerRuntimeInterface {
  status(): Promise<readonly RuntimeCondition[]>;
  version(): Promise<{ readonly runtimeName: string; readonly runtimeVersion: string }>;
  updateRuntimeConfig(config: { readonly podCidr: string }): Promise<void>;

  runPodSandbox(config: PodSandboxConfig): Promise<string>;
  stopPodSandbox(id: string): Promise<void>;
  removePodSandbox(id: string): Promise<void>;
  podSandboxStatus(id: string): Promise<PodSandboxStatus>;

  createContainer(podSandboxId: string, config: ContainerConfig): Promise<string>;
  startContainer(id: string): Promise<void>;
  stopContainer(id: string, timeoutSeconds: number): Promise<void>;
  removeContainer(id: string): Promise<void>;
  containerStatus(id: string): Promise<ContainerRuntimeStatus>;
  updateContainerResources(id: string, linux: LinuxContainerResources): Promise<void>;
  execSync(id: string, command: readonly string[], timeoutMs: number): Promise<ExecSyncResponse>;
  /** Exec: runs a command whose output comes as it is written. Rejects when it cannot be started. */
  exec(id: string, request: ExecRequest, listener: ExecListener): Promise<ExecStream>;
  /** Attach: the further output of the container's own process, and its input if the container has one. */
  attach(id: string, request: { readonly stdin: boolean }, listener: ExecListener): Promise<ExecStream>;
  /** What a container wrote so far. Works on dead containers until they are removed. */
  logs(id: string): Promise<readonly LogLine[]>;
  /** Calls `onLine` with each further piece of the log as it is written, then `onEnd` when the container has ended. Returns a function that ends it. */
  followLogs(id: string, listener: { onLine(line: LogLine): void; onEnd(): void }): () => void;

  /** Of all running containers. */
  listContainerStats(): Promise<readonly ContainerStats[]>;
  /** One disk for everything: there is no image file system of its own. */
  nodeStats(): Promise<NodeStats>;

  /** ListPodSandbox and ListContainers in one: all pods, or those named. */
  listPods(uids?: readonly string[]): Promise<readonly PodRuntimeState[]>;
  /**
   * GetContainerEvents: `onChange` is called with the uid of a pod whenever something of it changed, at that moment. It must only take note; the state is
   * read with `listPods`. Returns a function that ends it.
   */
  containerEvents(onChange: (podUid: string) => void): () => void;

  imageStatus(image: string): Promise<Image | undefined>;
  pullImage(image: string): Promise<Image>;
  listImages(): Promise<readonly Image[]>;
  removeImage(image: string): Promise<void>;

  readonly files: HostFiles;
  readonly network: PodNetwork;
}

/** The runtime's socket, for whoever runs on the node. `Caller` is the caller's actor. */
export interface RuntimeEndpoint<Caller = never> {
  /** The node's own address. */
  readonly nodeIp: string;
  /** Another one after each start of the machine. */
  readonly bootId: string;
  connect(caller: Caller): ContainerRuntimeInterface;
}
