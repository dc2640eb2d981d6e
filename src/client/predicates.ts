import { deepEqual } from '../api/deep-equal.ts';
import type { KubernetesObject } from '../api/object.ts';

/** Whether a change is worth a look; `before` is absent for an object that is new, or that is seen for the first time. controller-runtime pkg/predicate */
export type Predicate<T extends KubernetesObject = KubernetesObject> = (after: T, before: T | undefined) => boolean;

/** Every change is. */
export const always: Predicate = () => true;

/** Leaves out changes of status and metadata. controller-runtime predicate.GenerationChangedPredicate */
export function generationChanged(after: KubernetesObject, before: KubernetesObject | undefined): boolean {
  return before === undefined || after.metadata.generation !== before.metadata.generation;
}

/** Leaves out changes that leave the labels as they were. controller-runtime predicate.LabelChangedPredicate */
export function labelsChanged(after: KubernetesObject, before: KubernetesObject | undefined): boolean {
  return before === undefined || !deepEqual(after.metadata.labels ?? {}, before.metadata.labels ?? {});
}

/** Leaves out changes that leave the annotations as they were. controller-runtime predicate.AnnotationChangedPredicate */
export function annotationsChanged(after: KubernetesObject, before: KubernetesObject | undefined): boolean {
  return before === undefined || !deepEqual(after.metadata.annotations ?? {}, before.metadata.annotations ?? {});
}

/** controller-runtime predicate.Or */
export function anyOf<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (after, before) => predicates.some((predicate) => predicate(after, before));
}
