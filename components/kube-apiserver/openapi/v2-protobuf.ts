// The document of OpenAPI v2 in protobuf, which clients in Go ask for: gnostic openapiv2/OpenAPIv2.proto. Field numbers are named where they are used.
import { ProtobufWriter } from '../../../src/api/protobuf-writer.ts';

type Json = Readonly<Record<string, unknown>>;

export const V2_PROTOBUF_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const METHODS: readonly (readonly [number, string])[] = [
  [2, 'get'],
  [3, 'put'],
  [4, 'post'],
  [5, 'delete'],
  [6, 'options'],
  [7, 'head'],
  [8, 'patch'],
];

/** Whether an Accept header asks for v2 in protobuf rather than in JSON. */
export function wantsV2Protobuf(accept = ''): boolean {
  return /^application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/.test(accept);
}

/** Document: swagger 1, info 2, paths 8, definitions 9 */
export function encodeV2({ swagger, info, paths, definitions }: Json): Uint8Array<ArrayBuffer> {
  const { title, version } = info as { title: string; version: string };
  const pathItems = new ProtobufWriter();
  for (const [path, item] of Object.entries(paths as Json)) pathItems.bytes(2, named(path, pathItem(item as Json)));
  return new ProtobufWriter()
    .bytes(1, swagger as string)
    .bytes(2, new ProtobufWriter().bytes(1, title).bytes(2, version).finish())
    .bytes(8, pathItems.finish())
    .bytes(9, namedSchemas(definitions as Json))
    .finish();
}

function named(name: string, value: Uint8Array): Uint8Array {
  return new ProtobufWriter().bytes(1, name).bytes(2, value).finish();
}

/** Definitions and Properties: additional_properties 1 */
function namedSchemas(schemas: Json): Uint8Array {
  const out = new ProtobufWriter();
  for (const [name, value] of Object.entries(schemas)) out.bytes(1, named(name, schema(value as Json)));
  return out.finish();
}

/** PathItem: the operations, parameters 9 */
function pathItem(item: Json): Uint8Array {
  const out = new ProtobufWriter();
  for (const [number, method] of METHODS) if (item[method]) out.bytes(number, operation(item[method] as Json));
  for (const one of (item['parameters'] ?? []) as Json[]) out.bytes(9, parameter(one));
  return out.finish();
}

/** Operation: tags 1, operation_id 5, produces 6, consumes 7, parameters 8, schemes 10, vendor_extension 13 */
function operation({ tags, operationId, produces, consumes, parameters, schemes, ...rest }: Json): Uint8Array {
  const out = new ProtobufWriter();
  for (const tag of (tags ?? []) as string[]) out.bytes(1, tag);
  out.bytes(5, operationId as string);
  for (const type of (produces ?? []) as string[]) out.bytes(6, type);
  for (const type of (consumes ?? []) as string[]) out.bytes(7, type);
  for (const one of (parameters ?? []) as Json[]) out.bytes(8, parameter(one));
  for (const scheme of (schemes ?? []) as string[]) out.bytes(10, scheme);
  return extensions(out, 13, rest).finish();
}

/** ParametersItem.parameter 1 of: BodyParameter 1, or NonBodyParameter 2 of: query 3, path 4 */
function parameter({ name, in: place, required, type, schema: body }: Json): Uint8Array {
  if (place === 'body') {
    const told = new ProtobufWriter()
      .bytes(2, name as string)
      .bytes(3, 'body')
      .integer(4, required as boolean | undefined);
    const bodyParameter = told.bytes(5, new ProtobufWriter().bytes(1, schema((body ?? {}) as Json)).finish()).finish();
    return new ProtobufWriter().bytes(1, new ProtobufWriter().bytes(1, bodyParameter).finish()).finish();
  }
  const told = new ProtobufWriter()
    .integer(1, required as boolean | undefined)
    .bytes(2, place as string)
    .bytes(4, name as string);
  const one = told.bytes(place === 'path' ? 5 : 6, type as string).finish();
  const nonBody = new ProtobufWriter().bytes(place === 'path' ? 4 : 3, one).finish();
  return new ProtobufWriter().bytes(1, new ProtobufWriter().bytes(2, nonBody).finish()).finish();
}

const TEXTS: readonly (readonly [number, string])[] = [
  [1, '$ref'],
  [2, 'format'],
  [3, 'title'],
  [4, 'description'],
];

/** Schema: the texts, pattern 13, required 19, enum 20, additional_properties 21, type 22, items 23, properties 25, vendor_extension 31 */
function schema(value: Json): Uint8Array {
  const { required, enum: values, additionalProperties, type, items, properties, pattern } = value;
  const out = new ProtobufWriter();
  for (const [number, field] of TEXTS) out.bytes(number, value[field] as string | undefined);
  out.bytes(13, pattern as string | undefined);
  for (const field of (required ?? []) as string[]) out.bytes(19, field);
  for (const one of (values ?? []) as unknown[]) out.bytes(20, any(one));
  if (typeof additionalProperties === 'object' && additionalProperties)
    out.bytes(21, new ProtobufWriter().bytes(1, schema(additionalProperties as Json)).finish());
  if (typeof additionalProperties === 'boolean') out.bytes(21, new ProtobufWriter().integer(2, additionalProperties).finish());
  if (type) out.bytes(22, new ProtobufWriter().bytes(1, type as string).finish());
  if (items) out.bytes(23, new ProtobufWriter().bytes(1, schema(items as Json)).finish());
  if (properties) out.bytes(25, namedSchemas(properties as Json));
  return extensions(out, 31, value).finish();
}

/** NamedAny: name 1, value 2 */
function extensions(out: ProtobufWriter, number: number, value: Json): ProtobufWriter {
  for (const [name, extension] of Object.entries(value)) if (name.startsWith('x-')) out.bytes(number, named(name, any(extension)));
  return out;
}

/** Any: yaml 2, of which JSON is a part */
function any(value: unknown): Uint8Array {
  return new ProtobufWriter().bytes(2, `${JSON.stringify(value)}\n`).finish();
}
