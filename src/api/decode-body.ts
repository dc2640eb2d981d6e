// From the body of a request to an object of the kind that the path asks for, with the answers of the real server when that fails.
import { type Decoded, decode } from './decode.ts';
import { JsonSyntaxError, parseJson } from './json-text.ts';
import { parseGroupVersion } from './meta.ts';
import { decodeProtobuf } from './protobuf/decode.ts';
import { isProtobuf } from './protobuf/messages.ts';
import { ProtobufError } from './protobuf/reader.ts';
import { schemaOfKind } from './schema.ts';
import { type ApiStatusError, newBadRequest } from './status-error.ts';
import { quote } from './validation/field.ts';
import { parseYamlDocument } from './yaml-text.ts';

/** What a request must bring. */
export interface ExpectedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface ParsedBody {
  readonly value: Record<string, unknown>;
  /** Duplicate keys of YAML text; those of JSON come out of the decoder. */
  readonly strictProblems: readonly string[];
}

const HEADER_TYPE = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * Decodes a request body: a value (in process) or text, JSON unless `contentType` says YAML. Fills in kind and apiVersion when they are missing.
 * @throws ApiStatusError 400 in the words of the real server
 */
export function decodeBody<T extends object>(body: unknown, expected: ExpectedKind, contentType?: string): Decoded<T> {
  const { value, strictProblems } = parseBody(body, expected, contentType);
  checkKind(value, body, expected);
  const decoded = decodeAs<T>(value, expected);
  return strictProblems.length > 0 ? { ...decoded, strictProblems: [...strictProblems, ...decoded.strictProblems] } : decoded;
}

/** Decodes a value as a built-in kind. @throws ApiStatusError 400 `… cannot be handled as a …` when a field has the wrong type */
export function decodeAs<T extends object>(value: Record<string, unknown>, expected: ExpectedKind): Decoded<T> {
  const schema = schemaOfKind(expected.apiVersion, expected.kind);
  if (!schema) throw newBadRequest(noKind(expected.apiVersion, expected.kind));
  const decoded = decode<T & { apiVersion: string; kind: string }>(value, schema);
  if (decoded.error !== undefined) throw cannotBeHandled(expected, expected, decoded.error);
  decoded.object.apiVersion = expected.apiVersion;
  decoded.object.kind = expected.kind;
  return decoded;
}

/** The 400 for fields that should not be there, when the request is strict. */
export function strictDecodingError(expected: ExpectedKind, problems: readonly string[]): ApiStatusError {
  return cannotBeHandled(expected, expected, `strict decoding error: ${problems.join(', ')}`);
}

/** What a lenient request is warned of: one text per problem. */
export function strictWarnings(problems: readonly string[]): string[] {
  return problems.flatMap((problem) =>
    problem.startsWith(YAML_DUPLICATES)
      ? problem
          .slice(YAML_DUPLICATES.length)
          .split('\n')
          .map((line) => line.trim())
      : [problem],
  );
}

const YAML_DUPLICATES = 'yaml: unmarshal errors:\n';

/** Parses a body to a JSON object, without looking at its kind. @throws ApiStatusError 400 */
export function parseBody(body: unknown, expected: ExpectedKind, contentType = 'application/json'): ParsedBody {
  if (body instanceof Uint8Array && isProtobuf(contentType)) return { value: protobufOf(body, expected), strictProblems: [] };
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  if (typeof text !== 'string') return { value: asObject(text, body, expected), strictProblems: [] };
  if (!/yaml/.test(contentType)) {
    return {
      value: asObject(
        tryParse(() => parseJson(text), body, expected),
        body,
        expected,
      ),
      strictProblems: [],
    };
  }
  const { value, duplicates, error } = parseYamlDocument(text);
  if (error) throw unrecognized(error, body, expected);
  const problems = duplicates.length > 0 ? [`${YAML_DUPLICATES}${duplicates.map((line) => `  ${line}`).join('\n')}`] : [];
  return { value: asObject(value, body, expected), strictProblems: problems };
}

function protobufOf(body: Uint8Array, expected: ExpectedKind): Record<string, unknown> {
  try {
    return decodeProtobuf(body);
  } catch (error) {
    if (error instanceof ProtobufError) throw unrecognized(error.message, body, expected);
    throw error;
  }
}

function tryParse(parse: () => unknown, body: unknown, expected: ExpectedKind): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw unrecognized(`couldn't get version/kind; json parse error: ${error.message}`, body, expected);
    throw error;
  }
}

function asObject(value: unknown, body: unknown, expected: ExpectedKind): Record<string, unknown> {
  if (value === null || (value === undefined && typeof body === 'string' && body !== '')) return {};
  if (value === undefined || body === '')
    throw unrecognized("couldn't get version/kind; json parse error: unexpected end of JSON input", body, expected);
  if (typeof value !== 'object' || Array.isArray(value)) {
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw unrecognized(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type ${HEADER_TYPE}`,
      body,
      expected,
    );
  }
  return value as Record<string, unknown>;
}

/** Whether what the document says of its kind is text. @throws ApiStatusError 400 when it is not */
export function checkTypeMeta(value: Record<string, unknown>, body: unknown, expected: ExpectedKind): void {
  const { apiVersion, kind } = value as { apiVersion?: unknown; kind?: unknown };
  for (const [name, given] of [
    ['apiVersion', apiVersion],
    ['kind', kind],
  ] as const) {
    if (given === undefined || given === null || typeof given === 'string') continue;
    const type =
      typeof given === 'object' ? (Array.isArray(given) ? 'array' : 'object') : typeof given === 'boolean' ? 'bool' : typeof given;
    throw unrecognized(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go struct field .${name} of type string`,
      body,
      expected,
    );
  }
}

/** Whether the document says that it is what the path asks for. @throws ApiStatusError 400 when it does not */
export function checkKind(value: Record<string, unknown>, body: unknown, expected: ExpectedKind): void {
  checkTypeMeta(value, body, expected);
  const { apiVersion, kind } = value as { apiVersion?: string | null; kind?: string | null };
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2)
    throw unrecognized(`unexpected GroupVersion string: ${apiVersion}`, body, expected);
  const actual = {
    apiVersion: apiVersion || expected.apiVersion,
    kind: kind || expected.kind,
  };
  if (actual.apiVersion === expected.apiVersion && actual.kind === expected.kind) return;
  if (!isRegistered(actual)) throw cannotBeHandled(actual, expected, noKind(actual.apiVersion, actual.kind));
  const group = (of: ExpectedKind): string => parseGroupVersion(of.apiVersion).group;
  if (actual.kind !== expected.kind || group(actual) !== group(expected)) {
    throw cannotBeHandled(actual, expected, `converting (${goName(actual)}) to (${internalName(expected)}): unknown conversion`);
  }
  throw newBadRequest(
    `the API version in the data (${actual.apiVersion}) does not match the expected API version (${expected.apiVersion})`,
  );
}

function isRegistered({ apiVersion, kind }: ExpectedKind): boolean {
  return schemaOfKind(apiVersion, kind) !== undefined;
}

function noKind(apiVersion: string, kind: string): string {
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`;
}

function goName({ apiVersion, kind }: ExpectedKind): string {
  return `${parseGroupVersion(apiVersion).version}.${kind}`;
}

function internalName({ apiVersion, kind }: ExpectedKind): string {
  const { group } = parseGroupVersion(apiVersion);
  return `${group === '' ? 'core' : (group.split('.')[0] ?? group)}.${kind}`;
}

function cannotBeHandled(actual: ExpectedKind, expected: ExpectedKind, why: string): ApiStatusError {
  return newBadRequest(
    `${actual.kind} in version ${quote(parseGroupVersion(actual.apiVersion).version)} cannot be handled as a ${expected.kind}: ${why}`,
  );
}

/** The 400 for a body that does not say what it is. */
export function unrecognized(why: string, body: unknown, expected: ExpectedKind): ApiStatusError {
  return newBadRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${beginningOf(body)})`);
}

const SHOWN_BYTES = 30;

/** apimachinery runtime/serializer/recognizer: the first bytes of a body, as text for JSON objects, else in hex. */
function beginningOf(body: unknown): string {
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
  if (bytes.length === 0) return '<empty>';
  const shown = bytes.subarray(0, SHOWN_BYTES);
  const text = bytes[0] === 0x7b ? new TextDecoder().decode(shown) : [...shown].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return bytes.length > SHOWN_BYTES ? `${text} ...` : text;
}
