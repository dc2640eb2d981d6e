import { applyJsonPatch } from '../../../src/api/json-patch.ts';
import { duplicateKeysOf, JsonSyntaxError, parseJson } from '../../../src/api/json-text.ts';
import { applyMergePatch } from '../../../src/api/merge-patch.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { apiVersionOf } from '../../../src/api/resource.ts';
import { schemaOfKind } from '../../../src/api/schema.ts';
import { ApiStatusError, newBadRequest } from '../../../src/api/status-error.ts';
import { applyStrategicMergePatch, goPrint } from '../../../src/api/strategic-merge-patch.ts';
import { goJson } from '../../../src/api/validation/field.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import type { RequestScope } from '../request-context.ts';
import { unsupportedMediaType } from './refusals.ts';

/** What a patch makes of an object, before it is decoded. */
export interface Patched {
  readonly value: unknown;
  /** The stored object that it has parts of, when these need not be read again. */
  readonly known?: KubernetesObject;
  /** Duplicate keys of the patch. */
  readonly problems: readonly string[];
  /** How messages show what is wrong with the result. */
  readonly printed: () => string;
}

export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** The kind of a patch. Refuses one that is not known, whatever it is about. */
export function assertPatchType({ request, resource }: RequestScope): string {
  const [type = ''] = (request.headers.contentType ?? '').split(';');
  if (!(Object.values(PATCH_TYPES) as string[]).includes(type)) throw unsupportedMediaType();
  if (type === PATCH_TYPES.strategic && customResourceVersionOf(resource)) throw noStrategicMerge();
  return type;
}

/** Custom resources say nothing of how their lists are merged. */
function noStrategicMerge(): ApiStatusError {
  const accepted = [PATCH_TYPES.json, PATCH_TYPES.merge, PATCH_TYPES.apply].join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
  return new ApiStatusError({ message, reason: 'UnsupportedMediaType', code: 415 });
}

/** Computes what the patch of a request makes of an object. apiserver pkg/endpoints/handlers patchMechanism */
export function applyPatch(scope: RequestScope, object: KubernetesObject): Patched {
  const { headers, body } = scope.request;
  const [type = ''] = (headers.contentType ?? '').split(';');
  switch (type) {
    case PATCH_TYPES.json: {
      const patch = parsePatch(body);
      const value = applyJsonPatch(object, patch);
      const problems = [...duplicateFields(patch, body), ...unknownStepFields(patch)].map((text) => `json patch ${text}`);
      return { value, problems, printed: () => goJson(value) };
    }
    case PATCH_TYPES.merge: {
      const patch = parsePatch(body);
      assertMap(patch);
      const value = applyMergePatch(object, patch);
      return { value, problems: duplicateFields(patch, body), printed: () => goJson(value) };
    }
    case PATCH_TYPES.strategic: {
      const patch = parsePatch(body, '');
      const schema = schemaOfKind(object.apiVersion ?? apiVersionOf(scope.resource), object.kind ?? scope.resource.kind);
      if (!schema) throw unsupportedMediaType();
      return {
        value: applyStrategicMergePatch(object, patch, schema),
        problems: duplicateFields(patch, body),
        printed: () => goPrint(patch),
      };
    }
    default:
      throw unsupportedMediaType();
  }
}

function parsePatch(body: unknown, prefix = 'error decoding patch: '): unknown {
  if (typeof body !== 'string') return body;
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw newBadRequest(prefix + error.message);
    throw error;
  }
}

function assertMap(patch: unknown): void {
  if (patch === null) throw newBadRequest('Invalid JSON Patch');
  if (typeof patch === 'object' && !Array.isArray(patch)) return;
  const type = Array.isArray(patch) ? 'array' : typeof patch;
  throw newBadRequest(`error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
}

/** The duplicate fields of a patch: only text can have any. */
export function duplicateFields(patch: unknown, body: unknown): string[] {
  return typeof body === 'string' ? duplicates(patch, '') : [];
}

const STEP_FIELDS = new Set(['op', 'path', 'from', 'value']);

/** Fields that no step of a JSON patch has. apiserver pkg/endpoints/handlers.jsonPatchOp */
function unknownStepFields(patch: unknown): string[] {
  const steps = Array.isArray(patch) ? (patch as readonly (object | null)[]) : [];
  return steps.flatMap((step, index) =>
    Object.keys(step ?? {}).flatMap((field) => (STEP_FIELDS.has(field) ? [] : [`unknown field "[${index}].${field}"`])),
  );
}

function duplicates(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => duplicates(item, `${path}[${index}]`));
  const at = (key: string): string => (path ? `${path}.${key}` : key);
  return [
    ...duplicateKeysOf(value).map((key) => `duplicate field "${at(key)}"`),
    ...Object.entries(value).flatMap(([key, item]) => duplicates(item, at(key))),
  ];
}
