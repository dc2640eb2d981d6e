import { writtenFields } from '../encode.ts';
import { type FieldSchema, type ObjectSchema, schemaOf, schemaOfKind, type TypeSchema, zeroOf } from '../schema.ts';
import { type FieldType, type ListType, type MapType, UNTYPED_ATOMIC, UNTYPED_DEDUCED } from './schema.ts';

const kinds = new Map<string, FieldType | undefined>();
const structs = new Map<string, FieldType>();

/** How values of a built-in kind are merged. @example typeOfKind('apps/v1', 'Deployment')?.map?.field('spec') */
export function typeOfKind(apiVersion: string, kind: string): FieldType | undefined {
  const key = `${apiVersion}/${kind}`;
  if (!kinds.has(key)) {
    const schema = schemaOfKind(apiVersion, kind);
    kinds.set(key, schema && structType(schema.name));
  }
  return kinds.get(key);
}

const SCALARS: Readonly<Record<string, FieldType>> = {
  string: { scalar: 'string' },
  bytes: { scalar: 'string' },
  bool: { scalar: 'boolean' },
  int32: { scalar: 'numeric' },
  int64: { scalar: 'numeric' },
  float64: { scalar: 'numeric' },
  quantity: { scalar: 'untyped' },
  intOrString: { scalar: 'untyped' },
  time: { scalar: 'untyped' },
  microTime: { scalar: 'untyped' },
  any: UNTYPED_DEDUCED,
  schemaOrOther: UNTYPED_ATOMIC,
};

function structType(definition: string, atomic = false): FieldType {
  const key = atomic ? `${definition}!` : definition;
  let type = structs.get(key);
  if (!type) {
    type = { map: new StructType(schemaOf(definition), atomic) };
    structs.set(key, type);
  }
  return type;
}

function typeOf(type: TypeSchema, field?: FieldSchema): FieldType {
  switch (type.type) {
    case 'struct':
      return structType(type.definition, field?.listType === 'atomic');
    case 'list':
      return { list: new BuiltInList(type.items, field) };
    case 'map':
      return { map: new BuiltInMap(type.items, field?.listType === 'atomic') };
    default:
      return SCALARS[type.type] ?? UNTYPED_ATOMIC;
  }
}

class StructType implements MapType {
  readonly relationship: MapType['relationship'];
  readonly written: readonly (readonly [name: string, value: unknown])[];
  readonly #schema: ObjectSchema;
  readonly #fields = new Map<string, FieldType>();

  constructor(schema: ObjectSchema, atomic: boolean) {
    this.#schema = schema;
    this.written = writtenFields(schema);
    this.relationship = atomic || schema.atomic ? 'atomic' : 'separable';
  }

  field(name: string): FieldType | undefined {
    const known = this.#fields.get(name);
    if (known) return known;
    const field = this.#schema.fields.get(name);
    if (!field) return undefined;
    const type = typeOf(field.type, field);
    this.#fields.set(name, type);
    return type;
  }
}

class BuiltInMap implements MapType {
  readonly relationship: MapType['relationship'];
  readonly #items: TypeSchema;
  #type: FieldType | undefined;

  constructor(items: TypeSchema, atomic: boolean) {
    this.#items = items;
    this.relationship = atomic ? 'atomic' : 'separable';
  }

  field(): undefined {
    return undefined;
  }

  get items(): FieldType {
    this.#type ??= typeOf(this.#items);
    return this.#type;
  }
}

const KEY_DEFAULTS: Readonly<Record<string, string>> = {
  'core.v1.ContainerPort/protocol': 'TCP',
  'core.v1.ServicePort/protocol': 'TCP',
  'core.v1.LocalObjectReference/name': '',
};

class BuiltInList implements ListType {
  readonly relationship: ListType['relationship'];
  readonly keys: readonly string[];
  readonly #items: TypeSchema;
  #type: FieldType | undefined;

  constructor(items: TypeSchema, field: FieldSchema | undefined) {
    const { listType } = field ?? {};
    this.relationship = listType === 'map' || listType === 'set' ? 'associative' : 'atomic';
    this.keys = listType === 'map' ? (field?.listMapKeys ?? []) : [];
    this.#items = items;
  }

  get items(): FieldType {
    this.#type ??= typeOf(this.#items);
    return this.#type;
  }

  /** Fields that Go always writes are given their zero value by the OpenAPI document; few other keys have a default. */
  keyDefault(key: string): unknown {
    if (this.#items.type !== 'struct') return undefined;
    const { definition } = this.#items;
    const known = KEY_DEFAULTS[`${definition}/${key}`];
    if (known !== undefined) return known;
    const field = schemaOf(definition).fields.get(key);
    return field?.presence === 'written' ? zeroOf(field.type) : undefined;
  }
}
