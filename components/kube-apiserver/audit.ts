import { encodeObject } from '../../src/api/encode.ts';
import type { Status } from '../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { ApiRequest, ApiResponse, RequestInfo, UserInfo } from '../../src/api/request.ts';
import { formatMicroTime } from '../../src/api/time.ts';
import type { ServerCore } from './server-core.ts';

/** One line of the audit log: audit.k8s.io/v1 Event, as far as it is filled in. */
export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly level: 'RequestResponse';
  readonly auditID: string;
  readonly stage: 'ResponseComplete';
  readonly requestURI: string;
  readonly verb: string;
  readonly user: UserInfo;
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
    readonly apiGroup?: string;
    readonly apiVersion: string;
    readonly resourceVersion?: string;
    readonly subresource?: string;
  };
  readonly responseStatus: {
    readonly metadata: object;
    readonly status?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly code: number;
  };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface AuditOutcome {
  readonly response: ApiResponse;
  /** When the request came, in milliseconds since 1970. */
  readonly received: number;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Hands a finished write to the audit log, if there is one; reads are not logged. apiserver pkg/endpoints/filters.WithAudit */
export function recordAudit(server: ServerCore, request: ApiRequest, outcome: AuditOutcome): void {
  const { audit } = server.config;
  if (!audit || !WRITE_VERBS.has(request.info.verb)) return;
  const { info, user, headers, body } = request;
  const { response, received, annotations } = outcome;
  const status = response.code >= 400 ? (response.body as Status | undefined) : undefined;
  const responseMetadata = (response.body as KubernetesObject | undefined)?.metadata;
  const name = info.name || (info.verb !== 'deletecollection' ? responseMetadata?.name : '');
  const event: AuditEvent = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: server.auditIds.uuid(),
    stage: 'ResponseComplete',
    requestURI: info.path || pathOf(info),
    verb: info.verb,
    user,
    ...(headers.userAgent ? { userAgent: headers.userAgent } : {}),
    ...(info.isResourceRequest ? { objectRef: objectRefOf(info, name ?? '') } : {}),
    responseStatus: status
      ? {
          metadata: {},
          status: status.status ?? 'Failure',
          ...(status.message ? { message: status.message } : {}),
          ...(status.reason ? { reason: status.reason } : {}),
          code: response.code,
        }
      : { metadata: {}, code: response.code },
    ...(body !== undefined ? { requestObject: typeof body === 'string' ? parsed(body) : body } : {}),
    ...(response.body !== undefined ? { responseObject: encodeObject(response.body as KubernetesObject) } : {}),
    requestReceivedTimestamp: formatMicroTime(received),
    stageTimestamp: formatMicroTime(server.simulation.wallTime),
    ...(annotations ? { annotations } : {}),
  };
  audit(event, request.traced);
}

/** The object in a body that came as text; the text itself when it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const WRITE_VERBS: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

function objectRefOf(info: RequestInfo, name: string): NonNullable<AuditEvent['objectRef']> {
  const { resource, namespace, group, version, subresource } = info;
  return {
    resource,
    ...(namespace ? { namespace } : {}),
    ...(name ? { name } : {}),
    ...(group ? { apiGroup: group } : {}),
    apiVersion: version,
    ...(subresource ? { subresource } : {}),
  };
}

/** The path of a request that came without one. */
export function pathOf({ group, version, namespace, resource, name, subresource }: RequestInfo): string {
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
  return (
    root + (namespace ? `/namespaces/${namespace}` : '') + [resource, name, subresource].map((part) => (part ? `/${part}` : '')).join('')
  );
}
