import type { CustomResourceConversion, CustomResourceDefinition } from '../../../src/api/kinds/apiextensions-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { OutboundError } from '../../../src/api/outbound.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { responseError } from '../admission/webhook/response-error.ts';
import { type OutboundEndpoint, sendOutbound } from '../outbound.ts';
import type { ServerCore } from '../server-core.ts';
import { type Steps, wait } from '../steps.ts';

const TIMEOUT_SECONDS = 30;
const MAX_KEPT = 10_000;

/** Objects have to be converted by a webhook first; whoever catches this asks it with `askConversionWebhook` and tries again. */
export class ConversionNeeded extends Error {
  override name = 'ConversionNeeded';
  readonly definition: CustomResourceDefinition;
  readonly objects: readonly KubernetesObject[];
  readonly apiVersion: string;

  constructor(definition: CustomResourceDefinition, objects: readonly KubernetesObject[], apiVersion: string) {
    super(`objects of ${definition.metadata.name} have to be converted`);
    this.definition = definition;
    this.objects = objects;
    this.apiVersion = apiVersion;
  }
}

/** What webhooks have made of objects, by what they were asked to convert. */
const answers = new WeakMap<CustomResourceConversion, Map<string, KubernetesObject>>();

function answersOf({ spec }: CustomResourceDefinition): Map<string, KubernetesObject> {
  const conversion = spec.conversion ?? { strategy: 'None' };
  const known = answers.get(conversion) ?? new Map<string, KubernetesObject>();
  answers.set(conversion, known);
  return known;
}

/** What of an object its conversion can depend on: of metadata a webhook may change labels and annotations only. */
function keyOf({ metadata, ...rest }: KubernetesObject, apiVersion: string): string {
  const { name, namespace, labels, annotations } = metadata;
  return JSON.stringify([apiVersion, name, namespace, labels, annotations, rest]);
}

/** An object in another version, as the webhook of its definition has converted it. @throws ConversionNeeded */
export function convertedByWebhook(definition: CustomResourceDefinition, object: KubernetesObject, apiVersion: string): KubernetesObject {
  if (object.apiVersion === apiVersion) return object;
  const answer = answersOf(definition).get(keyOf(object, apiVersion));
  if (!answer) throw new ConversionNeeded(definition, [object], apiVersion);
  const { labels: _labels, annotations: _annotations, ...kept } = object.metadata;
  const { labels, annotations } = answer.metadata;
  return { ...answer, metadata: { ...kept, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) } };
}

/** Asks the webhook, and keeps what it says. apiextensions-apiserver pkg/apiserver/conversion.webhookConverter.Convert */
export function* askConversionWebhook(server: ServerCore, { definition, objects, apiVersion }: ConversionNeeded): Steps<void> {
  const converted = yield* exchange(server, { definition, objects, apiVersion });
  const kept = answersOf(definition);
  if (kept.size > MAX_KEPT) kept.clear();
  for (const [index, object] of objects.entries()) {
    const result = converted[index];
    if (!result) throw failure(objects, `returned ${converted.length} objects, expected ${objects.length}`);
    assertSame(objects, { object, result, apiVersion });
    kept.set(keyOf(object, apiVersion), result);
  }
}

type Question = Pick<ConversionNeeded, 'definition' | 'objects' | 'apiVersion'>;

function* exchange(server: ServerCore, { definition, objects, apiVersion }: Question): Steps<readonly KubernetesObject[]> {
  const { webhook } = definition.spec.conversion ?? {};
  const reviewVersion = webhook?.conversionReviewVersions.find((version) => version === 'v1' || version === 'v1beta1') ?? 'v1';
  const uid = server.webhookIds.uuid();
  const request = { uid, desiredAPIVersion: apiVersion, objects };
  const review = { kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${reviewVersion}`, request };
  try {
    const answer = yield* wait(
      sendOutbound(server, (webhook?.clientConfig ?? {}) as OutboundEndpoint, {
        method: 'POST',
        suffix: `?timeout=${TIMEOUT_SECONDS}s`,
        headers: { 'content-type': 'application/json', accept: 'application/json, */*', 'user-agent': 'kube-apiserver-admission' },
        body: JSON.stringify(review),
        timeoutMs: TIMEOUT_SECONDS * 1000,
      }),
    );
    const error = responseError(answer);
    if (error !== undefined) throw failure(objects, `failed: ${error}`);
    return readResponse(objects, answer.body, uid);
  } catch (error) {
    if (error instanceof OutboundError) throw failure(objects, `failed: ${error.message}`);
    throw error;
  }
}

interface ConversionResponse {
  readonly uid?: string;
  readonly result?: { readonly status?: string; readonly message?: string };
  readonly convertedObjects?: readonly KubernetesObject[];
}

function readResponse(objects: readonly KubernetesObject[], text: string, uid: string): readonly KubernetesObject[] {
  const { response } = parsed(objects, text);
  if (!response) throw failure(objects, 'failed: no response provided');
  if (response.uid !== uid)
    throw failure(objects, `failed: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  const { status = '', message = '' } = response.result ?? {};
  if (status !== 'Success')
    throw failure(objects, message ? `failed: ${message}` : `failed: response.result.status was '${status}', not 'Success'`);
  return response.convertedObjects ?? [];
}

function parsed(objects: readonly KubernetesObject[], text: string): { response?: ConversionResponse } {
  try {
    return JSON.parse(text) as { response?: ConversionResponse };
  } catch (error) {
    throw failure(objects, `failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** apiextensions-apiserver pkg/apiserver/conversion validateConvertedObject */
function assertSame(
  objects: readonly KubernetesObject[],
  { object, result, apiVersion }: { object: KubernetesObject; result: KubernetesObject; apiVersion: string },
): void {
  const refuse = (why: string): never => {
    throw failure(objects, `returned invalid object${objects.length > 1 ? ` at index ${objects.indexOf(object)}` : ''}: ${why}`);
  };
  if (result.apiVersion !== apiVersion) refuse(`invalid groupVersion (expected ${apiVersion}, received ${result.apiVersion ?? ''})`);
  if (result.kind !== object.kind) refuse(`must have the same kind: ${object.kind} != ${result.kind}`);
  const { name = '', namespace = '', uid = '' } = object.metadata;
  const given = result.metadata ?? {};
  if ((given.name ?? '') !== name) refuse(`must have the same name: ${name} != ${given.name ?? ''}`);
  if ((given.namespace ?? '') !== namespace) refuse(`must have the same namespace: ${namespace} != ${given.namespace ?? ''}`);
  if ((given.uid ?? '') !== uid) refuse(`must have the same UID: ${uid} != ${given.uid ?? ''}`);
}

function failure([object]: readonly KubernetesObject[], why: string): ApiStatusError {
  return new ApiStatusError({
    message: `conversion webhook for ${object?.apiVersion ?? ''}, Kind=${object?.kind ?? ''} ${why}`,
    code: 500,
  });
}

/** Does what may need conversions, and asks for them until nothing is missing. */
export function* withConversions<T>(server: ServerCore, work: () => T): Steps<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ConversionNeeded)) throw error;
      yield* askConversionWebhook(server, error);
    }
  }
}
