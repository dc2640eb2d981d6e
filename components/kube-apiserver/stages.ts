import type { ApiRequest } from '../../src/api/request.ts';
import type { ServerCore } from './server-core.ts';

/** The stations of a request inside kube-apiserver, in order. Not every request passes all of them. */
export type Stage =
  | 'authentication'
  | 'authorization'
  | 'decoding'
  | 'mutating-admission'
  | 'validation'
  | 'validating-admission'
  | 'storage';

/** Leaves a trace of a request's way: each stage that it came through, and the one that refused it. */
export class Stages {
  readonly #server: ServerCore;
  readonly #request: ApiRequest;
  readonly #everything: boolean;
  #current: Stage | undefined;
  #changed = false;
  /** What admission leaves for the audit log. */
  annotations: Record<string, string> | undefined;

  constructor(server: ServerCore, request: ApiRequest) {
    this.#server = server;
    this.#request = request;
    this.#everything = server.config.stages !== 'refused';
  }

  /** The request is through with the stage before, and enters this one. */
  enter(stage: Stage): void {
    if (this.#current === stage) return;
    this.finish();
    this.#current = stage;
  }

  /** The present stage changed the object. */
  changed(): void {
    this.#changed = true;
  }

  /** Leaves a note for the audit log; the first one under a key stays. */
  annotate(key: string, value: string): void {
    this.annotations ??= {};
    this.annotations[key] ??= value;
  }

  /** The request is through with its last stage. */
  finish(): void {
    if (this.#current !== undefined && this.#everything) this.#record(this.#current, this.#changed ? 'changed' : 'ok');
    this.#current = undefined;
    this.#changed = false;
  }

  /** The present stage ends the request. */
  refuse(message: string): void {
    if (this.#current !== undefined) this.#record(this.#current, 'refused', message);
    this.#current = undefined;
  }

  #record(stage: Stage, outcome: 'ok' | 'changed' | 'refused', message?: string): void {
    const { trace } = this.#server.simulation;
    const { traced: request } = this.#request;
    trace.record(trace.recording ? { kind: 'stage', request, stage, outcome, ...(message ? { message } : {}) } : undefined);
  }
}
