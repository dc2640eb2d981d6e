import type { FlowSchema, PriorityLevelConfiguration } from '../../../src/api/kinds/flowcontrol-v1.ts';
import type { ApiRequest } from '../../../src/api/request.ts';
import { flowschemas, prioritylevelconfigurations } from '../../../src/api/resources.ts';
import type { ServerCore } from '../server-core.ts';
import { flowSchemaOf } from './flow-schema.ts';

/** Where a request belongs. apiserver pkg/server/filters.PriorityAndFairnessClassification */
export interface Classification {
  readonly schema: FlowSchema | undefined;
  readonly level: PriorityLevelConfiguration | undefined;
  /** The name of the level. */
  readonly name: string;
}

/** Requests that last, other than watches, are let in uncounted. */
const UNCOUNTED: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

export function classify(server: ServerCore, request: Pick<ApiRequest, 'info' | 'user'>): Classification {
  const schema = flowSchemaOf(request, server.storage(flowschemas).list());
  const name = schema?.spec?.priorityLevelConfiguration.name ?? 'catch-all';
  return { schema, name, level: server.storage(prioritylevelconfigurations).get('', name) };
}

/** The headers by which a client learns where its request belongs. apiserver pkg/server/filters.setResponseHeaders */
export function classificationHeaders({ schema, level }: Classification): Record<string, string> {
  return {
    ...(schema?.metadata.uid ? { 'X-Kubernetes-PF-FlowSchema-UID': schema.metadata.uid } : {}),
    ...(level?.metadata.uid ? { 'X-Kubernetes-PF-PriorityLevel-UID': level.metadata.uid } : {}),
  };
}

/** The same for a request over HTTP, if it is one that is counted. */
export function headersFor(server: ServerCore, request: ApiRequest): Record<string, string> {
  return UNCOUNTED.has(request.info.subresource) ? {} : classificationHeaders(classify(server, request));
}
