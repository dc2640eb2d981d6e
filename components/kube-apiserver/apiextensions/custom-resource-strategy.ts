import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { FieldError } from '../../../src/api/status-error.ts';
import { invalid } from '../../../src/api/validation/field.ts';
import { nameIsDNSSubdomain, validateObjectMeta, validateObjectMetaUpdate } from '../../../src/api/validation/object-meta.ts';
import type { Strategy, StrategyContext } from '../storage/strategy.ts';
import { validateRules } from './cel/validate-rules.ts';
import type { CustomResourceVersion } from './custom-resource-version.ts';
import { fieldNames, findByPath, parseJsonPath } from './json-path.ts';
import { CorrelatedValue } from './schema/correlated-value.ts';
import { validateEmbedded } from './schema/embedded-metadata.ts';
import { validateListSetsAndMaps } from './schema/list-types.ts';
import { prune } from './schema/pruning.ts';
import { validateValue } from './schema/validate-value.ts';

type Parts = KubernetesObject & { status?: unknown };

/** Findings after which rules are not looked at. */
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/**
 * How objects of a custom resource are kept. `served` gives the version that a request is about as the definition has it at this moment.
 * apiextensions-apiserver pkg/registry/customresource.customResourceStrategy
 */
export function customResourceStrategy(served: (context: Pick<StrategyContext, 'resource'>) => CustomResourceVersion): Strategy {
  return {
    validateName: nameIsDNSSubdomain,
    allowUnconditionalUpdate: false,
    fieldsOf: (context) => served(context).selectableFields,
    prepareForCreate: (context, object) => {
      const { status, ...rest } = object as Parts;
      const kept = served(context).hasStatus ? rest : object;
      return status === undefined && object.metadata.generation === 1 ? object : { ...kept, metadata: { ...kept.metadata, generation: 1 } };
    },
    prepareForUpdate: (context, object, old) => prepareForUpdate(served(context), object, old),
    validate: (context, object) => validate(context, served(context), { object }),
    validateUpdate: (context, object, old) => validate(context, served(context), { object, old }),
    toStored: (context, object) => {
      const version = served(context);
      const storage = version.definition.spec.versions.find((other) => other.storage);
      const schema = storage?.schema?.openAPIV3Schema;
      return storage && schema && storage.name !== version.version.name ? (prune(object, schema, []) as KubernetesObject) : object;
    },
    subresources: {
      status: {
        prepareForUpdate: (_, object, old) => {
          const { status: _old, ...rest } = old as Parts;
          const { status } = object as Parts;
          const { managedFields } = object.metadata;
          const metadata = { ...old.metadata, ...(managedFields ? { managedFields } : {}) };
          const kept = { ...metadata, resourceVersion: object.metadata.resourceVersion } as KubernetesObject['metadata'];
          return { ...rest, metadata: kept, ...(status === undefined ? {} : { status }) };
        },
        validateUpdate: (context, object, old) => validate(context, served(context), { object, old }),
      },
    },
  };
}

function prepareForUpdate(version: CustomResourceVersion, object: KubernetesObject, old: KubernetesObject): KubernetesObject {
  let out = object as Parts;
  const { status: oldStatus } = old as Parts;
  if (version.hasStatus && out.status !== oldStatus) {
    const { status: _, ...rest } = out;
    out = oldStatus === undefined ? rest : { ...rest, status: oldStatus };
  }
  const generation =
    (old.metadata.generation ?? 0) + (sameContents(version.asWritten(out), version.fromStorage(old), version.hasStatus) ? 0 : 1);
  return out.metadata.generation === generation ? out : { ...out, metadata: { ...out.metadata, generation } };
}

function sameContents(a: Parts, b: Parts, hasStatus: boolean): boolean {
  const contents = ({ metadata: _, apiVersion: _1, status, ...rest }: Parts): unknown =>
    hasStatus ? rest : { ...rest, status: status ?? null };
  return deepEqual(contents(a), contents(b));
}

function validate(
  context: StrategyContext,
  version: CustomResourceVersion,
  { object: written, old }: { object: KubernetesObject; old?: KubernetesObject },
): FieldError[] {
  const { schema, resource } = version;
  const object = version.asWritten(written);
  const before = old && new CorrelatedValue(version.fromStorage(old));
  const meta = { namespaced: resource.namespaced, validateName: nameIsDNSSubdomain };
  const wrongKind = object.kind === resource.kind ? [] : [invalid('kind', object.kind, `must be ${resource.kind}`)];
  const errors = [
    ...wrongKind,
    ...(old ? validateObjectMetaUpdate(object.metadata, old.metadata) : validateObjectMeta(object.metadata, meta)),
    ...contentErrors(version, object, before),
    ...validateEmbedded(object, schema),
    ...listErrors(version, object, before),
  ];
  if (errors.some(({ reason }) => BLOCKING.has(reason)) && version.hasRules)
    return [...errors, { reason: 'FieldValueInvalid', field: '<nil>', body: `Invalid value: null: ${NOT_CHECKED}` }];
  if (!version.hasRules) return errors;
  const { errors: broken, ratcheted } = validateRules(version, object, before);
  context.warnings?.push(...ratcheted.map(({ field, body }) => `${field}: ${body}`));
  return [...errors, ...broken];
}

function contentErrors(version: CustomResourceVersion, object: KubernetesObject, old: CorrelatedValue | undefined): FieldError[] {
  const { apiVersion: _, kind: _1, metadata, ...contents } = object;
  const { properties = {}, ...schema } = version.schema;
  const { metadata: metadataSchema, apiVersion: _2, kind: _3, ...fields } = properties;
  const errors = validateValue(contents, { ...schema, properties: fields }, old);
  if (metadataSchema) {
    const found = validateValue({ metadata }, { type: 'object', properties: { metadata: metadataSchema } }, old);
    errors.push(...found);
  }
  const path = version.version.subresources?.scale?.specReplicasPath;
  const replicas = path && fieldNames(path) ? findByPath(object, parseJsonPath(path) ?? [])[0] : undefined;
  if (path && typeof replicas === 'number' && replicas < 0) errors.push(invalid(path, replicas, 'should be a non-negative integer'));
  return errors;
}

function listErrors({ schema }: CustomResourceVersion, object: KubernetesObject, old: CorrelatedValue | undefined): FieldError[] {
  const errors = validateListSetsAndMaps(object, schema);
  if (errors.length === 0 || !old) return errors;
  const before = new Set(validateListSetsAndMaps(old.value, schema).map(({ field, body }) => `${field}: ${body}`));
  return errors.filter(({ field, body }) => !before.has(`${field}: ${body}`));
}
