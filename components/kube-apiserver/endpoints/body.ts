import { isMap, type Pair, parseDocument, visit } from 'yaml';
import { JsonSyntaxError, parseJson } from '../../../src/api/json-text.ts';
import { ApiStatusError, newBadRequest } from '../../../src/api/status-error.ts';

/** A parsed request body, with what only its text could tell. */
export interface ParsedBody {
  readonly value: unknown;
  /** Duplicate keys of a YAML text, one `line N: key "k" already set in map` each. */
  readonly yamlProblems: readonly string[];
}

const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const SHOWN_BYTES = 30;

/** apiserver pkg/endpoints/handlers/negotiation.NewUnsupportedMediaTypeError */
function unknownFormat(): ApiStatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${ACCEPTED}`;
  return new ApiStatusError({ message, reason: 'UnsupportedMediaType', code: 415 });
}

/** Reads the body of a write: as it is when it comes from the same process, else JSON or YAML text. `kind` is for messages. */
export function parseBody(body: unknown, contentType: string | undefined, kind: string): ParsedBody {
  const mediaType = (contentType ?? 'application/json').split(';')[0]?.trim() ?? '';
  if (typeof body !== 'string') return { value: body, yamlProblems: [] };
  if (mediaType === 'application/json' || mediaType === '') return { value: parseJsonBody(body, kind), yamlProblems: [] };
  if (mediaType === 'application/yaml') return parseYamlBody(body, kind);
  throw unknownFormat();
}

/** Refuses a body that is neither JSON nor YAML. */
export function assertMediaType(contentType: string | undefined): void {
  const mediaType = (contentType ?? '').split(';')[0]?.trim() ?? '';
  if (!['', 'application/json', 'application/yaml'].includes(mediaType)) throw unknownFormat();
}

function parseJsonBody(text: string, kind: string): unknown {
  const fail = (why: string): ApiStatusError =>
    newBadRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${excerpt(text)})`,
    );
  try {
    const value = parseJson(text);
    if (value === null) return {};
    if (typeof value === 'object' && !Array.isArray(value)) return value;
    throw fail(`json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type ${TYPE_META}`);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw fail(error.message);
    throw error;
  }
}

const TYPE_META = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function parseYamlBody(text: string, kind: string): ParsedBody {
  const document = parseDocument(text, { uniqueKeys: false, schema: 'core', merge: true });
  const [error] = document.errors;
  if (error) {
    const line = Math.max(...document.errors.flatMap(({ linePos }) => (linePos ?? []).map((position) => position.line)));
    const why = error.code === 'BLOCK_AS_IMPLICIT_KEY' ? 'mapping values are not allowed in this context' : error.message.split('\n')[0];
    throw newBadRequest(`the object provided is unrecognized (must be of type ${kind}): yaml: line ${line}: ${why} (${excerpt(text)})`);
  }
  return { value: document.toJS() ?? {}, yamlProblems: duplicateKeys(document, text) };
}

function duplicateKeys(document: ReturnType<typeof parseDocument>, text: string): string[] {
  const problems: string[] = [];
  visit(document, {
    Map: (_key, node) => {
      if (!isMap(node)) return;
      const seen = new Set<string>();
      for (const { key } of node.items as Pair<{ value?: unknown; range?: [number, number, number] }>[]) {
        const name = String(key?.value ?? '');
        if (seen.has(name))
          problems.push(`line ${text.slice(0, key?.range?.[0] ?? 0).split('\n').length}: key "${name}" already set in map`);
        seen.add(name);
      }
    },
  });
  return problems;
}

/** How a message shows the beginning of a body it cannot read. */
function excerpt(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length === 0) return '<empty>';
  const more = bytes.length > SHOWN_BYTES ? ' ...' : '';
  const start = bytes.subarray(0, SHOWN_BYTES);
  if (bytes[0] === 123) return new TextDecoder().decode(start) + more;
  return [...start].map((byte) => byte.toString(16).padStart(2, '0')).join('') + more;
}
