import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { type ApiStatusError, newInvalid, newNotFound } from '../../../src/api/status-error.ts';
import { invalid } from '../../../src/api/validation/field.ts';
import { withVisibleManagedFields } from '../managedfields/field-owners.ts';
import { trackUpdate } from '../managedfields/track.ts';
import type { RequestContext, RequestScope } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { updateObject } from '../storage/update.ts';
import { apply } from './apply.ts';
import { applyPatch, assertPatchType, PATCH_TYPES, type Patched } from './apply-patch.ts';
import { withNamespace } from './create.ts';
import { type DecodeTarget, decodeStrictly, mayShareContents, sharesContents, toStorage, withContentsOf } from './decode-body.ts';
import { submittedIn } from './submitted-fields.ts';
import { mutate, validate, withName } from './update.ts';
import { validateWriteOptions } from './write-options.ts';

/**
 * PATCH of an object or a subresource that is the object: an update whose object is computed from the present one, on each try.
 * apiserver pkg/endpoints/handlers.PatchResource
 */
export function* patch(context: RequestContext): Steps<ApiResponse> {
  validateWriteOptions(context, 'PatchOptions');
  if (assertPatchType(context) === PATCH_TYPES.apply) return yield* apply(context);
  const result = yield* updateObject(context, {
    name: context.request.info.name,
    transform: (old) => mutate(context, patched(context, old), old),
    check: (candidate, old) => validate(context, candidate, old),
    allowCreate: false,
  });
  return { code: 200, body: result.object };
}

function patched(context: RequestContext, old: KubernetesObject | undefined): KubernetesObject {
  if (!old) throw newNotFound(context.resource, context.request.info.name);
  const { conversion, resource } = context;
  context.stages.enter('decoding');
  const before = visible(context, conversion ? conversion.fromStorage(old) : old);
  const result = applyPatch(context, before);
  const shared = mayShareContents(context) && sharesContents(result.value, before);
  const object = shared
    ? withContentsOf(before, readPatched(context, resource, changesOnly(result, before)))
    : readPatched<KubernetesObject>(context, resource, result);
  const named = withName(context, withNamespace(context, object));
  const next = shared ? named : toStorage(context, named);
  return trackUpdate(context, { live: old, next }, submittedIn(result.value));
}

/** Only a patch in steps can be about single managedFields. */
function visible({ request }: RequestContext, object: KubernetesObject): KubernetesObject {
  const { body, headers } = request;
  if (!headers.contentType?.startsWith(PATCH_TYPES.json)) return object;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.includes('managedFields') ? withVisibleManagedFields(object) : object;
}

/** Only what can have changed needs to be read. */
function changesOnly(result: Patched, known: KubernetesObject): Patched {
  const { apiVersion, kind, metadata, status } = result.value as KubernetesObject & { status?: unknown };
  return { ...result, known, value: { apiVersion, kind, metadata, ...(status === undefined ? {} : { status }) } };
}

/** Reads what a patch made as an object of one kind. */
export function readPatched<T extends KubernetesObject>(scope: RequestScope, target: DecodeTarget, patched: Patched): T {
  const { problems, printed } = patched;
  const decoded = decodeStrictly<T>(patched, target);
  if (decoded.error !== undefined) throw invalidPatch(printed(), isStrategic(scope) ? converterError(decoded.error) : decoded.error);
  const strict = [...problems, ...decoded.strictProblems];
  if (strict.length === 0) return decoded.object;
  const mode = scope.request.query['fieldValidation'] || 'Warn';
  if (mode === 'Strict') throw invalidPatch(printed(), `strict decoding error: ${strict.join(', ')}`);
  if (mode === 'Warn') scope.warnings.push(...strict);
  return decoded.object;
}

function isStrategic({ request }: RequestScope): boolean {
  return request.headers.contentType?.startsWith(PATCH_TYPES.strategic) ?? false;
}

const GO_KINDS: Readonly<Record<string, string>> = { object: 'map', array: 'slice', number: 'int64' };

/** The same complaint in the words of apimachinery pkg/runtime.DefaultUnstructuredConverter, which reads what a strategic merge patch made. */
function converterError(why: string): string {
  const [, given = '', type = ''] = /^json: cannot unmarshal (\w+).* of type (\S+)$/.exec(why) ?? [];
  if (!type) return why;
  const kind = GO_KINDS[given] ?? given;
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`;
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`;
  if (type.includes('.')) return `cannot restore struct from: ${kind}`;
  return kind === 'int64' && type === 'string' ? 'cannot convert int64 to string' : `unrecognized type: ${type}`;
}

/** apiserver pkg/endpoints/handlers: what a patch made cannot be read. */
function invalidPatch(printed: string, why: string): ApiStatusError {
  return newInvalid({ group: '', kind: '' }, '', [invalid('patch', printed, why)]);
}
