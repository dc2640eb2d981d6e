/** What stands before a cluster and takes requests for it: load balancers of clouds, as those see them who send something there. */

/** A connection that comes in, or a request over HTTP. */
export interface IncomingRequest {
  readonly port: number;
  /** Its `Host` header: a name or an address. */
  readonly host: string;
  readonly path?: string | undefined;
}

/** Where it goes on from the load balancer. */
export interface BalancerTarget {
  /** Of a node or a pod. */
  readonly ip: string;
  readonly port: number;
  /** Of whom the target sees it come; the client itself if absent. */
  readonly from?: string;
  /** The packet comes to the node as it was sent, for the load balancer's address: it only chooses the way. */
  readonly keepsDestination?: boolean;
}

/** What a load balancer does with a request. `what` says so in words, for the way that is shown. */
export type Forwarding = { readonly what: string } & (
  | {
      readonly verdict: 'forward';
      /** Each as likely as the others; one at least. */
      readonly targets: readonly BalancerTarget[];
      /** It speaks HTTP itself: the client hears 502 or 504 of a target that does not answer. */
      readonly proxies: boolean;
    }
  | { readonly verdict: 'answer'; readonly status: number; readonly body: string }
  | { readonly verdict: 'timeout' }
);

/** The load balancers of a cloud. */
export interface LoadBalancers {
  /** The addresses that public DNS has for a name; undefined when it does not know it. */
  resolve(name: string): readonly string[] | undefined;
  /** What the load balancer at an address does; undefined when there is none. */
  forward(ip: string, request: IncomingRequest): Forwarding | undefined;
}
