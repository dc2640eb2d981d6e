import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { apiVersionOf } from '../../../src/api/resource.ts';
import { ApiStatusError, newBadRequest, newConflict } from '../../../src/api/status-error.ts';
import { parseYamlDocument } from '../../../src/api/yaml-text.ts';
import { FieldOwners, ownersOf } from '../managedfields/field-owners.ts';
import { NOBODY } from '../managedfields/managed.ts';
import { placeOf } from '../managedfields/place-of.ts';
import { fieldManagerOf } from '../managedfields/track.ts';
import type { RequestContext, RequestScope } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { updateObject } from '../storage/update.ts';
import { withNamespace } from './create.ts';
import { decodeStrictly, toStorage } from './decode-body.ts';
import { isTrue } from './query.ts';
import { mutate, validate, withName } from './update.ts';

/**
 * Server-side apply: PATCH with what a manager wants an object to have. Makes the object when there is none.
 * apiserver pkg/endpoints/handlers.applyPatcher
 */
export function* apply(context: RequestContext): Steps<ApiResponse> {
  const result = yield* updateObject(context, {
    name: context.request.info.name,
    transform: (old) => mutate(context, applied(context, old), old),
    check: (candidate, old) => validate(context, candidate, old),
    beforeCreate: () => context.server.authorizeCreate(context),
    allowCreate: context.subresource === '',
  });
  return { code: result.created ? 201 : 200, body: result.object };
}

/** What the body of the request makes of the present object, in the form in which it is stored. */
function applied(context: RequestContext, old: KubernetesObject | undefined): KubernetesObject {
  context.stages.enter('decoding');
  const { config, duplicates } = readConfig(context);
  const fieldManager = fieldManagerOf(context);
  const { types } = fieldManager;
  const live = old ? types.fromStorage(old) : types.emptyObject();
  const { query } = context.request;
  const { object, managed } = fieldManager.apply(
    { live, config, manager: query['fieldManager'] ?? '', force: isTrue(query['force']), time: context.server.now },
    (old && ownersOf(old)?.managed) ?? NOBODY,
  );
  reportDuplicates(context, duplicates);
  context.owners.next = FieldOwners.of(managed);
  if (object === undefined && old) return withName(context, old);
  const decoded = readMerged(context, object ?? live, config);
  const { uid } = decoded.metadata;
  if (uid && !old?.metadata.uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw newConflict(context.resource, context.request.info.name, why);
  }
  return toStorage(context, withName(context, withNamespace(context, decoded)));
}

/** The body of an apply: YAML, of which JSON is a part. */
export function readConfig({ request }: RequestScope): { config: Record<string, unknown>; duplicates: readonly string[] } {
  const { body } = request;
  const parsed = typeof body === 'string' ? parseYamlDocument(body) : { value: body, duplicates: [], error: undefined };
  if (parsed.error) throw newBadRequest(`error decoding YAML: error converting YAML to JSON: ${parsed.error}`);
  const value = parsed.value ?? {};
  if (typeof value === 'object' && !Array.isArray(value))
    return { config: value as Record<string, unknown>, duplicates: parsed.duplicates };
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw newBadRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
  );
}

/** Keys that come twice: refused, warned of or not minded, as the query wants. */
export function reportDuplicates(scope: RequestScope, duplicates: readonly string[]): void {
  if (duplicates.length === 0) return;
  const mode = scope.request.query['fieldValidation'] || 'Warn';
  if (mode === 'Warn') scope.warnings.push(...duplicates);
  if (mode !== 'Strict') return;
  const lines = duplicates.map((line) => `  ${line}`).join('\n');
  throw newBadRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${lines}`);
}

/** Reads what the merge has made. */
function readMerged(context: RequestContext, merged: unknown, config: Record<string, unknown>): KubernetesObject {
  const { resource } = context;
  const { object, error } = decodeStrictly<KubernetesObject>({ value: merged }, resource);
  if (error === undefined) return object;
  const gvk = `${resource.group}/${resource.version}, Kind=${resource.kind}`;
  const message = `failed to convert new object (${placeOf(config)}; ${gvk}) to proper version (${apiVersionOf(resource)}): ${error}`;
  throw new ApiStatusError({ message, code: 500 });
}
