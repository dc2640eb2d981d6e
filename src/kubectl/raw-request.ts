import type { Status } from '../api/kinds/meta-v1.ts';
import type { UserInfo } from '../api/request.ts';
import { ApiStatusError } from '../api/status-error.ts';
import { genericAnswer } from '../client/response-error.ts';
import { KubectlError } from './kubectl-error.ts';

/** A request by its path. */
export interface RawRequest {
  readonly user: UserInfo;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** `--raw` @throws ApiStatusError */
export async function sendRaw(fetch: ((request: RawRequest) => Promise<Response>) | undefined, request: RawRequest): Promise<string> {
  if (!fetch) throw new KubectlError('error: --raw is not offered here');
  const response = await fetch(request);
  const text = await response.text();
  if (response.status < 400) return text;
  throw new ApiStatusError(statusOf(response, text));
}

/** The Status in a refusal; of other text, what client-go makes of it. */
function statusOf({ status: code }: Response, text: string): Status {
  try {
    const status = JSON.parse(text) as Status;
    if (status.kind === 'Status') return status;
  } catch {}
  const [reason, message] = genericAnswer(code, text);
  return { metadata: {}, status: 'Failure', reason, message, code };
}
