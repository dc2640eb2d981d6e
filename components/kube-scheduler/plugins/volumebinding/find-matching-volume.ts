import type { Node, PersistentVolume, PersistentVolumeClaim, TopologySelectorTerm } from '../../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../../src/api/label-selector.ts';
import { amountOf } from '../../framework/resource.ts';
import { classOfClaim } from '../helper/claims.ts';
import { nodeSelectorMatcher } from '../helper/node-affinity.ts';

/** component-helpers storage/volume CheckNodeAffinity */
export function volumeFitsNode(volume: PersistentVolume, node: Node): boolean {
  const required = volume.spec?.nodeAffinity?.required;
  return !required || nodeSelectorMatcher(required.nodeSelectorTerms)(node);
}

export function requestedStorage(claim: PersistentVolumeClaim): number {
  return amountOf('storage', claim.spec?.resources?.requests?.storage ?? '0');
}

function classOfVolume(volume: PersistentVolume): string {
  return volume.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? volume.spec?.storageClassName ?? '';
}

/** component-helpers storage/volume IsVolumeBoundToClaim */
export function isVolumeBoundToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const reference = volume.spec?.claimRef;
  if (!reference || reference.name !== claim.metadata.name || reference.namespace !== claim.metadata.namespace) return false;
  return !reference.uid || reference.uid === claim.metadata.uid;
}

/** component-helpers storage/volume FindMatchingVolume: the smallest that will do, or the one that is kept for the claim. */
export function findMatchingVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  where: { readonly node: Node; readonly chosen: ReadonlySet<string> },
): PersistentVolume | undefined {
  const wanted = requestedStorage(claim);
  let smallest: PersistentVolume | undefined;
  let smallestSize = 0;
  for (const volume of volumes) {
    if (where.chosen.has(volume.metadata.name ?? '')) continue;
    const isKept = isVolumeBoundToClaim(volume, claim);
    if (volume.spec?.claimRef && !isKept) continue;
    const size = amountOf('storage', volume.spec?.capacity?.storage ?? '0');
    if (size < wanted || !isUsable(volume, claim)) continue;
    const fits = volumeFitsNode(volume, where.node);
    if (isKept) return fits ? volume : undefined;
    if (!fits || !isEligible(volume, claim)) continue;
    if (smallest && smallestSize <= size) continue;
    smallest = volume;
    smallestSize = size;
  }
  return smallest;
}

function isUsable(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  if ((volume.spec?.volumeMode ?? 'Filesystem') !== (claim.spec?.volumeMode ?? 'Filesystem')) return false;
  if ((volume.spec?.volumeAttributesClassName ?? '') !== (claim.spec?.volumeAttributesClassName ?? '')) return false;
  return !volume.metadata.deletionTimestamp;
}

/** What a volume must satisfy that nobody has spoken for. */
function isEligible(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  if (volume.status?.phase !== 'Available') return false;
  const selector = claim.spec?.selector;
  if (selector && !labelSelectorAsSelector(selector).matches(volume.metadata.labels)) return false;
  if (classOfVolume(volume) !== classOfClaim(claim)) return false;
  return (claim.spec?.accessModes ?? []).every((mode) => volume.spec?.accessModes?.includes(mode));
}

/** component-helpers scheduling/corev1 MatchTopologySelectorTerms: any term; none at all allows everything. */
export function matchTopologySelectorTerms(
  terms: readonly TopologySelectorTerm[] | undefined,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  if (!terms?.length) return true;
  return terms.some(({ matchLabelExpressions = [] }) => {
    if (matchLabelExpressions.length === 0) return false;
    return matchLabelExpressions.every(({ key, values }) => labels[key] !== undefined && values.includes(labels[key]));
  });
}
