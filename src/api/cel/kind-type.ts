import { type ObjectSchema, schemaOf, schemaOfKind, type TypeSchema } from '../schema.ts';
import { BOOL, BYTES, type CelType, DOUBLE, DYN, INT, listOf, mapOf, STRING, TIMESTAMP } from './cel-type.ts';

const made = new Map<string, CelType>();

/** A built-in kind as a type; undefined for kinds without a schema. apiserver pkg/cel/openapi.SchemaDeclType */
export function typeOfKind(apiVersion: string, kind: string): CelType | undefined {
  const schema = schemaOfKind(apiVersion, kind);
  return schema && structType(schema);
}

function structType(schema: ObjectSchema): CelType {
  let type = made.get(schema.name);
  if (!type) {
    type = { kind: 'object', name: schema.name, field: (name) => fieldType(schema, name) };
    made.set(schema.name, type);
  }
  return type;
}

function fieldType(schema: ObjectSchema, name: string): CelType | undefined {
  const field = schema.fields.get(name);
  return field && celType(field.type);
}

function celType(type: TypeSchema): CelType {
  switch (type.type) {
    case 'string':
    case 'quantity':
      return STRING;
    case 'bool':
      return BOOL;
    case 'int32':
    case 'int64':
      return INT;
    case 'float64':
      return DOUBLE;
    case 'bytes':
      return BYTES;
    case 'time':
    case 'microTime':
      return TIMESTAMP;
    case 'list':
      return listOf(celType(type.items));
    case 'map':
      return mapOf(STRING, celType(type.items));
    case 'struct':
      return structType(schemaOf(type.definition));
    default:
      return DYN;
  }
}
