import type { KubernetesObject } from '../../src/api/object.ts';
import { type Outbound, OutboundError } from '../../src/api/outbound.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import { parseDuration } from '../../src/api/time.ts';
import type { Hook } from './api.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

/** What is asked, and about which object. */
interface HookCall {
  /** `sync`, `finalize` or `customize`, for messages. */
  readonly name: string;
  readonly hook: Hook;
  readonly about: KubernetesObject;
  readonly request: object;
}

/** Asks a hook. @throws ApiStatusError when it does not answer 200 with JSON: the object is looked at again later. metacontroller pkg/hooks WebhookExecutor.Call */
export async function callHook<T>(fetch: Outbound, { name, hook, about, request }: HookCall): Promise<T> {
  const { namespace, name: object } = about.metadata;
  const failed = (why: string): ApiStatusError =>
    new ApiStatusError({
      code: 500,
      reason: 'InternalError',
      message: `${name} hook failed for ${about.kind} ${namespace ? `${namespace}/` : ''}${object}: ${why}`,
    });
  const url = urlOf(hook);
  if (!url) throw failed('invalid webhook config: must specify either full url, or both service and path');
  const timeoutMs = parseDuration(hook.webhook?.timeout ?? '') ?? DEFAULT_TIMEOUT_MS;
  const headers = { 'content-type': 'application/json' };
  try {
    const { status, body } = await fetch({ method: 'POST', url, headers, body: JSON.stringify(request), timeoutMs });
    if (status !== 200) throw failed(`remote error: ${body}`);
    return JSON.parse(body) as T;
  } catch (error) {
    if (error instanceof OutboundError) throw failed(`http error: Post ${JSON.stringify(url)}: ${error.message}`);
    if (error instanceof SyntaxError) throw failed(`can't unmarshal response: ${error.message}`);
    throw error;
  }
}

function urlOf({ webhook }: Hook): string | undefined {
  if (webhook?.url) return webhook.url;
  const { service, path } = webhook ?? {};
  if (!service || path === undefined) return undefined;
  const { name, namespace, port = 80, protocol = 'http' } = service;
  return `${protocol}://${name}.${namespace}:${port}${path}`;
}
