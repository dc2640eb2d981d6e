// The fields of every built-in kind, read on demand out of the generated table. A table entry is
// `type|presence|list|patch strategy|merge key|Go type|enum`, trailing empty parts left out; see FieldSchema for what they mean.
import { SCHEMA_TABLE } from './generated/schema-table.ts';

/** The JSON type of a field, by Go's reckoning. */
export type TypeSchema =
  | {
      readonly type:
        | 'string'
        | 'bool'
        | 'int32'
        | 'int64'
        | 'float64'
        | 'bytes'
        | 'quantity'
        | 'intOrString'
        | 'time'
        | 'microTime'
        | 'any'
        | 'schemaOrOther';
    }
  | { readonly type: 'list' | 'map'; readonly items: TypeSchema }
  | { readonly type: 'struct'; readonly definition: string };

/** One field of a kind, with what the API needs to decode, write, merge and apply it. */
export interface FieldSchema {
  readonly name: string;
  readonly type: TypeSchema;
  /**
   * What becomes of a zero value: `written` always, `kept` when given (a pointer in Go), `omitted`, `struct` (an object that is always there),
   * `null` (written as null when there is none).
   */
  readonly presence: 'written' | 'kept' | 'omitted' | 'struct' | 'null';
  /** `x-kubernetes-list-type` or `x-kubernetes-map-type`. */
  readonly listType: 'map' | 'set' | 'atomic' | 'granular' | undefined;
  readonly listMapKeys: readonly string[];
  /** Strategic merge patch: some of `merge`, `replace`, `retainKeys`. */
  readonly patchStrategy: readonly string[];
  readonly patchMergeKey: string | undefined;
  readonly enum: readonly string[];
  /** How Go names the type, for decoding errors. */
  readonly goType: string;
}

/** The fields of a struct of the API. */
export interface ObjectSchema {
  /** e.g. `core.v1.PodSpec` */
  readonly name: string;
  /** e.g. `PodSpec` */
  readonly goType: string;
  readonly fields: ReadonlyMap<string, FieldSchema>;
  /** Fields that are there even when a client leaves them out. */
  readonly filled: readonly FieldSchema[];
  /** Replaced as a whole by server-side apply. */
  readonly atomic: boolean;
}

interface Table {
  readonly table: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly kinds: Readonly<Record<string, string>>;
  readonly atomic: readonly string[];
}

let parsed: Table | undefined;
const schemas = new Map<string, ObjectSchema>();
/** By apiVersion, then kind. */
const kindSchemas = new Map<string, Map<string, ObjectSchema>>();

function table(): Table {
  parsed ??= JSON.parse(SCHEMA_TABLE) as Table;
  return parsed;
}

/** The schema of a built-in kind. @example schemaOfKind('apps/v1', 'Deployment')?.fields.get('spec') */
export function schemaOfKind(apiVersion: string, kind: string): ObjectSchema | undefined {
  const known = kindSchemas.get(apiVersion)?.get(kind);
  if (known) return known;
  const { kinds } = table();
  const name = kinds[`${apiVersion}/${kind}`] ?? kinds[`*/${kind}`];
  if (name === undefined) return undefined;
  const schema = schemaOf(name);
  const ofVersion = kindSchemas.get(apiVersion) ?? new Map<string, ObjectSchema>();
  kindSchemas.set(apiVersion, ofVersion.set(kind, schema));
  return schema;
}

/** The schema of a definition by its short name, e.g. `core.v1.PodTemplateSpec`. Unknown names give a struct without fields. */
export function schemaOf(name: string): ObjectSchema {
  const known = schemas.get(name);
  if (known) return known;
  const fields = new Map(Object.entries(table().table[name] ?? {}).map(([field, text]) => [field, parseField(field, text)]));
  const filled = [...fields.values()].filter(
    ({ presence, type }) => presence === 'struct' || (presence === 'written' && zeroOf(type) !== undefined),
  );
  const schema: ObjectSchema = {
    name,
    goType: name.slice(name.lastIndexOf('.') + 1),
    fields,
    filled,
    atomic: table().atomic.includes(name),
  };
  schemas.set(name, schema);
  return schema;
}

/** What Go writes for a field of this type that nobody has set; undefined where that is null. */
export function zeroOf(type: TypeSchema): unknown {
  const zeros: Partial<Record<TypeSchema['type'], unknown>> = {
    string: '',
    bool: false,
    int32: 0,
    int64: 0,
    float64: 0,
    quantity: '0',
    intOrString: 0,
  };
  return zeros[type.type];
}

const PRESENCE = { r: 'written', p: 'kept', o: 'omitted', v: 'struct', n: 'null' } as const;

function parseField(name: string, text: string): FieldSchema {
  const [typeText = '', presence = 'p', list = '', strategy = '', mergeKey = '', goType = '', values = ''] = text.split('|');
  const type = parseType(typeText);
  return {
    name,
    type,
    presence: PRESENCE[presence as keyof typeof PRESENCE],
    listType: list === '' ? undefined : list.startsWith(':') ? (list.slice(1) as FieldSchema['listType']) : 'map',
    listMapKeys: list === '' || list.startsWith(':') ? [] : list.split(','),
    patchStrategy: strategy ? strategy.split(',') : [],
    patchMergeKey: mergeKey || undefined,
    enum: values ? values.split(',') : [],
    goType: goType ? (goType.includes('.') ? goType : `v1.${goType}`) : goTypeOf(type),
  };
}

const SCALARS: Readonly<Record<string, Exclude<TypeSchema['type'], 'list' | 'map' | 'struct'>>> = {
  s: 'string',
  b: 'bool',
  i: 'int32',
  l: 'int64',
  n: 'float64',
  y: 'bytes',
  q: 'quantity',
  I: 'intOrString',
  t: 'time',
  u: 'microTime',
  S: 'schemaOrOther',
};

function parseType(text: string): TypeSchema {
  if (text.startsWith('#')) return { type: 'struct', definition: text.slice(1) };
  if (text.startsWith('[')) return { type: 'list', items: parseType(text.slice(1)) };
  if (text.startsWith('{')) return { type: 'map', items: parseType(text.slice(1)) };
  return { type: SCALARS[text] ?? 'any' };
}

/** Go's name of a type, as decoding errors print it. */
export function goTypeOf(type: TypeSchema): string {
  switch (type.type) {
    case 'list':
      return `[]${goTypeOf(type.items)}`;
    case 'map':
      return type.items.type === 'quantity' ? 'v1.ResourceList' : `map[string]${goTypeOf(type.items)}`;
    case 'struct':
      return type.definition.split('.').slice(-2).join('.');
    case 'bytes':
      return '[]uint8';
    case 'intOrString':
      return 'int32';
    case 'time':
    case 'microTime':
      return 'string';
    case 'quantity':
      return 'resource.Quantity';
    default:
      return type.type;
  }
}

/** The struct that a type is, or that the items of a list or map are. */
export function structOf(type: TypeSchema | undefined): ObjectSchema | undefined {
  if (type?.type === 'struct') return schemaOf(type.definition);
  return type?.type === 'list' || type?.type === 'map' ? structOf(type.items) : undefined;
}
