import type { DeleteOptions, ObjectMeta } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { ApiStatusError, newNotFound } from '../../../src/api/status-error.ts';
import { formatTime, parseTime } from '../../../src/api/time.ts';
import type { Version } from '../../etcd/keyspace.ts';
import { withOwnersOf } from '../managedfields/field-owners.ts';
import type { RequestContext, RequestScope } from '../request-context.ts';
import { type Steps, wait } from '../steps.ts';
import { commitDelete, commitPut } from './commit.ts';

/** How long a write to etcd takes, where it matters that two follow one another. */
const ETCD_WRITE_MS = 4;

export interface DeleteResult<T> {
  readonly object: T;
  /** The object is gone; else it waits for its grace period or finalizers. */
  readonly deleted: boolean;
  /** Only finalizers or the deletion mark were set: the answer is the object whatever its kind. */
  readonly marked: boolean;
}

/** apiserver pkg/registry/generic/registry.Store.Delete */
export function* deleteObject<T extends KubernetesObject>(
  context: RequestContext<T>,
  name: string,
  request: { readonly options: DeleteOptions; readonly check: (old: T) => Steps<void> },
): Steps<DeleteResult<T>> {
  const { storage, namespace, server, dryRun } = context;
  for (;;) {
    const version = storage.find(namespace, name);
    const old = version?.value;
    if (!version || !old) throw newNotFound(context.resource, name);
    assertPreconditions(context, request.options, { object: old, revision: version.revision });
    yield* request.check(old);
    if (storage.find(namespace, name) !== version) continue;
    context.stages.enter('storage');
    const plan = planDeletion(context, { old, options: request.options });
    if (plan.what === 'nothing') return { object: old, deleted: false, marked: true };
    if (plan.what === 'mark')
      return { object: dryRun ? withOwnersOf(plan.object, old) : commitPut(context, plan.object), deleted: false, marked: true };
    if (dryRun) return { object: withOwnersOf(plan.object ?? old, old), deleted: true, marked: false };
    const last = yield* writeLastState(context, old, plan.object);
    // Without a grace period others may be quicker to remove it: that is no error (updateForGracefulDeletionAndFinalizers, ignoreNotFound).
    if (!last) return { object: plan.object ?? old, deleted: true, marked: false };
    const object = commitDelete(context, last);
    server.afterDelete(context, last);
    return { object, deleted: true, marked: false };
  }
}

/** The mark and the removal are two writes, and who watches may act between them. The state to remove; undefined when somebody else has removed it. */
function* writeLastState<T extends KubernetesObject>(context: RequestContext<T>, old: T, marked: T | undefined): Steps<T | undefined> {
  if (!marked) return old;
  const { storage, namespace, server } = context;
  const written = commitPut(context, marked);
  const { actor } = server.config;
  if (!actor) return written;
  yield* wait(actor.sleep(ETCD_WRITE_MS));
  return storage.find(namespace, written.metadata.name ?? '')?.value;
}

type Plan<T> =
  | { readonly what: 'nothing' }
  | { readonly what: 'mark'; readonly object: T }
  | { readonly what: 'remove'; readonly object?: T };

/** Decides what a delete does to the object: nothing, a mark (deletionTimestamp, finalizers), or its removal. */
function planDeletion<T extends KubernetesObject>(
  context: RequestContext<T>,
  { old, options }: { old: T; options: DeleteOptions },
): Plan<T> {
  const graceful = planGraceful(context, old, options);
  if (graceful === 'pending') return { what: 'nothing' };
  const finalizers = deletionFinalizers(context, old.metadata, options);
  const finalizersChanged = !sameList(finalizers, old.metadata.finalizers ?? []);
  const metadata = withFinalizers(graceful?.metadata ?? old.metadata, finalizers);
  if (graceful && !graceful.immediate) return { what: 'mark', object: { ...old, metadata } };
  if (finalizers.length > 0) {
    const marked = markedMetadata(context, metadata, graceful ? undefined : 0);
    return sameMark(marked, old.metadata) && !finalizersChanged
      ? { what: 'nothing' }
      : { what: 'mark', object: { ...old, metadata: marked } };
  }
  return graceful ? { what: 'remove', object: { ...old, metadata } } : { what: 'remove' };
}

/**
 * apiserver pkg/registry/rest.BeforeDelete: grace periods, which only Pods have. Undefined: not graceful; `pending`: it is being deleted already and
 * nothing changes.
 */
function planGraceful<T extends KubernetesObject>(
  context: RequestContext<T>,
  old: T,
  options: DeleteOptions,
): { metadata: ObjectMeta; immediate: boolean } | 'pending' | undefined {
  const { strategy } = context.storage;
  if (!strategy.gracePeriodSeconds) return undefined;
  const asked = options.gracePeriodSeconds === undefined ? undefined : options.gracePeriodSeconds < 0 ? 1 : options.gracePeriodSeconds;
  const { deletionTimestamp, deletionGracePeriodSeconds: present } = old.metadata;
  if (deletionTimestamp) {
    // A period of 0 has run out: this delete is the kubelet's last word.
    if (!present) return undefined;
    if (asked === undefined || asked >= present) return 'pending';
    return shortened(context, old.metadata, asked);
  }
  const period = strategy.gracePeriodSeconds(old, { ...options, ...(asked === undefined ? {} : { gracePeriodSeconds: asked }) });
  const metadata: ObjectMeta = {
    ...old.metadata,
    deletionTimestamp: formatTime(context.wallTime + period * 1000),
    deletionGracePeriodSeconds: period,
    ...(old.metadata.generation ? { generation: old.metadata.generation + 1 } : {}),
  };
  return { metadata, immediate: period === 0 };
}

function shortened(context: RequestScope, meta: ObjectMeta, asked: number): { metadata: ObjectMeta; immediate: boolean } {
  const started = (parseTime(meta.deletionTimestamp) ?? 0) - (meta.deletionGracePeriodSeconds ?? 0) * 1000;
  const late = started + asked * 1000 < context.wallTime;
  const period = late && asked !== 0 ? 1 : asked;
  const deletionTimestamp = formatTime(late ? context.wallTime : started + asked * 1000);
  return { metadata: { ...meta, deletionTimestamp, deletionGracePeriodSeconds: period }, immediate: period === 0 };
}

/** apiserver pkg/registry/generic/registry.markAsDeleting */
function markedMetadata(context: RequestScope, meta: ObjectMeta, grace: number | undefined): ObjectMeta {
  const marked: ObjectMeta = { ...meta };
  if (!meta.deletionTimestamp) {
    marked.deletionTimestamp = context.server.now;
    if (meta.generation) marked.generation = meta.generation + 1;
  }
  if (grace !== undefined) marked.deletionGracePeriodSeconds = grace;
  return marked;
}

function sameMark(a: ObjectMeta, b: ObjectMeta): boolean {
  return a.deletionTimestamp === b.deletionTimestamp && a.deletionGracePeriodSeconds === b.deletionGracePeriodSeconds;
}

/** apiserver pkg/registry/generic/registry.deletionFinalizersForGarbageCollection */
export function deletionFinalizers<T extends KubernetesObject>(
  context: RequestContext<T>,
  meta: ObjectMeta,
  options: DeleteOptions,
): string[] {
  const present = meta.finalizers ?? [];
  const { defaultGarbageCollection } = context.storage.strategy;
  if (defaultGarbageCollection === 'Unsupported') return present;
  const others = present.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  const orphan = shouldOrphan(options, present, defaultGarbageCollection === 'Orphan');
  const foreground = shouldBlock(options, present);
  return [...others, ...(orphan ? ['orphan'] : []), ...(foreground ? ['foregroundDeletion'] : [])];
}

function shouldOrphan(options: DeleteOptions, finalizers: readonly string[], byDefault: boolean): boolean {
  if (options.orphanDependents !== undefined) return options.orphanDependents;
  if (options.propagationPolicy) return options.propagationPolicy === 'Orphan';
  if (finalizers.includes('orphan')) return true;
  return finalizers.includes('foregroundDeletion') ? false : byDefault;
}

function shouldBlock(options: DeleteOptions, finalizers: readonly string[]): boolean {
  if (options.orphanDependents !== undefined) return false;
  if (options.propagationPolicy) return options.propagationPolicy === 'Foreground';
  if (finalizers.includes('orphan')) return false;
  return finalizers.includes('foregroundDeletion');
}

function withFinalizers(meta: ObjectMeta, finalizers: string[]): ObjectMeta {
  if (sameList(finalizers, meta.finalizers ?? [])) return meta;
  const { finalizers: _, ...rest } = meta;
  return finalizers.length > 0 ? { ...rest, finalizers } : rest;
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

export function assertPreconditions<T extends KubernetesObject>(
  context: RequestScope,
  options: DeleteOptions,
  present: Pick<Version<T>, 'revision'> & { object: T },
): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { object, revision } = present;
  if (uid !== undefined && uid !== object.metadata.uid) {
    throw failedPrecondition(
      context,
      object,
      `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== String(revision)) {
    throw failedPrecondition(
      context,
      object,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${revision}). The object might have been modified`,
    );
  }
}

/** Names the kind where other conflicts name the resource. */
function failedPrecondition(context: RequestScope, object: KubernetesObject, why: string): ApiStatusError {
  const { group, kind } = context.resource;
  const name = object.metadata.name ?? '';
  return new ApiStatusError({
    message: `Operation cannot be fulfilled on ${group ? `${kind}.${group}` : kind} "${name}": ${why}`,
    reason: 'Conflict',
    details: { name, ...(group ? { group } : {}), kind },
    code: 409,
  });
}
