import type { Outbound, OutboundAnswer, OutboundRequest } from '../../src/api/outbound.ts';
import type { ApiRequest, ApiResponse, UserInfo } from '../../src/api/request.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { AuditEvent } from './audit.ts';

/** The way from kube-apiserver to the kubelet of a node, for logs, exec and the like. */
export type NodeProxy = (node: string, request: ApiRequest) => Promise<ApiResponse>;

/** The way from kube-apiserver to an address of the cluster's network: a Service in front of a webhook or of an extension API server. */
export type DialService = (address: { readonly ip: string; readonly port: number }, request: OutboundRequest) => Promise<OutboundAnswer>;

export interface KubeApiserverConfig {
  /** Whose timers end watches and send bookmarks; without it watches never end by themselves. */
  readonly actor?: Actor;
  /** How long after a commit the watch cache knows of it. Default 0. */
  readonly watchCacheMs?: number;
  /** How much of a request's way through the stages goes into the trace. Default `all`. */
  readonly stages?: 'all' | 'refused';
  /** Gets the audit log, each event with the trace entry of its request; without it none is kept. */
  readonly audit?: (event: AuditEvent, request: number) => void;
  /** Who sends a request over HTTP; undefined: nobody known. */
  readonly authenticate?: (request: Request) => UserInfo | undefined;
  readonly nodeProxy?: NodeProxy;
  /** How requests leave the cluster: to webhooks with a URL. Without it they fail. */
  readonly outbound?: Outbound;
  /** How requests reach other processes of the same machine, at 127.0.0.1. Without it nobody listens there. */
  readonly localhost?: Outbound;
  readonly dialService?: DialService;
  /** Services of APIServices are reached by their endpoints. */
  readonly enableAggregatorRouting?: boolean;
  /** As `--disable-admission-plugins`, e.g. `ServiceAccount` where no controller makes accounts. */
  readonly disableAdmissionPlugins?: readonly string[];
  /** As `--service-account-issuer`. Default `https://kubernetes.default.svc.cluster.local`. */
  readonly serviceAccountIssuer?: string;
  /** `host:port` that discovery names. */
  readonly advertise?: string;
}
