import { JsonSyntaxError, parseJson } from '../../../../src/api/json-text.ts';
import type { Status } from '../../../../src/api/kinds/meta-v1.ts';
import { type OutboundAnswer, OutboundError } from '../../../../src/api/outbound.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import { ApiStatusError, newBadRequest } from '../../../../src/api/status-error.ts';
import { sendOutbound } from '../../outbound.ts';
import { type Steps, wait } from '../../steps.ts';
import type { AdmissionAttributes } from '../chain.ts';
import { responseError } from './response-error.ts';
import { admissionReview, reviewVersion } from './review.ts';
import type { Hook } from './webhook-configurations.ts';

const DEFAULT_TIMEOUT_SECONDS = 10;
const HEADER_TYPE = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The webhook could not be asked, or its answer makes no sense. apiserver pkg/util/webhook.ErrCallingWebhook */
export class CallFailed extends Error {
  override name = 'CallFailed';
}

/** What a webhook says. admission.k8s.io AdmissionResponse */
export interface AdmissionResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: Partial<Status>;
  readonly patch?: string;
  readonly patchType?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

/**
 * Asks a webhook and checks that its answer can be used.
 * @throws CallFailed when there is no answer, or none that makes sense; ApiStatusError when the webhook cannot be asked for this request, or refuses it
 */
export function* callWebhook(hook: Hook, attributes: AdmissionAttributes, asked: Resource): Steps<AdmissionResponse> {
  const { webhook } = hook;
  const { server, dryRun, warnings } = attributes.context;
  if (dryRun && !['None', 'NoneOnDryRun'].includes(webhook.sideEffects))
    throw newBadRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  const apiVersion = reviewVersion(webhook.admissionReviewVersions);
  if (!apiVersion)
    throw failed(hook, 'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)');
  const uid = server.webhookIds.uuid();
  const body = JSON.stringify(admissionReview(attributes, asked, { uid, apiVersion }));
  const response = yield* exchange(hook, attributes, body);
  const answer = readReview(hook, response, apiVersion);
  verify(hook, answer, uid);
  warnings.push(...(answer.warnings ?? []));
  if (!answer.allowed) throw refusal(webhook.name, answer.status);
  return answer;
}

function* exchange(hook: Hook, { context }: AdmissionAttributes, body: string): Steps<OutboundAnswer> {
  const { clientConfig, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, name } = hook.webhook;
  const { server } = context;
  server.simulation.trace.record({
    kind: 'decision',
    component: 'kube-apiserver',
    message: `asks the webhook ${name} of ${hook.configuration}`,
  });
  try {
    return yield* wait(
      sendOutbound(server, clientConfig as Parameters<typeof sendOutbound>[1], {
        method: 'POST',
        suffix: `?timeout=${timeoutSeconds}s`,
        headers: { 'content-type': 'application/json', accept: 'application/json, */*', 'user-agent': 'kube-apiserver-admission' },
        body,
        timeoutMs: timeoutSeconds * 1000,
      }),
    );
  } catch (error) {
    if (error instanceof OutboundError) throw failed(hook, `failed to call webhook: ${error.message}`);
    throw error;
  }
}

function failed({ webhook }: Hook, why: string): CallFailed {
  return new CallFailed(`failed calling webhook ${JSON.stringify(webhook.name)}: ${why}`);
}

/** The response in the answer. @throws CallFailed */
function readReview(hook: Hook, answer: OutboundAnswer, apiVersion: string): AdmissionResponse | never {
  const error = responseError(answer);
  if (error !== undefined) throw failed(hook, `failed to call webhook: ${error}`);
  const review = parseReview(hook, answer.body);
  const given = review['apiVersion'] ?? apiVersion;
  const kind = review['kind'] ?? 'AdmissionReview';
  if (given !== apiVersion || kind !== 'AdmissionReview') {
    const short = (version: unknown): string => String(version).split('/').at(-1) ?? '';
    const known = kind === 'AdmissionReview' && /^admission\.k8s\.io\/v1(beta1)?$/.test(String(given));
    const why = known
      ? `converting (${short(given)}.${kind}) to (${short(apiVersion)}.AdmissionReview): unknown conversion`
      : `no kind "${kind}" is registered for version "${given}" in scheme "pkg/runtime/scheme.go:110"`;
    throw failed(hook, `failed to call webhook: ${why}`);
  }
  const { response } = review as { response?: AdmissionResponse };
  if (!response) throw failed(hook, 'received invalid webhook response: webhook response was absent');
  return response;
}

function parseReview(hook: Hook, text: string): Record<string, unknown> {
  const value = parseLoosely(hook, text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw failed(
    hook,
    `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type ${HEADER_TYPE}`,
  );
}

/** What is no JSON is taken for YAML, in which any word is a string. */
function parseLoosely(hook: Hook, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (!/^\s*[[{]/.test(text) && text.trim() !== '') return text;
    throw failed(hook, `failed to call webhook: couldn't get version/kind; json parse error: ${error.message}`);
  }
}

/** apiserver pkg/admission/plugin/webhook/request.VerifyAdmissionResponse */
function verify(hook: Hook, { uid, patch, patchType }: AdmissionResponse, expected: string): void {
  const mutating = hook.webhook.reinvocationPolicy !== undefined;
  const refuse = (why: string): never => {
    throw failed(hook, `received invalid webhook response: ${why}`);
  };
  if (uid !== expected) refuse(`expected response.uid=${JSON.stringify(expected)}, got ${JSON.stringify(uid ?? '')}`);
  if (!mutating && patch) refuse('validating webhook may not return response.patch');
  if (!mutating && patchType !== undefined) refuse('validating webhook may not return response.patchType');
  if (patch && patchType === undefined) refuse('webhook returned response.patch but not response.patchType');
  if (!patch && patchType !== undefined) refuse('webhook returned response.patchType but not response.patch');
  if (patchType !== undefined && patchType !== 'JSONPatch')
    refuse(`webhook returned invalid response.patchType of ${JSON.stringify(patchType)}`);
}

const BAD_REQUEST = 400;

/** apiserver pkg/admission/plugin/webhook/errors.ToStatusErr */
function refusal(name: string, result: Partial<Status> = {}): ApiStatusError {
  const { code = 0, message, reason, details } = result;
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  return new ApiStatusError({
    message: message ? `${denied}: ${message}` : reason ? `${denied}: ${reason}` : `${denied} without explanation`,
    ...(reason ? { reason } : {}),
    ...(details ? { details } : {}),
    code: Math.max(code, BAD_REQUEST),
  });
}
