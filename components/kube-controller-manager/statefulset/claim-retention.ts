import type { StatefulSet } from '../../../src/api/kinds/apps-v1.ts';
import type { PersistentVolumeClaim, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import { newControllerRef } from '../../../src/api/meta.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { podInOrdinalRange, STATEFUL_SET } from './stateful-set-utils.ts';

const POD = { apiVersion: 'v1', kind: 'Pod' };

type Kind = typeof POD;

/** Who should own a claim of the pod, by the set's persistentVolumeClaimRetentionPolicy. */
type WantedOwner = 'nobody' | 'set' | 'pod';

/** pkg/controller/statefulset/stateful_set_utils.go getPersistentVolumeClaimRetentionPolicy */
export function getRetentionPolicy(set: StatefulSet): { readonly whenScaled: string; readonly whenDeleted: string } {
  const policy = set.spec?.persistentVolumeClaimRetentionPolicy;
  return { whenScaled: policy?.whenScaled ?? 'Retain', whenDeleted: policy?.whenDeleted ?? 'Retain' };
}

function wantedOwner(set: StatefulSet, pod: Pod): WantedOwner {
  const { whenScaled, whenDeleted } = getRetentionPolicy(set);
  if (whenScaled === 'Delete' && !podInOrdinalRange(pod, set)) return 'pod';
  return whenDeleted === 'Delete' ? 'set' : 'nobody';
}

/** pkg/controller/statefulset/stateful_set_utils.go isClaimOwnerUpToDate */
export function isClaimOwnerUpToDate(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  if (hasStaleOwnerRef(claim, set, STATEFUL_SET) || hasStaleOwnerRef(claim, pod, POD)) return false;
  const [bySet, byPod] = [hasOwnerRef(claim, set), hasOwnerRef(claim, pod)];
  if (hasUnexpectedController(claim, set, pod)) return !bySet && !byPod;
  if (hasNonControllerOwner(claim, set, pod)) return false;
  const wanted = wantedOwner(set, pod);
  return bySet === (wanted === 'set') && byPod === (wanted === 'pod');
}

/** pkg/controller/statefulset/stateful_set_utils.go updateClaimOwnerRefForSetAndPod */
export function updateClaimOwnerRefForSetAndPod(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): PersistentVolumeClaim {
  const kept = ownersOf(claim).filter((ref) => !matchesRef(ref, set, STATEFUL_SET) && !matchesRef(ref, pod, POD));
  const added = hasUnexpectedController(claim, set, pod) ? [] : newOwners(set, pod);
  const { ownerReferences: _, ...metadata } = claim.metadata;
  const references = [...kept, ...added];
  return { ...claim, metadata: { ...metadata, ...(references.length ? { ownerReferences: references } : {}) } };
}

function newOwners(set: StatefulSet, pod: Pod): OwnerReference[] {
  const wanted = wantedOwner(set, pod);
  if (wanted === 'nobody') return [];
  return [wanted === 'set' ? newControllerRef(set, STATEFUL_SET) : newControllerRef(pod, POD)];
}

/** A former pod of this name owned the claim: pkg/controller/statefulset/stateful_set_utils.go hasStaleOwnerRef */
export function isClaimOfFormerPod(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return hasStaleOwnerRef(claim, pod, POD);
}

function hasStaleOwnerRef(claim: PersistentVolumeClaim, owner: KubernetesObject, kind: Kind): boolean {
  const reference = ownersOf(claim).find((ref) => matchesRef(ref, owner, kind));
  return reference !== undefined && reference.uid !== owner.metadata.uid;
}

/** Somebody else manages the claim: pkg/controller/statefulset/stateful_set_utils.go hasUnexpectedController */
export function hasUnexpectedController(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  return ownersOf(claim).some((ref) => ref.controller === true && !matchesRef(ref, set, STATEFUL_SET) && !matchesRef(ref, pod, POD));
}

/** pkg/controller/statefulset/stateful_set_utils.go hasNonControllerOwner */
function hasNonControllerOwner(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  const uids = [set.metadata.uid, pod.metadata.uid];
  return ownersOf(claim).some((ref) => uids.includes(ref.uid) && ref.controller !== true);
}

function hasOwnerRef(claim: PersistentVolumeClaim, owner: KubernetesObject): boolean {
  return ownersOf(claim).some((ref) => ref.uid === owner.metadata.uid);
}

/** pkg/controller/statefulset/stateful_set_utils.go matchesRef */
function matchesRef(reference: OwnerReference, owner: KubernetesObject, kind: Kind): boolean {
  return reference.apiVersion === kind.apiVersion && reference.kind === kind.kind && reference.name === owner.metadata.name;
}

function ownersOf(claim: PersistentVolumeClaim): readonly OwnerReference[] {
  return claim.metadata.ownerReferences ?? [];
}
