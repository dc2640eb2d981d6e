import { RE2JS, RE2JSException } from 're2js';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { applyDefaults } from './defaulting.ts';
import { pruneBelow } from './pruning.ts';
import { additionalOf, isJsonObject, itemsOf, type Schema } from './structural-schema.ts';
import { validateValue } from './validate-value.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
/** Fields of JSON schema that may not be used, and why. */
const FORBIDDEN_FIELDS = {
  definitions: 'definitions is not supported',
  dependencies: 'dependencies is not supported',
  id: 'id is not supported',
  patternProperties: 'patternProperties is not supported',
  additionalItems: 'additionalItems is not supported',
  $ref: '$ref is not supported',
} as const;

/** What is wrong with a schema. apiextensions-apiserver pkg/apis/apiextensions/validation.ValidateCustomResourceDefinitionOpenAPISchema, pkg/apiserver/schema.ValidateStructural */
export function validateSchema(schema: Schema, path: string): FieldError[] {
  const root = schema.type && schema.type !== 'object' ? [invalid(`${path}.type`, schema.type, 'must be object at the root')] : [];
  const errors = [...root, ...validateOpenAPISchema(schema, path)];
  if (errors.length > 0) return errors;
  const structural = [...validateStructural(schema, path), ...validateCompleteness(schema, path)].sort(byText);
  return structural.length > 0 ? structural : validateDefaults(schema, path);
}

function byText(a: FieldError, b: FieldError): number {
  const [left, right] = [`${a.field}: ${a.body}`, `${b.field}: ${b.body}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Every schema below, junctors included. */
function eachChild(schema: Schema, path: string): [Schema, string][] {
  const children: [Schema, string][] = Object.entries(schema.properties ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, child]) => [child, `${path}.properties[${name}]`]);
  const additional = additionalOf(schema);
  if (typeof additional === 'object') children.push([additional, `${path}.additionalProperties`]);
  const items = itemsOf(schema);
  if (items) children.push([items, `${path}.items`]);
  return children;
}

function eachJunctor(schema: Schema, path: string): [Schema, string][] {
  const of = (name: 'allOf' | 'anyOf' | 'oneOf'): [Schema, string][] =>
    (schema[name] ?? []).map((child, index) => [child, `${path}.${name}[${index}]`]);
  return [...of('allOf'), ...of('anyOf'), ...of('oneOf'), ...(schema.not ? ([[schema.not, `${path}.not`]] as [Schema, string][]) : [])];
}

function validateOpenAPISchema(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { type, pattern } = schema;
  if (type && !TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, TYPES));
  if (schema.uniqueItems)
    errors.push(forbidden(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  if (schema.additionalProperties !== undefined && schema.properties)
    errors.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  if (schema.additionalProperties === false)
    errors.push(forbidden(`${path}.additionalProperties`, 'additionalProperties cannot be set to false'));
  for (const [name, why] of Object.entries(FORBIDDEN_FIELDS))
    if (schema[name as keyof typeof FORBIDDEN_FIELDS] !== undefined) errors.push(forbidden(`${path}.${name}`, why));
  if (Array.isArray(schema.items)) errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  if (type === 'array' && schema.items === undefined) errors.push(required(`${path}.items`, 'must be specified'));
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  if (pattern) errors.push(...patternErrors(pattern, path));
  errors.push(...mapTypeErrors(schema, path), ...listTypeErrors(schema, path));
  for (const [child, at] of [...eachChild(schema, path), ...eachJunctor(schema, path)]) errors.push(...validateOpenAPISchema(child, at));
  return errors;
}

function patternErrors(pattern: string, path: string): FieldError[] {
  try {
    RE2JS.compile(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return [invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${error.message}`)];
  }
}

function mapTypeErrors(schema: Schema, path: string): FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  if (mapType !== 'atomic' && mapType !== 'granular')
    return [notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular'])];
  if (schema.type !== 'object')
    return [
      schema.type
        ? invalid(`${path}.type`, schema.type, 'must be object if x-kubernetes-map-type is specified')
        : required(`${path}.type`, 'must be object if x-kubernetes-map-type is specified'),
    ];
  return [];
}

function listTypeErrors(schema: Schema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const errors: FieldError[] = [];
  const at = `${path}.x-kubernetes-list-type`;
  if (listType !== undefined && schema.type !== 'array') {
    const why = 'must be array if x-kubernetes-list-type is specified';
    errors.push(schema.type ? invalid(`${path}.type`, schema.type, why) : required(`${path}.type`, why));
  }
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType))
    errors.push(notSupported(at, listType, ['atomic', 'set', 'map']));
  if (keys.length > 0 && listType === undefined) errors.push(required(at, 'must be map if x-kubernetes-list-map-keys is non-empty'));
  else if (keys.length > 0 && listType !== 'map')
    errors.push(invalid(at, listType, 'must be map if x-kubernetes-list-map-keys is non-empty'));
  const items = itemsOf(schema);
  if (listType === 'set' && items) errors.push(...setItemErrors(items, `${path}.items`));
  if (listType === 'map') errors.push(...listMapErrors(schema, items, path));
  return errors;
}

function setItemErrors(items: Schema, path: string): FieldError[] {
  const why = 'as item of a list with x-kubernetes-list-type=set';
  if (items.nullable) return [forbidden(`${path}.nullable`, 'cannot be nullable when x-kubernetes-list-type is set')];
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    return [invalid(`${path}.x-kubernetes-map-type`, items['x-kubernetes-map-type'], `must be atomic ${why}`)];
  if (items.type === 'array' && items['x-kubernetes-list-type'] !== undefined && items['x-kubernetes-list-type'] !== 'atomic')
    return [invalid(`${path}.x-kubernetes-list-type`, items['x-kubernetes-list-type'], `must be atomic ${why}`)];
  return [];
}

function listMapErrors(schema: Schema, items: Schema | undefined, path: string): FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const at = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) return [required(at, 'must not be empty if x-kubernetes-list-type is map')];
  if (!items) return [];
  if (items.type !== 'object')
    return [invalid(`${path}.items.type`, items.type ?? '', 'must be object if parent array has x-kubernetes-list-type=map')];
  const errors: FieldError[] = [];
  if (new Set(keys).size < keys.length) errors.push(invalid(at, keys, 'must not contain duplicate entries'));
  for (const key of keys) {
    const property = items.properties?.[key];
    const place = `${path}.items.properties[${key}]`;
    if (!property) errors.push(invalid(at, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object')
      errors.push(invalid(`${place}.type`, property.type, 'must be a scalar type if parent array has x-kubernetes-list-type=map'));
    else if (property.nullable)
      errors.push(forbidden(`${place}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'));
    else if (property.default === undefined && !items.required?.includes(key))
      errors.push(
        required(`${place}.default`, 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'),
      );
  }
  return errors;
}

type Level = 'root' | 'field' | 'item';

const NO_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

function validateStructural(schema: Schema, path: string, level: Level = 'root'): FieldError[] {
  const errors: FieldError[] = [];
  for (const [child, at] of eachChild(schema, path))
    errors.push(...validateStructural(child, at, at.endsWith('.items') ? 'item' : 'field'));
  for (const [child, at] of eachJunctor(schema, path))
    errors.push(...validateJunctor(child, at, schema['x-kubernetes-int-or-string'] === true));
  const intOrString = schema['x-kubernetes-int-or-string'];
  const untyped = schema['x-kubernetes-embedded-resource'] || intOrString || schema['x-kubernetes-preserve-unknown-fields'];
  if (!schema.type && !(level !== 'root' && untyped)) errors.push(required(`${path}.type`, NO_TYPE[level]));
  errors.push(...extensionErrors(schema, path));
  if (level === 'root') {
    if (schema.additionalProperties !== undefined) errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
    if (schema.nullable) errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
    errors.push(...metadataErrors(schema, path));
  } else if (schema['x-kubernetes-embedded-resource']) errors.push(...metadataErrors(schema, path));
  return errors;
}

/** What does not go together. apiextensions-apiserver pkg/apiserver/schema.validateExtensions, and of validateStructuralInvariants what is about embedded objects */
function extensionErrors(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const embedded = schema['x-kubernetes-embedded-resource'];
  const open = schema['x-kubernetes-preserve-unknown-fields'];
  if (schema['x-kubernetes-int-or-string']) {
    const why = 'must be false if x-kubernetes-int-or-string is true';
    if (open) errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, open, why));
    if (embedded) errors.push(invalid(`${path}.x-kubernetes-embedded-resource`, embedded, why));
  }
  if (!embedded) return errors;
  const notObject = 'must be object if x-kubernetes-embedded-resource is true';
  if (!schema.type) errors.push(required(`${path}.type`, notObject));
  else if (schema.type !== 'object') errors.push(invalid(`${path}.type`, schema.type, notObject));
  if (schema.additionalProperties !== undefined)
    errors.push(forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'));
  if (!open && Object.keys(schema.properties ?? {}).length === 0) {
    const why = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, why));
  }
  return errors;
}

/** What junctors at the root name is there without them as well; others are not looked at. apiextensions-apiserver pkg/apiserver/schema.validateStructuralCompleteness */
function validateCompleteness(root: Schema, path: string): FieldError[] {
  return eachJunctor(root, path).flatMap(([junctor, at]) => missingOutside(junctor, at, { schema: root, path }));
}

/** What `junctor` names and `outside` does not. */
function missingOutside(junctor: Schema, at: string, outside: { readonly schema: Schema; readonly path: string }): FieldError[] {
  const { schema, path } = outside;
  const below = (child: Schema | undefined, known: Schema | undefined, step: string): FieldError[] => {
    if (!child) return [];
    if (!known) return [required(`${path}.${step}`, `because it is defined in ${at}.${step}`)];
    return missingOutside(child, `${at}.${step}`, { schema: known, path: `${path}.${step}` });
  };
  return [
    ...eachJunctor(junctor, at).flatMap(([nested, place]) => missingOutside(nested, place, outside)),
    ...below(itemsOf(junctor), itemsOf(schema), 'items'),
    ...Object.entries(junctor.properties ?? {}).flatMap(([name, child]) => below(child, schema.properties?.[name], `properties[${name}]`)),
  ];
}

function metadataErrors({ properties }: Schema, path: string): FieldError[] {
  const metadata = properties?.['metadata'];
  if (!metadata) return [];
  const others = Object.keys(metadata.properties ?? {}).filter((name) => name !== 'name' && name !== 'generateName');
  if (others.length === 0 && metadata.additionalProperties === undefined) return [];
  return [
    forbidden(
      `${path}.properties[metadata]`,
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    ),
  ];
}

/** Junctors only add rules for values; what a field is must be said outside. */
function validateJunctor(schema: Schema, path: string, intOrString: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const branch = /\.anyOf\[[01]\]$/.test(path);
  if (schema.additionalProperties !== undefined)
    errors.push(forbidden(`${path}.additionalProperties`, 'must be undefined to be structural'));
  if (schema.type && !(intOrString && branch)) errors.push(forbidden(`${path}.type`, 'must be empty to be structural'));
  if (schema.default !== undefined) errors.push(forbidden(`${path}.default`, 'must be undefined to be structural'));
  if (schema.title) errors.push(forbidden(`${path}.title`, 'must be empty to be structural'));
  if (schema.description) errors.push(forbidden(`${path}.description`, 'must be empty to be structural'));
  if (schema.nullable) errors.push(forbidden(`${path}.nullable`, 'must be false to be structural'));
  for (const flag of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'] as const)
    if (schema[flag]) errors.push(forbidden(`${path}.${flag}`, 'must be false to be structural'));
  if (schema['x-kubernetes-validations']?.length)
    errors.push(forbidden(`${path}.x-kubernetes-validations`, 'must be empty to be structural'));
  for (const [child, at] of [...eachChild(schema, path), ...eachJunctor(schema, path)]) errors.push(...validateJunctor(child, at, false));
  return errors;
}

/** Defaults fit their own schema. apiextensions-apiserver pkg/apiserver/schema/defaulting.ValidateDefaults */
function validateDefaults(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { default: given } = schema;
  if (given !== undefined && given !== null) {
    const at = `${path}.default`;
    const unknown: string[] = [];
    pruneBelow(given, schema, unknown);
    if (unknown.length > 0) errors.push(invalid(at, given, 'must not have unknown fields'));
    else {
      const { default: _, ...rest } = schema;
      for (const error of validateValue(applyDefaults(given, rest), rest))
        errors.push({ ...error, field: error.field ? `${at}.${error.field}` : at });
    }
  }
  for (const [child, at] of eachChild(schema, path)) if (isJsonObject(child)) errors.push(...validateDefaults(child, at));
  return errors;
}

/** Formats that a schema names and that nobody knows. */
export function unknownFormats(schema: Schema, isKnown: (format: string) => boolean): string[] {
  const below = [...eachChild(schema, ''), ...eachJunctor(schema, '')].flatMap(([child]) => unknownFormats(child, isKnown));
  return schema.format && !isKnown(schema.format) ? [schema.format, ...below] : below;
}
