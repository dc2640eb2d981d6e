import { getControllerOf, newControllerRef } from '../api/meta.ts';
import type { KubernetesObject } from '../api/object.ts';
import { invariant } from '../sim/invariant.ts';
import { TerminalError } from './terminal-error.ts';

/**
 * Makes `owner` the controller of `object`, a draft or an object that has not been stored yet: when the owner goes, the garbage collector takes it away, and
 * `owns` of a controller leads from it to the owner. controller-runtime controllerutil.SetControllerReference.
 * @throws TerminalError when another object is its controller
 */
export function setControllerReference(owner: KubernetesObject, object: KubernetesObject): void {
  const { kind, apiVersion, metadata } = owner;
  invariant(kind && apiVersion, 'an owner comes from the API, with kind and apiVersion');
  const before = getControllerOf(object);
  if (before && before.uid !== metadata.uid) {
    const { namespace = '', name = '' } = object.metadata;
    throw new TerminalError(`Object ${namespace}/${name} is already owned by another ${before.kind} controller ${before.name}`);
  }
  const reference = newControllerRef(owner, { kind, apiVersion });
  const others = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== metadata.uid);
  object.metadata.ownerReferences = [...others, reference];
}
