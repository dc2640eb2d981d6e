import { fieldNames } from '../json-path.ts';
import { fieldOf, type Schema } from '../schema/structural-schema.ts';

/** The schema that a rule's fieldPath leads to, e.g. `.spec.list` or `.map['key']`. */
export function schemaAt(schema: Schema, fieldPath: string): Schema | undefined {
  const names = fieldNames(fieldPath);
  if (!names?.length) return undefined;
  return names.reduce<Schema | undefined>((inner, name) => inner && fieldOf(inner, name), schema);
}

/** A place below another one, as messages write it. */
export function joinFieldPath(path: string, fieldPath: string | undefined): string {
  const below = fieldPath?.trim() ?? '';
  if (!below) return path;
  return path ? path + below : below.replace(/^\./, '');
}
