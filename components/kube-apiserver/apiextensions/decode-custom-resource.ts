import { plainJson } from '../../../src/api/decode.ts';
import { checkTypeMeta, strictDecodingError, strictWarnings, unrecognized } from '../../../src/api/decode-body.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { newBadRequest } from '../../../src/api/status-error.ts';
import { duplicateFields } from '../endpoints/apply-patch.ts';
import type { RequestScope } from '../request-context.ts';
import { CustomResourceVersion } from './custom-resource-version.ts';

/** Reads a parsed body as a version of a custom resource; what it says of its kind is checked later. apiextensions-apiserver pkg/apiserver.schemaCoercingDecoder */
export function decodeCustomResource(
  scope: RequestScope,
  version: CustomResourceVersion,
  body: { readonly value: unknown; readonly strictProblems: readonly string[] },
): KubernetesObject {
  const { kind, version: name } = version.resource;
  const expected = { apiVersion: version.apiVersion, kind };
  const value = plainJson(body.value) as KubernetesObject;
  const sent = scope.request.body;
  const text = typeof sent === 'string' ? sent : JSON.stringify(value);
  checkTypeMeta({ ...value }, sent, expected);
  if (!value.kind) throw unrecognized(`Object 'Kind' is missing in '${text}'`, sent, expected);
  if (!value.apiVersion) throw unrecognized(`Object 'apiVersion' is missing in '${text}'`, sent, expected);
  const decoded = versionNamed(version, value.apiVersion).decode(value);
  if (decoded.error !== undefined) throw newBadRequest(`${kind} in version "${name}" cannot be handled as a ${kind}: ${decoded.error}`);
  const problems = [...body.strictProblems, ...duplicateFields(body.value, sent), ...decoded.problems];
  const mode = scope.request.query['fieldValidation'] || 'Warn';
  if (problems.length > 0 && mode === 'Strict') throw strictDecodingError(expected, problems);
  if (mode === 'Warn') scope.warnings.push(...strictWarnings(problems));
  if (value.apiVersion !== version.apiVersion)
    throw newBadRequest(
      `the API version in the data (${value.apiVersion}) does not match the expected API version (${version.apiVersion})`,
    );
  return decoded.object;
}

/** The version that a body names; of one that does not exist nothing is known. */
function versionNamed(version: CustomResourceVersion, apiVersion: string): CustomResourceVersion {
  if (apiVersion === version.apiVersion) return version;
  const { definition } = version;
  const named = definition.spec.versions.find(({ name }) => apiVersion === `${definition.spec.group}/${name}`);
  const unknown = { name: '', served: false, storage: false, schema: { openAPIV3Schema: { type: 'object' } } };
  return new CustomResourceVersion(definition, named ?? unknown);
}
