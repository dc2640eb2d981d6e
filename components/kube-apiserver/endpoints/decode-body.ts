import { type Decoded, decode, plainJson } from '../../../src/api/decode.ts';
import { checkKind, checkTypeMeta, type ParsedBody, strictDecodingError, strictWarnings } from '../../../src/api/decode-body.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import { schemaOfKind } from '../../../src/api/schema.ts';
import { newBadRequest } from '../../../src/api/status-error.ts';
import type { DecodedCustomResource } from '../apiextensions/custom-resource-version.ts';
import { decodeCustomResource } from '../apiextensions/decode-custom-resource.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import type { RequestContext, RequestScope } from '../request-context.ts';
import { bodyOf } from './body.ts';

/** The object in the body of a request in the form in which it is stored: with what the path says of it, and with defaults. */
export function decodeBody(context: RequestContext): KubernetesObject {
  const { resource } = context;
  context.stages.enter('decoding');
  const body = bodyOf(context, resource);
  const old = presentObject(context);
  if (old && sharesContents(body.value, old)) return decodeChanges(context, body.value, old);
  return toStorage(context, decodeAs(context, resource, body));
}

/** Kinds of which an update of the status alone gets defaults as well. */
const DEFAULTED_STATUS = new Set(['services', 'persistentvolumes', 'persistentvolumeclaims', 'namespaces', 'nodes']);

/** Whether a new state may take over the contents of the old one without decoding them again. */
export function mayShareContents({ conversion, resource }: RequestContext): boolean {
  return !conversion && !DEFAULTED_STATUS.has(resource.resource);
}

function presentObject(context: RequestContext): KubernetesObject | undefined {
  const { name } = context.request.info;
  return name !== '' && mayShareContents(context) ? context.storage.get(context.namespace, name) : undefined;
}

/**
 * Whether a value is the stored object itself but for metadata and status: what a writer in this process sends that has read the object before.
 * Its contents have been decoded, and have their defaults.
 */
export function sharesContents(value: unknown, old: KubernetesObject): value is KubernetesObject {
  if (typeof value !== 'object' || value === null) return false;
  const object = value as Record<string, unknown>;
  const known = old as unknown as Record<string, unknown>;
  for (const key in object) if (key !== 'metadata' && key !== 'status' && object[key] !== known[key]) return false;
  for (const key in known) if (key !== 'metadata' && key !== 'status' && object[key] === undefined) return false;
  return true;
}

/** Decodes metadata and status, and shares the rest with the stored object. */
function decodeChanges(context: RequestContext, value: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, status } = value as WithStatus;
  const unchanged = status === (old as WithStatus).status;
  const changes = { apiVersion, kind, metadata, ...(status === undefined || unchanged ? {} : { status }) };
  const decoded = withContentsOf(old, decodeAs(context, context.resource, { value: changes, strictProblems: [], known: old }));
  return unchanged && status !== undefined ? ({ ...decoded, status } as KubernetesObject) : decoded;
}

/** `decoded` with everything of `old` but its metadata and status. */
export function withContentsOf(old: KubernetesObject, decoded: KubernetesObject): KubernetesObject {
  const { status: _, ...contents } = old as WithStatus;
  const { metadata, status } = decoded as WithStatus;
  return { ...contents, metadata, ...(status === undefined ? {} : { status }) } as KubernetesObject;
}

type WithStatus = KubernetesObject & { status?: unknown };

/** Defaults, and from the version of the request to the one that is stored. */
export function toStorage(context: RequestContext, object: KubernetesObject): KubernetesObject {
  const { storage, conversion } = context;
  const stored = conversion ? conversion.toStorage(object) : object;
  return storage.strategy.setDefaults?.(stored) ?? stored;
}

/** The kind that a body is to be read as. */
export type DecodeTarget = Pick<Resource, 'group' | 'version' | 'kind'>;

/** What is read, and, if there is one, the stored object that it has parts of. */
export interface DecodeInput {
  readonly value: unknown;
  readonly known?: KubernetesObject | undefined;
}

/** Reads a parsed body as an object of one kind. apiserver pkg/endpoints/handlers decodeObject */
export function decodeAs<T extends KubernetesObject>(scope: RequestScope, target: DecodeTarget, body: ParsedBody & DecodeInput): T {
  const custom = customResourceVersionOf(target);
  if (custom) return decodeCustomResource(scope, custom, body) as T;
  const value = body.value as Partial<KubernetesObject>;
  const expected = { apiVersion: apiVersionOf(target), kind: target.kind };
  checkTypeMeta(body.value as Record<string, unknown>, scope.request.body, expected);
  const { apiVersion: given } = value;
  if (given && given !== expected.apiVersion && isOtherVersion(value, target)) {
    throw newBadRequest(`the API version in the data (${given}) does not match the expected API version (${expected.apiVersion})`);
  }
  if (OTHER_KINDS.has(value.kind ?? '') && (given ?? 'v1') === 'v1')
    throw newBadRequest(`${value.kind} in version "v1" cannot be handled as a ${target.kind}: ${kindMismatch(value, target)}`);
  checkKind(body.value, scope.request.body, expected);
  const { object, strictProblems, error } = decodeStrictly<T>(body, target);
  if (error !== undefined)
    throw newBadRequest(`${target.kind} in version "${target.version}" cannot be handled as a ${target.kind}: ${error}`);
  reportStrictProblems(scope, target, [...body.strictProblems, ...strictProblems]);
  return object;
}

/** Kinds that began in a group that is no longer served, but still read. */
const LEGACY_EXTENSIONS = new Set(['Deployment', 'DaemonSet', 'ReplicaSet', 'Ingress', 'NetworkPolicy']);

/** Whether an object is of the kind wanted, in another version that the server knows how to read. */
function isOtherVersion({ apiVersion: given = '', kind = '' }: Partial<KubernetesObject>, target: DecodeTarget): boolean {
  if (kind !== target.kind) return false;
  const [group, version = ''] = given.includes('/') ? given.split('/') : ['', given];
  if (given === 'extensions/v1beta1') return LEGACY_EXTENSIONS.has(kind);
  return schemaOfKind(given, kind) !== undefined || (group === target.group && /^v\d+(alpha|beta)\d+$/.test(version));
}

/** Reads any value as an object of one kind. */
export function decodeStrictly<T extends KubernetesObject>({ value, known }: DecodeInput, target: DecodeTarget): Decoded<T> {
  const custom = customResourceVersionOf(target);
  if (custom) return customDecoded<T>(custom.decode(plainJson(value)));
  const raw = value as Partial<KubernetesObject>;
  const apiVersion = apiVersionOf(target);
  const mismatch = kindMismatch(raw, target);
  if (mismatch) return { object: {} as T, strictProblems: [], error: mismatch };
  const schema = schemaOfKind(apiVersion, target.kind);
  const decoded = schema ? decode<T>(raw, schema, known) : { object: { ...raw } as T, strictProblems: [], error: undefined };
  // In place: the object is fresh, and defaults are written into it.
  decoded.object.apiVersion = apiVersion;
  decoded.object.kind = target.kind;
  decoded.object.metadata ??= {};
  return decoded;
}

function customDecoded<T extends KubernetesObject>({ object, problems, error }: DecodedCustomResource): Decoded<T> {
  return { object: object as T, strictProblems: problems, error };
}

const OTHER_KINDS = new Set(['List', 'Status', 'DeleteOptions']);

/** Why an object that says what it is cannot be one of the kind wanted. */
function kindMismatch(raw: Partial<KubernetesObject>, target: DecodeTarget): string | undefined {
  const field = (['apiVersion', 'kind'] as const).find((name) => typeof (raw[name] ?? '') !== 'string');
  if (field) {
    const type = Array.isArray(raw[field]) ? 'array' : typeof raw[field] === 'boolean' ? 'bool' : typeof raw[field];
    return `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go struct field .${field} of type string`;
  }
  const apiVersion = apiVersionOf(target);
  const given = raw.apiVersion || apiVersion;
  const kind = raw.kind || target.kind;
  if (given === apiVersion && kind === target.kind) return undefined;
  if (!schemaOfKind(given, kind) && !OTHER_KINDS.has(kind))
    return `no kind "${kind}" is registered for version "${given}" in scheme "pkg/runtime/scheme.go:110"`;
  const goGroup = target.group ? (target.group.split('.')[0] ?? '') : 'core';
  return `converting (${given.split('/').at(-1)}.${kind}) to (${goGroup}.${target.kind}): unknown conversion`;
}

/** Unknown and duplicate fields: refused, warned of or dropped, as the query wants. */
function reportStrictProblems(scope: RequestScope, target: DecodeTarget, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const mode = scope.request.query['fieldValidation'] || 'Warn';
  if (mode === 'Strict') throw strictDecodingError({ apiVersion: apiVersionOf(target), kind: target.kind }, problems);
  if (mode === 'Warn') scope.warnings.push(...strictWarnings(problems));
}
