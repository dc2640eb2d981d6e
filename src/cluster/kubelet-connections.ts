import type { KubeletApi } from '../api/kubelet-api.ts';
import type { ApiRequest, ApiResponse } from '../api/request.ts';
import { ApiStatusError } from '../api/status-error.ts';
import type { Actor } from '../sim/actor.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';

type ServedKubelet = KubeletApi & { readonly actor: Actor };

/** The ways from kube-apiserver to the kubelets: for logs and the like. */
export class KubeletConnections {
  readonly #kubelets = new Map<string, ServedKubelet>();
  readonly #timing: { readonly requestMs: number; readonly responseMs: number };

  constructor(timing: { readonly requestMs: number; readonly responseMs: number }) {
    this.#timing = timing;
  }

  /** The kubelet of the node serves from now on. */
  serve(node: string, kubelet: ServedKubelet): void {
    this.#kubelets.set(node, kubelet);
  }

  of(node: string): KubeletApi | undefined {
    return this.#kubelets.get(node);
  }

  /** kube-apiserver hands a request on. */
  async proxy(server: Actor, node: string, request: ApiRequest): Promise<ApiResponse> {
    const kubelet = this.#kubelets.get(node);
    try {
      if (kubelet) return await server.call(kubelet.actor, () => kubelet.handle(request), this.#timing);
    } catch (error) {
      if (!(error instanceof ActorUnavailable)) throw error;
    }
    const status = new ApiStatusError({
      message: `Get "https://${node}:10250/": dial tcp: connect: connection refused`,
      reason: 'InternalError',
      code: 500,
    }).status;
    return { code: 500, body: status };
  }
}
