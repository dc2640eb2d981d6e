import type { ObjectMeta } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { groupResource } from '../../../src/api/resource.ts';
import { ApiStatusError, type FieldError, newAlreadyExists, newInvalid } from '../../../src/api/status-error.ts';
import { withOwners } from '../managedfields/field-owners.ts';
import type { RequestContext, RequestScope } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { commitPut } from './commit.ts';
import { genericMetaErrors } from './generic-meta.ts';
import { assertFits } from './size-limit.ts';

/** apiserver pkg/storage/names maxNameLength, randomLength */
const MAX_GENERATED_BASE = 58;
const GENERATED_SUFFIX = 5;
const MAX_NAME_ATTEMPTS = 8;

/** Runs on the object that is about to be stored, e.g. validating admission. */
export type ObjectCheck<T> = (object: T, old: T | undefined) => Steps<void>;

/** apiserver pkg/registry/generic/registry.Store.Create: `object` has been through mutating admission. */
export function* createObject<T extends KubernetesObject>(context: RequestContext<T>, object: T, check: ObjectCheck<T>): Steps<T> {
  const generates = !object.metadata.name && Boolean(object.metadata.generateName);
  for (let attempt = 1; ; attempt++) {
    const reservation = context.server.beginCreate(context, withSystemFields(context, object));
    try {
      const candidate = beforeCreate(context, reservation.object);
      yield* check(candidate, undefined);
      const created = store(context, candidate);
      reservation.finish(context.dryRun ? undefined : created);
      return created;
    } catch (error) {
      reservation.finish(undefined);
      if (!generates || !(error instanceof ApiStatusError) || error.reason !== 'AlreadyExists') throw error;
      if (attempt === MAX_NAME_ATTEMPTS) throw noUniqueName(context, error);
    }
  }
}

/** apiserver pkg/registry/rest.FillObjectMetaSystemFields and the generation of the name */
function withSystemFields<T extends KubernetesObject>(context: RequestContext<T>, object: T): T {
  const { server } = context;
  const { deletionTimestamp: _1, deletionGracePeriodSeconds: _2, selfLink: _3, managedFields: _4, ...kept } = object.metadata;
  const metadata: ObjectMeta = { ...kept, uid: server.uids.uuid(), creationTimestamp: server.now };
  if (!metadata.name && metadata.generateName)
    metadata.name = metadata.generateName.slice(0, MAX_GENERATED_BASE) + server.names.name(GENERATED_SUFFIX);
  return { ...object, metadata };
}

/** apiserver pkg/registry/rest.BeforeCreate */
export function beforeCreate<T extends KubernetesObject>(context: RequestContext<T>, object: T): T {
  const { strategy, resource } = context.storage;
  context.stages.enter('validation');
  const prepared = strategy.prepareForCreate?.(context, object) ?? object;
  const refuse = (errors: readonly FieldError[] | undefined): void => {
    if (errors?.length)
      throw newInvalid({ group: resource.group, kind: prepared.kind ?? resource.kind }, prepared.metadata.name ?? '', errors);
  };
  refuse(strategy.validate?.(context, prepared));
  refuse(genericMetaErrors(resource, prepared.metadata));
  const warnings = strategy.warningsOnCreate?.(context, prepared);
  if (warnings) context.warnings.push(...warnings);
  return strategy.canonicalize?.(prepared) ?? prepared;
}

function store<T extends KubernetesObject>(context: RequestContext<T>, object: T): T {
  const { storage, dryRun } = context;
  context.stages.enter('storage');
  const { namespace = '', name = '', resourceVersion } = object.metadata;
  // What is no number says nothing.
  const versioned = resourceVersion !== undefined && /^0*[1-9]\d*$/.test(resourceVersion);
  if (versioned && !dryRun) throw new ApiStatusError({ message: 'resourceVersion should not be set on objects to be created', code: 500 });
  const existing = storage.get(namespace, name);
  if (existing) throw alreadyExists(context, existing, name);
  // apiserver pkg/registry/generic/registry.DryRunnableStorage.Create hands back what it got.
  if (dryRun) return withOwners(object, context.owners.next);
  const stored = storage.strategy.toStored?.(context, object) ?? object;
  assertFits(context, stored);
  return commitPut(context, stored);
}

function alreadyExists(context: RequestScope, existing: KubernetesObject, name: string): ApiStatusError {
  const error = newAlreadyExists(context.resource, name);
  if (!existing.metadata.deletionTimestamp) return error;
  return new ApiStatusError({ ...error.status, message: `object is being deleted: ${error.message}` });
}

function noUniqueName(context: RequestScope, last: ApiStatusError): ApiStatusError {
  const name = last.status.details?.name ?? '';
  const message = `${groupResource(context.resource)} "${name}" already exists, the server was not able to generate a unique name for the object`;
  return new ApiStatusError({ message, reason: 'AlreadyExists', details: { ...last.status.details, retryAfterSeconds: 1 }, code: 409 });
}
