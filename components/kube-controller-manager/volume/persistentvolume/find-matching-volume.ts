import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../../src/api/label-selector.ts';
import { capacityOf, classOf, isVolumeBoundToClaim, modeOf, requestOf } from './binding-facts.ts';
import type { VolumeCache } from './volume-cache.ts';

/** Of the volumes that fit the claim the smallest: pkg/controller/volume/persistentvolume/index.go findBestMatchForClaim */
export function findBestMatchForClaim(
  volumes: VolumeCache,
  claim: PersistentVolumeClaim,
  delayBinding: boolean,
): PersistentVolume | undefined {
  for (const group of volumes.groupsFor(claim)) {
    const found = findMatchingVolume(group, claim, delayBinding);
    if (found) return found;
  }
  return undefined;
}

/** component-helpers/storage/volume/pv_helpers.go FindMatchingVolume */
function findMatchingVolume(
  volumes: readonly PersistentVolume[],
  claim: PersistentVolumeClaim,
  delayBinding: boolean,
): PersistentVolume | undefined {
  const requested = requestOf(claim);
  const selector = claim.spec?.selector ? labelSelectorAsSelector(claim.spec.selector) : undefined;
  const className = classOf(claim);
  let smallest: PersistentVolume | undefined;
  for (const volume of volumes) {
    const ours = isVolumeBoundToClaim(volume, claim);
    if (volume.spec?.claimRef && !ours) continue;
    if (capacityOf(volume).compare(requested) < 0 || !fitsForm(volume, claim)) continue;
    if (ours) return volume;
    // Which of the others it will be depends on the node, so the scheduler decides.
    if (delayBinding || volume.status?.phase !== 'Available') continue;
    if (selector && !selector.matches(volume.metadata.labels ?? {})) continue;
    if (classOf(volume) !== className) continue;
    if (!smallest || capacityOf(volume).compare(capacityOf(smallest)) < 0) smallest = volume;
  }
  return smallest;
}

function fitsForm(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  if (volume.metadata.deletionTimestamp || modeOf(volume) !== modeOf(claim)) return false;
  return (volume.spec?.volumeAttributesClassName ?? '') === (claim.spec?.volumeAttributesClassName ?? '');
}
