import type { ContainerRuntimeStatus, GrpcHealth, HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { ContainerNetwork } from './cluster-network.ts';
import type { ContainerFiles } from './container-files.ts';
import type { ContainerUsage } from './container-usage.ts';
import type { ImageDefinition } from './image-definition.ts';
import type { NetworkNamespace } from './network-namespace.ts';
import type { Input } from './shell/io.ts';

export type Signal = 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGHUP' | 'SIGQUIT' | 'SIGUSR1' | 'SIGUSR2';

/** What answers at a port. */
export interface Service {
  /** Absent: something that takes connections, but speaks no HTTP. */
  readonly http?: (call: HttpCall) => HttpAnswer;
  readonly grpcHealth?: (service: string) => GrpcHealth;
  /** So many requests a second arrive, each too small to be an event of its own. */
  readonly onLoad?: (requestsPerSecond: number) => void;
  /** How long it takes to answer. */
  readonly answerMs?: () => number;
}

/** What a program has of the world: one container's view of its node. */
export interface ProcessContext {
  readonly actor: Actor;
  readonly argv: readonly string[];
  /** Put together for who asks: most programs do not. */
  readonly env: () => ReadonlyMap<string, string>;
  readonly workingDir: string;
  readonly hostname: string;
  /** As whom it runs. */
  readonly user: ContainerRuntimeStatus['user'];
  readonly files: ContainerFiles;
  readonly image: ImageDefinition;
  readonly network: NetworkNamespace;
  readonly memoryLimitBytes?: number | undefined;
  /** Where it says what it uses. */
  readonly usage: ContainerUsage;
  /** What it reaches of others. */
  readonly outgoing: ContainerNetwork;
  /** Process 1 of its container: the kernel gives it no signal that it has no handler for, SIGKILL apart. */
  readonly isInit: boolean;
  /** Process 1, for the others. */
  readonly main?: Process | undefined;
  /** What somebody types, or is piped in; nothing if absent. */
  readonly stdin?: Input | undefined;
  /** At a terminal. */
  readonly tty?: boolean;
  readonly write: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Called once, when the process has ended. */
  readonly exit: (code: number, reason?: 'OOMKilled') => void;
}

/** A running process. */
export interface Process {
  signal(signal: Signal): void;
}
