import type { FieldError } from '../../../../src/api/status-error.ts';
import type { Schema } from '../schema/structural-schema.ts';

export function validateSchemaRules(_schema: Schema, _path: string): FieldError[] {
  return [];
}
