import type { HttpAnswer, HttpCall } from '../../src/api/cri.ts';

import type { Process, ProcessContext } from './process.ts';

/** Whether what runs in a container is well, from a moment after its start on: the last one that has begun counts. */
export interface HealthPeriod {
  readonly fromMs: number;
  readonly healthy: boolean;
}

/** A program in code, as far as it answers HTTP requests. It runs in the bottle: no clock, no chance, no state between requests. */
export type HttpProgram = (call: HttpCall) => HttpAnswer;

/** How the program of an image behaves, in virtual time. All is optional: a program runs until it is stopped. */
export interface ProgramDefinition {
  /** From the start of the process until it serves. */
  readonly startDelayMs?: number;
  /** It ends by itself. */
  readonly exit?: { readonly afterMs: number; readonly code: number; readonly reason?: 'OOMKilled' };
  /** Ports it serves. `any`: whichever somebody connects to. */
  readonly ports?: readonly number[] | 'any';
  readonly protocol?: 'http' | 'grpc' | 'tcp';
  /** What HTTP requests get while it is well. `paths` answer with a status of their own. */
  readonly http?: { readonly status?: number; readonly body?: string; readonly paths?: Readonly<Record<string, number>> };
  /** Code that answers HTTP requests while it is well, in place of `http`: a name of one of the cluster's `programs`. */
  readonly program?: string;
  /** That code. */
  readonly answer?: HttpProgram;
  /** Probes over time; an unhealthy program answers 500, NOT_SERVING, refuses connections, and fails its exec probes. */
  readonly health?: readonly HealthPeriod[];
  readonly answerMs?: number;
  /** Lines that it writes when it starts. */
  readonly logs?: readonly string[];
  readonly ignoresSigterm?: boolean;
  /** From SIGTERM to its end. */
  readonly stopMs?: number;
  readonly stopCode?: number;
  /** What it uses while nobody asks anything of it. */
  readonly cpuMilli?: number;
  /** Milliseconds of a CPU that it takes to answer a request. */
  readonly cpuPerRequestMs?: number;
  readonly memoryBytes?: number;
  /** What it writes to its root file system, besides files that its commands make. */
  readonly diskBytes?: number;
  /** How many processes it runs. Default 1. */
  readonly processes?: number;
}

/** An image: where it comes from, what is in it, what its program does. Scenarios and tests declare their own. */
export interface ImageDefinition extends ProgramDefinition {
  /** e.g. `nginx` (every tag), `nginx:1.27`, `registry.example.com/app:v2`. */
  readonly name: string;
  readonly size?: number;
  /** The user it asks for; root if absent. */
  readonly user?: number;
  readonly pull?: { readonly ms?: number; readonly error?: string };
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Names of the image's own program, as in `entrypoint`, `command` or a pod's `command`. */
  readonly programs?: readonly string[];
  /** Commands for probes and hooks that say whether the program is well, e.g. `pg_isready`. */
  readonly healthCommands?: readonly string[];
  /** Starts its program, where that is a component of its own and nothing that a definition could describe. */
  readonly start?: (context: ProcessContext) => Process;
  /** Whether there is a shell with the usual commands. Yes if absent. */
  readonly shell?: boolean;
  /** What is in the image is known: a command that is not there cannot be run. Otherwise an unknown command of an unknown image is taken for its program. */
  readonly known?: boolean;
  /** Tags that exist; all if absent. */
  readonly tags?: RegExp;
}
