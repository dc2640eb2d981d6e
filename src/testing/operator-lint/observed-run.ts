import type { KubernetesObject } from '../../api/object.ts';
import type { TraceEntry } from '../../sim/trace.ts';

/** A request of an operator, with what came of it. */
export interface ObservedRequest {
  /** Its entry in the trace. */
  readonly seq: number;
  readonly time: number;
  readonly operator: string;
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** 0 when no answer came. */
  readonly code: number;
  /** Of writes: what was sent, and what was answered. */
  readonly sent?: unknown;
  readonly answered?: unknown;
}

/** What the rules look at. */
export interface ObservedRun {
  readonly entries: readonly TraceEntry[];
  /** Requests of operators, in order. */
  readonly requests: readonly ObservedRequest[];
  /** All objects at the end. */
  readonly objects: readonly KubernetesObject[];
}

/** A write as the audit log tells it: audit.k8s.io/v1 Event. */
export interface AuditedWrite {
  readonly userAgent?: string;
  readonly responseStatus: { readonly code: number };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
}

/** Programs of the cluster itself, and those that people use. */
const NOT_OPERATORS =
  /^(kube-|kubelet|kubectl|kubeadm|coredns|etcd|containerd|install$|cloud-controller-manager|csi-|nvidia-device-plugin|metrics-|curl|Mozilla|Lens|k9s)/;

/** The requests of operators in a run. `agents` gives the name that the sender of an HTTP request gave itself, by the trace entry of the request. */
export function requestsOfOperators(
  entries: readonly TraceEntry[],
  writes: ReadonlyMap<number, AuditedWrite>,
  agents: (entry: TraceEntry) => string,
): ObservedRequest[] {
  const codes = new Map(entries.flatMap((entry) => (entry.kind === 'response' ? [[entry.request, entry.code] as const] : [])));
  return entries.flatMap((entry) => {
    if (entry.kind !== 'request') return [];
    const write = writes.get(entry.seq);
    const operator = nameOf(write?.userAgent ?? agents(entry));
    if (operator === '' || NOT_OPERATORS.test(operator)) return [];
    const { group, resource, namespace = '', name } = entry.object;
    const place = { group, resource, namespace, name, verb: entry.verb, subresource: entry.subresource ?? '' };
    const outcome = {
      code: write?.responseStatus.code ?? codes.get(entry.seq) ?? 0,
      sent: write?.requestObject,
      answered: write?.responseObject,
    };
    return [{ seq: entry.seq, time: entry.time, operator, user: entry.user, ...place, ...outcome }];
  });
}

/** `manager/v0.0.0 (linux/amd64) kubernetes/…` is `manager`; `controller/website` is the actor of that name. */
function nameOf(agent: string): string {
  return agent.startsWith('controller/') ? agent.slice('controller/'.length) : (agent.split('/')[0] ?? '');
}

/** e.g. `Widget default/a`, or `configmaps default/a` when no answer says its kind. */
export function objectName({ answered, resource, namespace, name }: ObservedRequest): string {
  const { kind, metadata } = (answered ?? {}) as Partial<KubernetesObject>;
  const known = kind && kind !== 'Status' ? kind : resource;
  return `${known} ${namespace ? `${namespace}/` : ''}${name || metadata?.name || ''}`;
}

/** Which object a request is about, whatever part of it. */
export function objectKey({ group, resource, namespace, name, answered }: ObservedRequest): string {
  return `${group}/${resource}/${namespace}/${name || (answered as Partial<KubernetesObject> | undefined)?.metadata?.name || ''}`;
}

/** Puts requests of the same kind together, each kind where its first one stands. */
export function grouped(requests: readonly ObservedRequest[], kindOf: (request: ObservedRequest) => string): ObservedRequest[][] {
  const groups = new Map<string, ObservedRequest[]>();
  for (const request of requests) {
    const group = groups.get(kindOf(request)) ?? [];
    groups.set(kindOf(request), group);
    group.push(request);
  }
  return [...groups.values()];
}

/** A change of an object that was carried out. */
export function isUpdate({ verb, code }: ObservedRequest): boolean {
  return (verb === 'update' || verb === 'patch') && code >= 200 && code < 300;
}
