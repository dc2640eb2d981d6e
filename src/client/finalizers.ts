import type { KubernetesObject } from '../api/object.ts';

/** controller-runtime controllerutil.ContainsFinalizer */
export function containsFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** Adds the finalizer to a draft; returns whether it was not there. controller-runtime controllerutil.AddFinalizer */
export function addFinalizer(draft: KubernetesObject, finalizer: string): boolean {
  if (containsFinalizer(draft, finalizer)) return false;
  draft.metadata.finalizers = [...(draft.metadata.finalizers ?? []), finalizer];
  return true;
}

/** Takes the finalizer off a draft; returns whether it was there. controller-runtime controllerutil.RemoveFinalizer */
export function removeFinalizer(draft: KubernetesObject, finalizer: string): boolean {
  if (!containsFinalizer(draft, finalizer)) return false;
  draft.metadata.finalizers = (draft.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  return true;
}
