import type { HttpAnswer, HttpCall } from '../api/cri.ts';
import { type Outbound, OutboundError, type OutboundRequest } from '../api/outbound.ts';
import type { Actor } from '../sim/actor.ts';

const LOOPBACK_MS = 1;

/** pkg/cluster/ports: where the components of a control plane listen. */
export const KUBE_CONTROLLER_MANAGER_PORT = 10257;
export const KUBE_SCHEDULER_PORT = 10259;

/** What a component that is up answers about its health. component-base: `/healthz` */
export function answerHealth({ path }: HttpCall): HttpAnswer {
  return /^\/healthz(?:\?|$)/.test(path) ? { status: 200, body: 'ok' } : { status: 404, body: '404 page not found\n' };
}

/** The machine that kube-apiserver runs on, as far as others listen there: whom it reaches at 127.0.0.1. */
export class Localhost {
  readonly #servers = new Map<number, { readonly process: Actor; readonly handle: (call: HttpCall) => HttpAnswer }>();

  listen(port: number, process: Actor, handle: (call: HttpCall) => HttpAnswer): void {
    this.#servers.set(port, { process, handle });
  }

  /** Requests of `caller`: to this machine, or as before. */
  outbound(caller: Actor, beyond?: Outbound): Outbound {
    return async (request) => {
      const { hostname, port } = new URL(request.url);
      if (hostname === '127.0.0.1') return this.#ask(caller, Number(port), request);
      if (beyond) return beyond(request);
      throw new OutboundError(`dial tcp: lookup ${hostname}: no such host`);
    };
  }

  async #ask(caller: Actor, port: number, request: OutboundRequest): ReturnType<Outbound> {
    const server = this.#servers.get(port);
    if (server?.process.state !== 'running') throw new OutboundError(`dial tcp 127.0.0.1:${port}: connect: connection refused`);
    const { pathname, search } = new URL(request.url);
    const call: HttpCall = {
      method: request.method,
      ...{ path: `${pathname}${search}`, host: '127.0.0.1', port, headers: {} },
      ...(request.body === undefined ? {} : { body: request.body }),
    };
    const times = { requestMs: LOOPBACK_MS, responseMs: LOOPBACK_MS };
    const { status, body, headers = {} } = await caller.call(server.process, () => server.handle(call), times);
    return { status, body, headers };
  }
}
