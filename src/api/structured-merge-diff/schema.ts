/**
 * What a value may be and how it is merged: as a scalar, a list, a map, or, where the value decides, several of them. The built-in kinds and the
 * schemas of custom resources both come in this form. structured-merge-diff schema.Atom
 */
export interface FieldType {
  readonly scalar?: 'string' | 'numeric' | 'boolean' | 'untyped' | undefined;
  readonly list?: ListType | undefined;
  readonly map?: MapType | undefined;
}

/** structured-merge-diff schema.List */
export interface ListType {
  readonly items: FieldType;
  /** Replaced as a whole, or merged item by item. */
  readonly relationship: 'atomic' | 'associative';
  /** Of an associative list: the fields that identify an item; none for a set. */
  readonly keys: readonly string[];
  /** What stands for a key that an item leaves out; undefined: nothing does. */
  keyDefault(key: string): unknown;
}

/** structured-merge-diff schema.Map: a struct, a map, or both. */
export interface MapType {
  readonly relationship: 'atomic' | 'separable';
  /** A field that is declared by name. */
  field(name: string): FieldType | undefined;
  /** What other keys hold; undefined: there are no others. */
  readonly items?: FieldType | undefined;
  /** Fields that the API writes, as null or zero, when an object does not hold them. */
  readonly written?: readonly (readonly [name: string, value: unknown])[];
}

const UNTYPED_SCALAR = 'untyped';

/** Whatever comes, one leaf. structured-merge-diff `__untyped_atomic_` */
export const UNTYPED_ATOMIC: FieldType = {
  scalar: UNTYPED_SCALAR,
  get list() {
    return ATOMIC_LIST;
  },
  map: {
    relationship: 'atomic',
    field: () => undefined,
    get items() {
      return UNTYPED_ATOMIC;
    },
  },
};

const ATOMIC_LIST: ListType = { items: UNTYPED_ATOMIC, relationship: 'atomic', keys: [], keyDefault: () => undefined };

/** Whatever comes: maps merge key by key, lists are replaced. structured-merge-diff `__untyped_deduced_` */
export const UNTYPED_DEDUCED: FieldType = {
  scalar: UNTYPED_SCALAR,
  list: ATOMIC_LIST,
  map: {
    relationship: 'separable',
    field: () => undefined,
    get items() {
      return UNTYPED_DEDUCED;
    },
  },
};

/** What of a type is meant by a value; null and absent values leave it open. structured-merge-diff typed.deduceAtom */
export function deduceType(type: FieldType, value: unknown): FieldType {
  if (value === undefined || value === null) return type;
  if (typeof value !== 'object') return type.scalar ? { scalar: type.scalar } : type;
  if (Array.isArray(value)) return type.list ? { list: type.list } : type;
  return type.map ? { map: type.map } : type;
}
