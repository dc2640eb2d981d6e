import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import type { Random } from '../../../src/sim/random.ts';
import type { ServerCore } from '../server-core.ts';
import { classificationHeaders, classify } from './classification.ts';
import { DroppedRequests } from './dropped-requests.ts';

/** More requests than the server has seats for. */
export interface Overload {
  /** The level that is full; every level that has a limit if absent. */
  readonly priorityLevel?: string;
  /** The part of its requests that finds no place in the queues: 1 for all. */
  readonly share: number;
}

/**
 * API Priority and Fairness: sends away what finds no place in the queues of its priority level. Requests take no time here, so that queues fill up only when
 * somebody says so. apiserver pkg/server/filters WithPriorityAndFairness
 */
export class PriorityAndFairness {
  /** Absent: everything is let in. */
  overload: Overload | undefined;
  readonly #server: ServerCore;
  readonly #dropped = new Map<string, DroppedRequests>();
  readonly #random: Random;

  constructor(server: ServerCore) {
    this.#server = server;
    this.#random = server.simulation.random.fork('kube-apiserver/flowcontrol');
  }

  /** The answer to a request that is sent away; undefined for one that is let in. */
  reject(request: ApiRequest): ApiResponse | undefined {
    const { overload } = this;
    if (!overload) return undefined;
    const classification = classify(this.#server, request);
    const { level, name } = classification;
    if (level?.spec?.type === 'Exempt' || (overload.priorityLevel ?? name) !== name) return undefined;
    if (this.#random.float() >= overload.share) return undefined;
    const dropped = this.#dropped.get(name) ?? new DroppedRequests();
    this.#dropped.set(name, dropped);
    dropped.record(Math.floor(this.#server.simulation.wallTime / 1000));
    const headers = { 'Retry-After': String(dropped.retryAfterSeconds), ...classificationHeaders(classification) };
    return { code: 429, headers, text: 'Too many requests, please try again later.\n' };
  }
}
