/** The primitive types and their kin. */
export interface SimpleType {
  readonly kind: 'dyn' | 'error' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'null' | 'timestamp' | 'duration';
  /** How long texts of this type can be, in characters; for estimates of cost. */
  readonly maxElements?: number;
}

export interface ListType {
  readonly kind: 'list';
  readonly element: CelType;
  readonly maxElements?: number;
}

export interface MapType {
  readonly kind: 'map';
  readonly key: CelType;
  readonly value: CelType;
  readonly maxElements?: number;
}

/** A type with fields, e.g. a schema of a custom resource. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  /** The type of a field; undefined: there is none. */
  field(name: string): CelType | undefined;
}

/** A type of a library, e.g. `kubernetes.Quantity` or `optional_type(int)`. */
export interface OpaqueType {
  readonly kind: 'opaque';
  readonly name: string;
  readonly params: readonly CelType[];
}

/** The type of a type. */
export interface TypeType {
  readonly kind: 'type';
  readonly of: CelType;
}

/** A place for any type, the same wherever the name is the same. */
export interface ParamType {
  readonly kind: 'param';
  readonly name: string;
}

/** A type of the Common Expression Language. cel-go common/types.Type */
export type CelType = SimpleType | ListType | MapType | ObjectType | OpaqueType | TypeType | ParamType;

export const DYN: CelType = { kind: 'dyn' };
export const ERROR: CelType = { kind: 'error' };
export const BOOL: CelType = { kind: 'bool' };
export const INT: CelType = { kind: 'int' };
export const UINT: CelType = { kind: 'uint' };
export const DOUBLE: CelType = { kind: 'double' };
export const STRING: CelType = { kind: 'string' };
export const BYTES: CelType = { kind: 'bytes' };
export const NULL: CelType = { kind: 'null' };
export const TIMESTAMP: CelType = { kind: 'timestamp' };
export const DURATION: CelType = { kind: 'duration' };

export const listOf = (element: CelType, maxElements?: number): ListType => ({
  kind: 'list',
  element,
  ...(maxElements === undefined ? {} : { maxElements }),
});

export const mapOf = (key: CelType, value: CelType, maxElements?: number): MapType => ({
  kind: 'map',
  key,
  value,
  ...(maxElements === undefined ? {} : { maxElements }),
});

export const param = (name: string): ParamType => ({ kind: 'param', name });
export const opaque = (name: string, ...params: CelType[]): OpaqueType => ({ kind: 'opaque', name, params });
export const optionalOf = (type: CelType): OpaqueType => opaque('optional_type', type);
export const typeOf = (of: CelType): TypeType => ({ kind: 'type', of });

export function isOptional(type: CelType): type is OpaqueType {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

export function isDynOrError({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

/** A type as messages print it. cel-go checker.FormatCELType */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'error':
      return '!error!';
    case 'list':
      return `list(${formatType(type.element)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'object':
    case 'param':
      return type.name;
    case 'opaque':
      return type.params.length > 0 ? `${type.name}(${type.params.map(formatType).join(', ')})` : type.name;
    case 'type':
      return `type(${formatType(type.of)})`;
    default:
      return type.kind;
  }
}

/** A type by its name in the language. cel-go common/types.Type.String */
export function typeName(type: CelType): string {
  switch (type.kind) {
    case 'null':
      return 'null_type';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    default:
      return formatType(type);
  }
}
