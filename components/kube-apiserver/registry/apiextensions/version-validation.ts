import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from '../../../../src/api/kinds/apiextensions-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { duplicate, invalid, required, tooLong, tooMany } from '../../../../src/api/validation/field.ts';
import { validateSchemaRules } from '../../apiextensions/cel/validate-schema-rules.ts';
import { fieldNames } from '../../apiextensions/json-path.ts';
import type { Schema } from '../../apiextensions/schema/structural-schema.ts';
import { validateSchema } from '../../apiextensions/schema/validate-schema.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MAX_SELECTABLE_FIELDS = 8;
const MAX_WARNING = 256;

/** What can be said of each version alone. apiextensions-apiserver pkg/apis/apiextensions/validation.validateCustomResourceDefinitionVersion */
export function validateVersionContents(
  { versions = [] }: CustomResourceDefinitionSpec,
  oldVersions?: readonly CustomResourceDefinitionVersion[],
): FieldError[] {
  const [first] = versions;
  if (!first) return [];
  const common = (field: keyof CustomResourceDefinitionVersion): boolean =>
    versions.every((version) => deepEqual(version[field], first[field]));
  const oneSchema = common('schema');
  const oneColumns = common('additionalPrinterColumns');
  const oneFields = common('selectableFields');
  const oneScale = common('subresources');
  const errors: FieldError[] = [];
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    const atTop = (one: boolean): string | undefined => (one ? (index === 0 ? 'spec' : undefined) : path);
    const schema = version.schema?.openAPIV3Schema;
    const schemaPath = oneSchema ? (index === 0 ? 'spec.validation.openAPIV3Schema' : undefined) : `${path}.schema.openAPIV3Schema`;
    errors.push(...validateDeprecation(version, path));
    if (schema && schemaPath) errors.push(...validateWholeSchema(schema, schemaPath, oldVersions));
    const columnsPath = atTop(oneColumns);
    if (columnsPath) errors.push(...validateColumns(version, columnsPath));
    const fieldsPath = atTop(oneFields);
    if (fieldsPath) errors.push(...validateSelectableFields(version, fieldsPath));
    const scalePath = atTop(oneScale);
    if (scalePath) errors.push(...validateScale(version, scalePath));
  }
  return errors;
}

/** Rules that were there before are taken as they are. */
function validateWholeSchema(
  schema: Schema,
  path: string,
  oldVersions: readonly CustomResourceDefinitionVersion[] | undefined,
): FieldError[] {
  const errors = validateSchema(schema, path);
  if (errors.length > 0) return errors;
  const known = oldVersions?.some((old) => deepEqual(old.schema?.openAPIV3Schema, schema)) ?? false;
  return known ? [] : validateSchemaRules(schema, path);
}

function validateDeprecation({ deprecated, deprecationWarning }: CustomResourceDefinitionVersion, path: string): FieldError[] {
  if (deprecationWarning === undefined) return [];
  const at = `${path}.deprecationWarning`;
  if (!deprecated) return [invalid(at, deprecationWarning, 'can only be set for deprecated versions')];
  if (deprecationWarning.length > MAX_WARNING) return [tooLong(at, MAX_WARNING)];
  return deprecationWarning === '' ? [invalid(at, deprecationWarning, 'must not be empty')] : [];
}

/** Columns of a single version are reported where older APIs had them. */
function validateColumns({ additionalPrinterColumns }: CustomResourceDefinitionVersion, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { name, type, format, jsonPath }] of (additionalPrinterColumns ?? []).entries()) {
    const at = `${path}.additionalPrinterColumns[${index}]`;
    if (!name) errors.push(required(`${at}.name`));
    if (!type) errors.push(required(`${at}.type`, `must be one of ${COLUMN_TYPES.join(',')}`));
    else if (!COLUMN_TYPES.includes(type)) errors.push(invalid(`${at}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`));
    if (format && !COLUMN_FORMATS.includes(format))
      errors.push(invalid(`${at}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
    if (!jsonPath) errors.push(required(`${at}.JSONPath`));
    else if (!jsonPath.startsWith('.')) errors.push(invalid(`${at}.JSONPath`, jsonPath, 'must be a simple json path starting with .'));
  }
  return errors;
}

function validateSelectableFields({ selectableFields = [], schema }: CustomResourceDefinitionVersion, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of selectableFields.entries()) {
    const at = `${path}.selectableFields[${index}].jsonPath`;
    if (!jsonPath) {
      errors.push(required(at));
      continue;
    }
    const problem = selectableProblem(jsonPath, schema?.openAPIV3Schema ?? {});
    if (problem) errors.push(invalid(at, jsonPath, problem));
    else if (seen.has(jsonPath)) errors.push(duplicate(at, jsonPath));
    seen.add(jsonPath);
  }
  if (selectableFields.length > MAX_SELECTABLE_FIELDS)
    errors.push(tooMany(`${path}.selectableFields`, selectableFields.length, MAX_SELECTABLE_FIELDS));
  return errors;
}

function selectableProblem(jsonPath: string, root: Schema): string | undefined {
  if (!/^[.[]/.test(jsonPath))
    return `is an invalid path: expected [ or . but got: ${/^[A-Za-z0-9_$]+/.exec(jsonPath)?.[0] ?? jsonPath[0]}`;
  if (/\[\d+\]|\[\*\]/.test(jsonPath)) return 'is an invalid path: array notation is not allowed';
  let schema: Schema | undefined = root;
  for (const name of fieldNames(jsonPath) ?? ['']) schema = schema?.properties?.[name];
  if (!schema) return 'is an invalid path: does not refer to a valid field';
  if (jsonPath.startsWith('.metadata')) return 'must not point to fields in metadata';
  if (['string', 'boolean', 'integer'].includes(schema.type ?? '')) return undefined;
  return 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
}

function validateScale({ subresources }: CustomResourceDefinitionVersion, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const errors: FieldError[] = [];
  const check = (name: 'specReplicasPath' | 'statusReplicasPath' | 'labelSelectorPath', roots: readonly string[]): void => {
    const at = `${path}.subresources.scale.${name}`;
    const value = scale[name];
    if (!value) {
      if (name !== 'labelSelectorPath') errors.push(required(at));
      return;
    }
    const names = fieldNames(value);
    if (!names || !value.startsWith('.')) errors.push(invalid(at, value, 'should be a simple json path starting with .'));
    else if (!roots.includes(names[0] ?? ''))
      errors.push(invalid(at, value, `should be a json path under ${roots.map((root) => `.${root}`).join(' or ')}`));
  };
  check('specReplicasPath', ['spec']);
  check('statusReplicasPath', ['status']);
  check('labelSelectorPath', ['spec', 'status']);
  return errors;
}
