import type { JSONSchemaProps } from '../kinds/apiextensions-v1.ts';
import { typeOfKind } from './built-in-schema.ts';
import { type FieldType, type ListType, type MapType, UNTYPED_ATOMIC, UNTYPED_DEDUCED } from './schema.ts';

/** How custom resources of one version are merged. `schema` is the `openAPIV3Schema` of the version. apiextensions-apiserver pkg/controller/openapi/builder */
export function typeOfCustomResource(schema: JSONSchemaProps | undefined): FieldType {
  const root = schema ? typeOfSchema(schema) : UNTYPED_DEDUCED;
  const metadata = typeOfKind('v1', 'ConfigMap')?.map?.field('metadata') ?? UNTYPED_ATOMIC;
  const declared = new Map<string, FieldType>([
    ['apiVersion', { scalar: 'string' }],
    ['kind', { scalar: 'string' }],
    ['metadata', metadata],
  ]);
  return {
    map: {
      relationship: 'separable',
      field: (name) => declared.get(name) ?? root.map?.field(name),
      items: root.map?.items,
    },
  };
}

/** kube-openapi pkg/schemaconv: the merge type of one schema. */
export function typeOfSchema(schema: JSONSchemaProps): FieldType {
  if (schema['x-kubernetes-int-or-string']) return { scalar: 'untyped' };
  switch (schema.type) {
    case 'object':
      return { map: new SchemaMap(schema) };
    case 'array':
      return { list: new SchemaList(schema) };
    case 'string':
      return { scalar: schema.format && schema.format !== 'byte' ? 'untyped' : 'string' };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] ? UNTYPED_DEDUCED : UNTYPED_ATOMIC;
  }
}

class SchemaMap implements MapType {
  readonly relationship: MapType['relationship'];
  readonly items: FieldType | undefined;
  readonly #properties: Readonly<Record<string, JSONSchemaProps>>;
  readonly #fields = new Map<string, FieldType>();

  constructor(schema: JSONSchemaProps) {
    this.relationship = schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'separable';
    this.#properties = schema.properties ?? {};
    this.items = otherItems(schema);
  }

  field(name: string): FieldType | undefined {
    const known = this.#fields.get(name);
    if (known) return known;
    const schema = Object.hasOwn(this.#properties, name) ? this.#properties[name] : undefined;
    if (!schema) return undefined;
    const type = typeOfSchema(schema);
    this.#fields.set(name, type);
    return type;
  }
}

/** What keys hold that are not among the properties. */
function otherItems(schema: JSONSchemaProps): FieldType | undefined {
  const additional: unknown = schema.additionalProperties;
  if (typeof additional === 'object' && additional !== null) return typeOfSchema(additional as JSONSchemaProps);
  if (additional === true || schema['x-kubernetes-preserve-unknown-fields'] || schema['x-kubernetes-embedded-resource'])
    return UNTYPED_DEDUCED;
  return undefined;
}

class SchemaList implements ListType {
  readonly relationship: ListType['relationship'];
  readonly keys: readonly string[];
  readonly items: FieldType;
  readonly #properties: Readonly<Record<string, JSONSchemaProps>>;

  constructor(schema: JSONSchemaProps) {
    const type = schema['x-kubernetes-list-type'];
    const items = schema.items as JSONSchemaProps | undefined;
    this.relationship = type === 'map' || type === 'set' ? 'associative' : 'atomic';
    this.keys = type === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
    this.items = items ? typeOfSchema(items) : UNTYPED_DEDUCED;
    this.#properties = items?.properties ?? {};
  }

  keyDefault(key: string): unknown {
    return this.#properties[key]?.default;
  }
}
