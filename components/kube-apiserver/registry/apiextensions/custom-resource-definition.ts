import { cameEmpty } from '../../../../src/api/decode.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
} from '../../../../src/api/kinds/apiextensions-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, notSupported, quote, required } from '../../../../src/api/validation/field.ts';
import { nameIsDNSSubdomain } from '../../../../src/api/validation/object-meta.ts';
import { isKnownFormat } from '../../apiextensions/schema/formats.ts';
import { unknownFormats } from '../../apiextensions/schema/validate-schema.ts';
import { validateClientConfig, validateVersionNames } from '../admissionregistration/webhooks.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';
import { setDefaultsCustomResourceDefinition } from './defaults.ts';
import { validateVersionContents } from './version-validation.ts';

const APPROVED = 'api-approved.kubernetes.io';

/** apiextensions-apiserver pkg/registry/customresourcedefinition; the rules for schemas are with custom resources. */
export const customResourceDefinitionRules: KindRules<CustomResourceDefinition> = {
  defaults: setDefaultsCustomResourceDefinition,
  hasStatus: true,
  generation: true,
  prepareForCreate: (definition) => {
    const storage = definition.spec.versions?.find((version) => version.storage);
    return { ...definition, status: { acceptedNames: { plural: '', kind: '' }, ...(storage ? { storedVersions: [storage.name] } : {}) } };
  },
  prepareForUpdate: (definition) => {
    const storage = definition.spec.versions?.find((version) => version.storage);
    const stored = definition.status?.storedVersions ?? [];
    if (!storage || stored.includes(storage.name)) return definition;
    return { ...definition, status: { ...definition.status, storedVersions: [...stored, storage.name] } };
  },
  validate: (definition) => [...validateDefinitionName(definition), ...validateDefinition(definition)],
  validateUpdate: (definition, old) => [...validateDefinition(definition, old), ...validateImmutable(definition, old)],
  validateStatusUpdate: (definition) => {
    const errors: FieldError[] = [];
    validateStoredVersions(errors, definition, { status: true });
    return errors;
  },
  warnings: ({ spec }) => {
    const schemas = (spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
    const formats = new Set(schemas.flatMap((schema) => unknownFormats(schema, isKnownFormat)));
    return [...formats].map((format) => `unrecognized format ${quote(format)}`);
  },
};

function validateDefinitionName({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const name = metadata.name ?? '';
  const expected = `${spec.names?.plural ?? ''}.${spec.group ?? ''}`;
  if (nameIsDNSSubdomain(name, false).length > 0 || name === expected) return [];
  return [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

/** apiextensions-apiserver pkg/apis/apiextensions/validation ValidateCustomResourceDefinition */
function validateDefinition(definition: CustomResourceDefinition, old?: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const { spec } = definition;

  validateGroup(errors, definition);
  if (!spec.scope) errors.push(required('spec.scope'));
  else if (spec.scope !== 'Namespaced' && spec.scope !== 'Cluster')
    errors.push(notSupported('spec.scope', spec.scope, ['Cluster', 'Namespaced']));
  validateVersions(errors, spec);
  errors.push(...validateVersionContents(spec, old?.spec.versions));
  validateNames(errors, 'spec.names', spec.names ?? ({} as CustomResourceDefinitionNames));
  if (spec.preserveUnknownFields)
    errors.push(
      invalid(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    );
  validateConversion(errors, spec);
  validateStoredVersions(errors, definition);
  return errors;
}

function validateGroup(errors: FieldError[], { metadata, spec }: CustomResourceDefinition): void {
  const group = spec.group ?? '';
  if (!group) errors.push(required('spec.group'));
  else {
    report(errors, { path: 'spec.group', value: group }, isDNS1123Subdomain(group));
    if (!group.includes('.')) errors.push(invalid('spec.group', group, 'should be a domain with at least one dot'));
  }
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
  if (isProtected && !metadata.annotations?.[APPROVED]) {
    errors.push(
      required(
        `metadata.annotations[${APPROVED}]`,
        `protected groups must have approval annotation "${APPROVED}", see https://github.com/kubernetes/enhancements/pull/1111`,
      ),
    );
  }
}

function validateVersions(errors: FieldError[], spec: CustomResourceDefinitionSpec): void {
  const { versions: given } = spec;
  const versions = given ?? [];
  const names = new Set<string>();
  let twice = false;
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    report(errors, { path: `${path}.name`, value: version.name }, isDNS1035Label(version.name));
    // With one version the real one finds its name a second time, in the field that older APIs had.
    if (versions.length === 1) report(errors, { path: 'spec.version', value: version.name }, isDNS1035Label(version.name));
    if (names.has(version.name)) twice = true;
    names.add(version.name);
    if (!version.schema?.openAPIV3Schema) errors.push(required(`${path}.schema.openAPIV3Schema`));
  }
  if (twice) errors.push(invalid('spec.versions', versions, 'must contain unique version names'));
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(
      invalid(
        'spec.versions',
        given ?? (cameEmpty(spec, 'versions') ? {} : undefined),
        'must have exactly one version marked as storage version',
      ),
    );
}

function validateNames(errors: FieldError[], path: string, names: CustomResourceDefinitionNames): void {
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    const value = names[field] ?? '';
    if (!value) {
      errors.push(required(`${path}.${field}`));
      continue;
    }
    const mixed = field === 'kind' || field === 'listKind';
    for (const message of isDNS1035Label(mixed ? value.toLowerCase() : value))
      errors.push(invalid(`${path}.${field}`, value, mixed ? `may have mixed case, but should otherwise match: ${message}` : message));
  }
  if (names.kind && names.kind === names.listKind)
    errors.push(invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  for (const field of ['shortNames', 'categories'] as const) {
    for (const [index, value] of (names[field] ?? []).entries())
      report(errors, { path: `${path}.${field}[${index}]`, value }, isDNS1035Label(value));
  }
}

/** apiextensions-apiserver pkg/apis/apiextensions/validation ValidateCustomResourceConversion */
function validateConversion(errors: FieldError[], { conversion }: CustomResourceDefinitionSpec): void {
  const { strategy = '', webhook } = conversion ?? {};
  const client = 'spec.conversion.webhookClientConfig';
  const versions = 'spec.conversion.conversionReviewVersions';
  const given = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig) validateClientConfig(errors, client, webhook.clientConfig);
    else errors.push(required(client, 'required when strategy is set to Webhook'));
    validateVersionNames(errors, versions, given);
    if (given.length === 0) errors.push(required(versions));
    else if (!given.some((version) => version === 'v1' || version === 'v1beta1'))
      errors.push(invalid(versions, given, 'must include at least one of v1, v1beta1'));
    return;
  }
  if (strategy !== 'None') errors.push(notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook']));
  if (webhook?.clientConfig) errors.push(forbidden(client, 'should not be set when strategy is not set to Webhook'));
  if (given.length > 0) errors.push(forbidden(versions, 'should not be set when strategy is not set to Webhook'));
}

function validateStoredVersions(
  errors: FieldError[],
  { spec, status }: CustomResourceDefinition,
  update: { readonly status: boolean } = { status: false },
): void {
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) {
    errors.push(invalid('status.storedVersions', undefined, 'must have at least one stored version'));
    return;
  }
  const versions = spec.versions ?? [];
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(`status.storedVersions[${index}]`, name, why));
  }
  for (const { name, storage } of versions)
    if (storage && !update.status && !stored.includes(name))
      errors.push(invalid('status.storedVersions', stored, `must have the storage version ${name}`));
}

/** Names and scope hold from the moment the resource is served. */
function validateImmutable({ spec }: CustomResourceDefinition, { spec: old, status }: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const compare = (path: string, now: string, before: string): void => {
    if (now !== before) errors.push(invalid(path, now, 'field is immutable'));
  };
  if (status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True')) {
    compare('spec.scope', spec.scope, old.scope);
    compare('spec.names.kind', spec.names.kind, old.names.kind);
  }
  compare('spec.group', spec.group, old.group);
  compare('spec.names.plural', spec.names.plural, old.names.plural);
  return errors;
}
