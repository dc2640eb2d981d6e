import type { KubernetesObject } from '../../../src/api/object.ts';

// component-helpers/storage/volume: what the three controllers have in common that protect objects in use.

/** The finalizer has to be added, or looked at because somebody wants the object gone. pkg/util/slice protectionutil NeedToAddFinalizer, IsDeletionCandidate */
export function finalizerIsDue({ metadata }: KubernetesObject, finalizer: string): boolean {
  return (metadata.deletionTimestamp !== undefined) === (metadata.finalizers ?? []).includes(finalizer);
}

export function withFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  return { ...object, metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), finalizer] } };
}

export function withoutFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  const { finalizers = [], ...metadata } = object.metadata;
  const rest = finalizers.filter((name) => name !== finalizer);
  return { ...object, metadata: { ...metadata, ...(rest.length > 0 ? { finalizers: rest } : {}) } };
}
