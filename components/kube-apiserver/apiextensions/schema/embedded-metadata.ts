import { decode } from '../../../../src/api/decode.ts';
import type { ObjectMeta } from '../../../../src/api/kinds/meta-v1.ts';
import { schemaOf } from '../../../../src/api/schema.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { goJson, invalidPrinted, required } from '../../../../src/api/validation/field.ts';
import { fieldOf, isJsonObject, itemsOf, mapChildren, type Schema } from './structural-schema.ts';

/** What was found while metadata was read. */
export interface MetadataFindings {
  readonly unknownPaths: string[];
  /** Why some metadata cannot be read. */
  error?: string;
}

/** Reads metadata as ObjectMeta: unknown fields are left out. */
export function coerceMetadata(value: unknown, path: string, findings: MetadataFindings): ObjectMeta {
  const { object, strictProblems, error } = decode<ObjectMeta>(value, schemaOf('meta.v1.ObjectMeta'));
  if (error !== undefined) findings.error ??= path === 'metadata' ? error : `${path}: Invalid value: ${goJson(value)}: ${error}`;
  for (const problem of strictProblems) {
    const [, field = ''] = /"(.*)"$/.exec(problem) ?? [];
    findings.unknownPaths.push(`${path}.${field}`);
  }
  return object;
}

/** The same for the metadata of embedded objects. apiextensions-apiserver pkg/apiserver/schema/objectmeta.CoerceWithOptions */
export function coerceEmbedded(value: unknown, schema: Schema, place: { path: string; findings: MetadataFindings }): unknown {
  const { path, findings } = place;
  const out = mapChildren(value, schema, (child, inner, segment) => {
    const below = path ? `${path}${segment}` : segment.replace(/^\./, '');
    return coerceEmbedded(child, inner, { path: below, findings });
  });
  if (!schema['x-kubernetes-embedded-resource'] || !isJsonObject(out) || out['metadata'] === undefined) return out;
  const metadata = coerceMetadata(out['metadata'], `${path}.metadata`, findings);
  return { ...out, metadata };
}

/** Embedded objects say what they are. apiextensions-apiserver pkg/apiserver/schema/objectmeta.Validate */
export function validateEmbedded(value: unknown, schema: Schema, path = ''): FieldError[] {
  const errors: FieldError[] = [];
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items) for (const [index, item] of value.entries()) errors.push(...validateEmbedded(item, items, `${path}[${index}]`));
    return errors;
  }
  if (!isJsonObject(value)) return errors;
  if (schema['x-kubernetes-embedded-resource']) {
    const { apiVersion, kind } = value;
    if (!apiVersion) errors.push(required(`${path}.apiVersion`, path && apiVersion === '' ? 'must not be empty' : ''));
    else if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2)
      errors.push(invalidPrinted(`${path}.apiVersion`, JSON.stringify(apiVersion), `unexpected GroupVersion string: ${apiVersion}`));
    if (!kind) errors.push(required(`${path}.kind`, kind === '' ? 'must not be empty' : ''));
  }
  for (const [key, item] of Object.entries(value)) {
    const field = fieldOf(schema, key);
    if (field) errors.push(...validateEmbedded(item, field, path ? `${path}.${key}` : key));
  }
  return errors;
}
