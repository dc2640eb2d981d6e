import type { CustomResourceDefinition } from '../../../src/api/kinds/apiextensions-v1.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { customresourcedefinitions } from '../../../src/api/resources.ts';
import { OPENAPI_SCHEMAS } from '../generated/openapi-schemas.ts';
import type { ServerCore } from '../server-core.ts';

/** A schema of OpenAPI v3; only what is looked at here. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** What tells kinds apart: apimachinery pkg/runtime/schema.GroupVersionKind */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface BuiltIn {
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
  /** Names of definitions by `group/version/kind`. */
  readonly names: ReadonlyMap<string, string>;
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const REF = '#/components/schemas/';
let builtIn: BuiltIn | undefined;

function builtInSchemas(): BuiltIn {
  if (builtIn) return builtIn;
  const schemas = JSON.parse(OPENAPI_SCHEMAS) as Record<string, OpenApiSchema>;
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as readonly GroupVersionKind[];
    if (!name.startsWith(META)) for (const { group, version, kind } of kinds) names.set(`${group}/${version}/${kind}`, name);
  }
  builtIn = { schemas, names };
  return builtIn;
}

/** The schemas that documents are made of: those of built-in kinds, and those that CustomResourceDefinitions bring. */
export class OpenApiSchemas {
  readonly #custom = new Map<string, OpenApiSchema>();
  readonly #names = new Map<string, string>();

  constructor(server: ServerCore) {
    for (const definition of server.storage(customresourcedefinitions).list()) this.#addCustom(definition);
  }

  /** The name of the definition of a kind. */
  nameOf({ group, version, kind }: GroupVersionKind): string | undefined {
    const key = `${group}/${version}/${kind}`;
    return builtInSchemas().names.get(key) ?? this.#names.get(key);
  }

  /** Schemas by name with everything that they refer to, in order of their names. */
  closure(names: Iterable<string>): Record<string, OpenApiSchema> {
    const found = new Map<string, OpenApiSchema>();
    const pending = [...names];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const schema = this.#custom.get(name) ?? builtInSchemas().schemas[name];
      if (!schema || found.has(name)) continue;
      found.set(name, schema);
      for (const [, ref = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) pending.push(ref);
    }
    return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** apiextensions-apiserver pkg/controller/openapi/builder.BuildOpenAPIV3 */
  #addCustom({ spec }: CustomResourceDefinition): void {
    const { group, names } = spec;
    for (const { name: version, schema, served } of spec.versions) {
      if (!served) continue;
      const base = `${[...group.split('.')].reverse().join('.')}.${version}.${names.kind}`;
      const gvk = { group, kind: names.kind, version };
      const root = (schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }) as OpenApiSchema;
      const properties = {
        ...(root['properties'] as object | undefined),
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { allOf: [{ $ref: `${REF}${META}.ObjectMeta` }] },
      };
      this.#add(base, { ...root, properties, 'x-kubernetes-group-version-kind': [gvk] }, gvk);
      const listKind = names.listKind ?? `${names.kind}List`;
      const list = {
        type: 'object',
        required: ['items'],
        properties: {
          apiVersion: { type: 'string' },
          items: { type: 'array', items: { allOf: [{ $ref: REF + base }] } },
          kind: { type: 'string' },
          metadata: { allOf: [{ $ref: `${REF}${META}.ListMeta` }] },
        },
        'x-kubernetes-group-version-kind': [{ ...gvk, kind: listKind }],
      };
      this.#add(`${base}List`, list, { ...gvk, kind: listKind });
    }
  }

  #add(name: string, schema: OpenApiSchema, { group, version, kind }: GroupVersionKind): void {
    this.#custom.set(name, schema);
    this.#names.set(`${group}/${version}/${kind}`, name);
  }
}

/** What documents are remade for: another set of resources, or a changed CustomResourceDefinition. */
export function schemaStamp(server: ServerCore, resources: readonly Resource[]): string {
  const versions = server
    .storage(customresourcedefinitions)
    .list()
    .map(({ metadata }) => `${metadata.uid}@${metadata.generation}`);
  return `${resources.length} ${versions.join(' ')}`;
}
