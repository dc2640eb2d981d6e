import type { OpenApiSchema } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const INFO = { title: 'Kubernetes', version: '1.34' };
const PRODUCES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** The document of OpenAPI v2 that says the same: kube-openapi pkg/schemaconv and pkg/builder3 the other way round. */
export function openApiV2(paths: Readonly<Record<string, Json>>, schemas: Readonly<Record<string, OpenApiSchema>>): Json {
  return {
    swagger: '2.0',
    info: INFO,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, pathItem(item)])),
    definitions: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schemaV2(schema)])),
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    security: [{ BearerToken: [] }],
  };
}

/** v2 has no alternatives, no defaults beside a reference, and names definitions elsewhere. */
function schemaV2(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaV2);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { allOf, oneOf, anyOf: _, default: _default, ...rest } = schema as Record<string, unknown>;
  if (Array.isArray(allOf) && allOf.length === 1) return schemaV2(allOf[0]);
  if (typeof rest['$ref'] === 'string') return { $ref: rest['$ref'].replace('#/components/schemas/', '#/definitions/') };
  const out = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, schemaV2(value)]));
  return Array.isArray(oneOf) ? { type: 'string', ...out } : out;
}

function pathItem(item: Json): Json {
  return Object.fromEntries(
    Object.entries(item).map(([method, told]) => [
      method,
      method === 'parameters' ? (told as Json[]).map(parameterV2) : operation(told as Json),
    ]),
  );
}

function operation(told: Json): Json {
  const {
    parameters = [],
    requestBody,
    responses,
    ...rest
  } = told as { parameters?: Json[]; requestBody?: { content: Json; required?: boolean }; responses: Json };
  const consumes = requestBody ? Object.keys(requestBody.content) : ['*/*'];
  const body = requestBody
    ? [{ name: 'body', in: 'body', ...(requestBody.required ? { required: true } : {}), schema: firstSchema(requestBody.content) }]
    : [];
  const all = [...body, ...parameters.map(parameterV2)];
  return {
    consumes,
    produces: PRODUCES,
    schemes: ['https'],
    ...rest,
    ...(all.length > 0 ? { parameters: all } : {}),
    responses: Object.fromEntries(Object.entries(responses).map(([code, answer]) => [code, answerV2(answer as { content?: Json })])),
  };
}

function answerV2({ content = {} }: { content?: Json }): Json {
  const schema = firstSchema(content);
  return schema === undefined ? {} : { schema };
}

function firstSchema(content: Json): unknown {
  const [first] = Object.values(content) as { schema?: unknown }[];
  return schemaV2(first?.schema);
}

function parameterV2({ schema, ...rest }: Json): Json {
  return { ...(schema as Json), ...rest };
}
