import type { TokenRequest } from '../../../src/api/kinds/authentication-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { nodes, pods, secrets } from '../../../src/api/resources.ts';
import { type ApiStatusError, newBadRequest, newConflict, newInvalid, newNotFound } from '../../../src/api/status-error.ts';
import { formatTime } from '../../../src/api/time.ts';
import { invalid } from '../../../src/api/validation/field.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { bodyOf } from './body.ts';
import { decodeAs } from './decode-body.ts';

const TOKEN_REQUEST = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
const DEFAULT_SECONDS = 3600;
const BINDABLE = { Pod: pods, Secret: secrets, Node: nodes } as const;

/** POST to serviceaccounts/token. pkg/registry/core/serviceaccount/storage.TokenREST.Create */
export function* requestToken(context: RequestContext): Steps<ApiResponse> {
  const { request, storage, namespace, server } = context;
  const { name } = request.info;
  const account = storage.get(namespace, name);
  if (!account) throw newNotFound(context.resource, name);
  const decoded = decodeAs<TokenRequest>(context, TOKEN_REQUEST, bodyOf(context, TOKEN_REQUEST));
  const attributes = { context, operation: 'CREATE', name } as const;
  const wanted = (yield* server.admission.mutate({ ...attributes, object: decoded })) as TokenRequest;
  yield* server.admission.validate({ ...attributes, object: wanted });
  const seconds = wanted.spec?.expirationSeconds ?? DEFAULT_SECONDS;
  if (seconds < MIN_SECONDS) throw refused(seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > MAX_SECONDS) throw refused(seconds, 'may not specify a duration larger than 2^32 seconds');
  const bound = boundObject(context, wanted);
  const audiences = wanted.spec?.audiences?.length ? wanted.spec.audiences : [server.tokens.issuer];
  const token = server.tokens.issue({ namespace, name, uid: account.metadata.uid ?? '', audiences, seconds, bound });
  const expirationTimestamp = formatTime(server.simulation.wallTime + seconds * 1000);
  const metadata = { name, namespace, creationTimestamp: formatTime(server.simulation.wallTime) };
  const { boundObjectRef } = wanted.spec;
  const spec = { audiences, expirationSeconds: seconds, boundObjectRef: boundObjectRef ?? null };
  return {
    code: 201,
    body: { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', metadata, spec, status: { token, expirationTimestamp } },
  };
}

function refused(seconds: number, why: string): ApiStatusError {
  return newInvalid(TOKEN_REQUEST, '', [invalid('spec.expirationSeconds', seconds, why)]);
}

/** The object without which the token is void. */
function boundObject(
  {
    server,
    namespace,
    request: {
      info: { name: account },
    },
  }: RequestContext,
  { spec }: TokenRequest,
): { kind: string; name: string; uid: string } | undefined {
  const reference = spec?.boundObjectRef;
  if (!reference) return undefined;
  const { kind = '', apiVersion = '', name = '', uid } = reference;
  if (!(kind in BINDABLE) || apiVersion !== 'v1') {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    throw newBadRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const resource: Resource = BINDABLE[kind as keyof typeof BINDABLE];
  const found = server.storage(resource).get(kind === 'Node' ? '' : namespace, name);
  if (!found) throw newNotFound(resource, name);
  if (kind === 'Pod' && (found as Pod).spec?.serviceAccountName !== account)
    throw newBadRequest(`cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`);
  const present = found.metadata.uid ?? '';
  if (uid && uid !== present)
    throw newConflict(
      resource,
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  return { kind, name, uid: present };
}
