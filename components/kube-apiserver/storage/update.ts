import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Namespace } from '../../../src/api/kinds/core-v1.ts';
import type { ObjectMeta } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { ApiStatusError, newConflict, newInvalid, newNotFound } from '../../../src/api/status-error.ts';
import { validateObjectMetaUpdate } from '../../../src/api/validation/object-meta.ts';
import type { Version } from '../../etcd/keyspace.ts';
import { changesOwners, submittedManagedFields, withOwners, withoutManagedFields } from '../managedfields/field-owners.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { commitDelete, commitPut } from './commit.ts';
import { createObject, type ObjectCheck } from './create.ts';
import { genericMetaErrors } from './generic-meta.ts';
import { assertFits } from './size-limit.ts';
import type { UpdateStrategy } from './strategy.ts';

export const OPTIMISTIC_LOCK_TEXT = 'the object has been modified; please apply your changes to the latest version and try again';

export interface UpdateRequest<T extends KubernetesObject> {
  readonly name: string;
  /** The uid that the present object must have, if the request names one. */
  readonly uid?: string | undefined;
  /** Makes the new object out of the present one (undefined: there is none); mutating admission included. */
  readonly transform: (old: T | undefined) => Steps<T>;
  readonly check: ObjectCheck<T>;
  /** Checks what only applies when the update turns out to create. */
  readonly beforeCreate?: () => void;
  readonly allowCreate: boolean;
}

export interface UpdateResult<T> {
  readonly object: T;
  readonly created: boolean;
}

/** apiserver pkg/registry/generic/registry.Store.Update: tries again when somebody else wrote in the meantime. */
export function* updateObject<T extends KubernetesObject>(context: RequestContext<T>, request: UpdateRequest<T>): Steps<UpdateResult<T>> {
  const { storage, namespace } = context;
  for (;;) {
    const version = storage.find(namespace, request.name);
    const old = version?.value;
    if (!version || !old) {
      if (!request.allowCreate) throw newNotFound(context.resource, request.name);
      assertUid(context, request, undefined);
      const object = yield* request.transform(undefined);
      request.beforeCreate?.();
      const { resourceVersion: _, ...metadata } = object.metadata;
      return { object: yield* createObject(context, { ...object, metadata } as T, request.check), created: true };
    }
    assertUid(context, request, old);
    const changed = yield* request.transform(old);
    const reservation = context.server.beginUpdate(context, resolveVersion(context, changed, version), old);
    let stored: T | undefined;
    try {
      const prepared = beforeUpdate(context, reservation.object, old);
      yield* request.check(prepared, old);
      // Only when something had to be waited for can there be another version by now.
      if (storage.find(namespace, request.name) !== version) continue;
      const object = write(context, prepared, version);
      if (!context.dryRun) stored = object;
      return { object, created: false };
    } finally {
      reservation.finish(stored);
    }
  }
}

function write<T extends KubernetesObject>(context: RequestContext<T>, object: T, version: Version<T>): T {
  context.stages.enter('storage');
  const { dryRun } = context;
  const old = version.value as T;
  if (mayVanish(object, old)) {
    if (!dryRun) {
      commitDelete(context, old);
      context.server.afterDelete(context, old);
    }
    return withOwners(object, context.owners.next);
  }
  const stored = context.storage.strategy.toStored?.(context, object) ?? object;
  if (deepEqual(stored, old) && !changesOwners(context, old)) return old;
  if (dryRun) return withOwners(object, context.owners.next);
  assertFits(context, stored);
  return commitPut(context, stored);
}

/** apiserver pkg/registry/generic/registry.ShouldDeleteDuringUpdate */
function mayVanish(object: KubernetesObject, old: KubernetesObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds || object.metadata.finalizers?.length) return false;
  // A namespace waits for what holds its contents as well. pkg/registry/core/namespace/storage.ShouldDeleteNamespaceDuringUpdate
  return object.kind !== 'Namespace' || !(object as Namespace).spec?.finalizers?.length;
}

/** Decides which version the request is about; the object returned carries that of the present one. */
function resolveVersion<T extends KubernetesObject>(context: RequestContext<T>, object: T, version: Version<T>): T {
  const { resource, storage } = context;
  const wanted = object.metadata.resourceVersion ?? '';
  const current = String(version.revision);
  if (wanted === current) return object;
  context.stages.enter('storage');
  const name = object.metadata.name ?? '';
  if (wanted === '' || wanted === '0') {
    if (storage.strategy.allowUnconditionalUpdate === false) {
      const error = {
        reason: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        body: 'Invalid value: 0: must be specified for an update',
      };
      throw newInvalid({ group: resource.group, kind: resource.resource }, name, [error]);
    }
    return { ...object, metadata: { ...object.metadata, resourceVersion: current } };
  }
  if (!/^\d+$/.test(wanted))
    throw new ApiStatusError({ message: `strconv.ParseUint: parsing ${JSON.stringify(wanted)}: invalid syntax`, code: 500 });
  throw newConflict(resource, name, OPTIMISTIC_LOCK_TEXT);
}

/** apiserver pkg/registry/rest.BeforeUpdate */
function beforeUpdate<T extends KubernetesObject>(context: RequestContext<T>, object: T, old: T): T {
  const { strategy, resource } = context.storage;
  context.stages.enter('validation');
  const rules: UpdateStrategy<T> = context.subresource ? (strategy.subresources?.[context.subresource] ?? strategy) : strategy;
  const kept = { ...object, metadata: keptMetadata(object.metadata, old.metadata) };
  const prepared = rules.prepareForUpdate?.(context, kept, old) ?? kept;
  const errors = [
    ...genericMetaErrors(resource, prepared.metadata),
    ...validateObjectMetaUpdate(prepared.metadata, old.metadata),
    ...(rules.validateUpdate?.(context, prepared, old) ?? []),
  ];
  if (errors.length > 0) throw newInvalid(resource, prepared.metadata.name ?? '', errors);
  const warnings = rules.warningsOnUpdate?.(context, prepared, old);
  if (warnings) context.warnings.push(...warnings);
  return prepared;
}

/** What of the metadata an update cannot change, silently. */
function keptMetadata(meta: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const { selfLink: _1, generation: _2, ...rest } = submittedManagedFields(meta) ? withoutManagedFields(meta) : meta;
  const kept: ObjectMeta = rest;
  if (old.generation !== undefined) kept.generation = old.generation;
  if (!kept.uid && old.uid) kept.uid = old.uid;
  if (old.creationTimestamp) kept.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp) kept.deletionTimestamp = old.deletionTimestamp;
  if (kept.deletionGracePeriodSeconds === undefined && old.deletionGracePeriodSeconds !== undefined)
    kept.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  return kept;
}

function assertUid<T extends KubernetesObject>(context: RequestContext<T>, { name, uid }: UpdateRequest<T>, present: T | undefined): void {
  if (uid && uid !== present?.metadata.uid)
    throw uidPreconditionFailed(context, name, { wanted: uid, present: present?.metadata.uid ?? '' });
}

/** apiserver pkg/storage.Preconditions.Check, as it reaches a client */
export function uidPreconditionFailed<T extends KubernetesObject>(
  context: RequestContext<T>,
  name: string,
  uid: { wanted: string; present: string },
): ApiStatusError {
  const key = context.storage.key(context.namespace, name);
  const why = `Precondition failed: UID in precondition: ${uid.wanted}, UID in object meta: ${uid.present}`;
  return newConflict(
    context.resource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}
