/** A request that leaves the cluster, or goes to a Service in it: to a webhook, to an extension API server. */
export interface OutboundRequest {
  readonly method: string;
  /** `https://…` */
  readonly url: string;
  /** A list: one header line for each. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** The name that the certificate must have, where it is not that of the URL. */
  readonly serverName?: string;
  /** PEM of the authorities to trust, in base64; those of the host if absent. */
  readonly caBundle?: string;
  /** The certificate is not looked at. */
  readonly insecure?: boolean;
  /** What the request may take, in milliseconds. */
  readonly timeoutMs: number;
}

export interface OutboundAnswer {
  readonly status: number;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why no answer came, in the words of Go's net/http, e.g. `dial tcp 127.0.0.1:19444: connect: connection refused`. */
export class OutboundError extends Error {
  override name = 'OutboundError';
}

/**
 * Sends a request. Its promise must be resolved inside the simulation: at once, or from an event or an input.
 * @throws OutboundError
 */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;
