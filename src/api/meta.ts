import type { ObjectMeta, OwnerReference } from './kinds/meta-v1.ts';

/** apimachinery pkg/apis/meta/v1 GetControllerOf: the owner that manages the object. */
export function getControllerOf(object: { readonly metadata: ObjectMeta }): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** apimachinery pkg/apis/meta/v1 IsControlledBy */
export function isControlledBy(object: { readonly metadata: ObjectMeta }, owner: { readonly metadata: ObjectMeta }): boolean {
  const controller = getControllerOf(object);
  return controller !== undefined && controller.uid === owner.metadata.uid;
}

/** apimachinery pkg/apis/meta/v1 NewControllerRef */
export function newControllerRef(
  owner: { readonly metadata: ObjectMeta },
  kind: { readonly apiVersion: string; readonly kind: string },
): OwnerReference {
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Group and version of an `apiVersion` (schema.ParseGroupVersion). @example parseGroupVersion('apps/v1') // { group: 'apps', version: 'v1' } */
export function parseGroupVersion(apiVersion: string | undefined): { group: string; version: string } {
  const text = apiVersion ?? '';
  const slash = text.indexOf('/');
  return slash < 0 ? { group: '', version: text } : { group: text.slice(0, slash), version: text.slice(slash + 1) };
}
