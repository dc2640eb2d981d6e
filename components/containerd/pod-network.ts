import type { DialFailure, GrpcHealth, HttpAnswer, HttpCall, PodNetwork } from '../../src/api/cri.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { NETWORK_MS } from './constants.ts';
import type { NetworkNamespace } from './network-namespace.ts';
import type { Service } from './process.ts';

interface Dial {
  readonly host: string;
  readonly port: number;
}

/** The way of one caller on a node to the pods there. */
export class NodePodNetwork implements PodNetwork {
  readonly #caller: Actor;
  readonly #target: Actor;
  readonly #networkAt: (ip: string) => NetworkNamespace | undefined;

  constructor(parts: { caller: Actor; target: Actor; networkAt: (ip: string) => NetworkNamespace | undefined }) {
    this.#caller = parts.caller;
    this.#target = parts.target;
    this.#networkAt = parts.networkAt;
  }

  connect(at: Dial, timeoutMs: number): Promise<'connected' | DialFailure> {
    return this.#ask<'connected'>(at, timeoutMs, () => 'connected');
  }

  http(call: HttpCall, timeoutMs: number): Promise<HttpAnswer | DialFailure> {
    return this.#ask<HttpAnswer>(call, timeoutMs, (service) => service.http?.(call) ?? { status: 400, body: '' });
  }

  grpcHealth(at: Dial & { readonly service: string }, timeoutMs: number): Promise<GrpcHealth | DialFailure> {
    return this.#ask<GrpcHealth>(at, timeoutMs, (service) => service.grpcHealth?.(at.service) ?? 'UNIMPLEMENTED');
  }

  #ask<T>(at: Dial, timeoutMs: number, answer: (service: Service) => T): Promise<T | DialFailure> {
    const request = async (): Promise<T | DialFailure> => {
      const network = this.#networkAt(at.host);
      if (!network) {
        await this.#target.sleep(timeoutMs);
        return 'timeout';
      }
      const service = network.at(at.port);
      if (!service) return 'refused';
      const answerMs = service.answerMs?.() ?? 0;
      if (answerMs > 0) await this.#target.sleep(Math.min(answerMs, timeoutMs));
      return answerMs > timeoutMs ? 'timeout' : answer(service);
    };
    return this.#caller.call(this.#target, request, { requestMs: NETWORK_MS, responseMs: NETWORK_MS });
  }
}
