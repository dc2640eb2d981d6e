import { type ParsedBody, parseBody } from '../../../src/api/decode-body.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import type { RequestScope } from '../request-context.ts';

const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const MEDIA_TYPES = new Set(['', 'application/json', 'application/yaml']);

/** The body of a write, parsed: as it is when it comes from the same process, else JSON or YAML text. `target` is for messages. */
export function bodyOf({ request }: RequestScope, target: Pick<Resource, 'group' | 'version' | 'kind'>): ParsedBody {
  const { body, headers } = request;
  if (typeof body === 'string') assertMediaType(headers.contentType);
  return parseBody(body, { apiVersion: apiVersionOf(target), kind: target.kind }, headers.contentType);
}

/** Refuses a body that is neither JSON nor YAML. apiserver pkg/endpoints/handlers/negotiation.NewUnsupportedMediaTypeError */
export function assertMediaType(contentType: string | undefined): void {
  const mediaType = (contentType ?? '').split(';')[0]?.trim() ?? '';
  if (MEDIA_TYPES.has(mediaType)) return;
  const message = `the body of the request was in an unknown format - accepted media types include: ${ACCEPTED}`;
  throw new ApiStatusError({ message, reason: 'UnsupportedMediaType', code: 415 });
}
