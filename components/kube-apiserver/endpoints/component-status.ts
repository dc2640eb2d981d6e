import type { ComponentStatus } from '../../../src/api/kinds/core-v1.ts';
import { OutboundError } from '../../../src/api/outbound.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { newNotFound } from '../../../src/api/status-error.ts';
import type { RequestContext } from '../request-context.ts';
import { type Steps, wait } from '../steps.ts';
import { selectionOf } from '../storage/selection.ts';

const TIMEOUT_MS = 5_000;

/** Whom kube-apiserver asks, on its own machine. pkg/registry/core/rest.componentStatusStorage.serversToValidate */
const SERVERS: Readonly<Record<string, string>> = {
  'controller-manager': 'https://127.0.0.1:10257/healthz',
  // The store is part of this server: it answers whenever anybody can ask.
  'etcd-0': '',
  scheduler: 'https://127.0.0.1:10259/healthz',
};

/** GET of componentstatuses, one or all: nothing of it is stored, each answer asks anew. pkg/registry/core/componentstatus.REST */
export function* componentStatuses(context: RequestContext): Steps<ApiResponse> {
  const { verb, name } = context.request.info;
  if (verb === 'get') {
    // The one kind that is named in the singular.
    if (!(name in SERVERS)) throw newNotFound({ group: '', resource: 'componentstatus' }, name);
    return { code: 200, body: yield* statusOf(context, name) };
  }
  const selection = selectionOf(context, context.request.query);
  const items: ComponentStatus[] = [];
  for (const server of Object.keys(SERVERS)) items.push(yield* statusOf(context, server));
  const body = { kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items: items.filter((item) => selection.matches(item)) };
  return { code: 200, body };
}

function* statusOf({ server: { config } }: RequestContext, name: string): Steps<ComponentStatus> {
  const url = SERVERS[name] ?? '';
  const { healthy, message } = url === '' ? { healthy: true, message: 'ok' } : yield* wait(probe(url, config.localhost));
  const conditions = [{ type: 'Healthy', status: healthy ? 'True' : 'False', message }];
  return { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions };
}

/** pkg/probe/http.DoHTTPProbe */
async function probe(
  url: string,
  localhost: RequestContext['server']['config']['localhost'],
): Promise<{ healthy: boolean; message: string }> {
  try {
    if (!localhost) throw new OutboundError(`dial tcp ${new URL(url).host}: connect: connection refused`);
    const { status, body } = await localhost({ method: 'GET', url, headers: {}, timeoutMs: TIMEOUT_MS, insecure: true });
    return { healthy: status < 400, message: status < 400 ? body : `HTTP probe failed with statuscode: ${status}` };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { healthy: false, message: `Get ${JSON.stringify(url)}: ${error.message}` };
  }
}
