import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { isNotFound } from '../../../../src/api/status-error.ts';
import { unbindVolume, updateVolumePhase } from './bind.ts';
import type { BinderServices } from './binder-services.ts';
import { ANN_DYNAMICALLY_PROVISIONED, claimKeyOf, modeOf } from './binding-facts.ts';
import { updateVolumeMigrationAnnotationsAndFinalizers } from './migration.ts';
import { reclaimVolume } from './reclaim-volume.ts';

/** pkg/controller/volume/persistentvolume/pv_controller.go syncVolume */
export async function syncVolume(services: BinderServices, written: PersistentVolume): Promise<void> {
  const volume = await updateVolumeMigrationAnnotationsAndFinalizers(services, written);
  if (!volume.spec?.claimRef?.uid) return void (await updateVolumePhase(services, volume, { phase: 'Available' }));
  const claim = await findClaim(services, volume);
  if (!claim) return release(services, volume);
  const { volumeName } = claim.spec ?? {};
  if (!volumeName) {
    if (modeOf(claim) === modeOf(volume)) services.claimQueue.add(keyOf(claim));
    else reportModes(services, volume, claim);
  } else if (volumeName === volume.metadata.name) {
    await updateVolumePhase(services, volume, { phase: 'Bound' });
  } else if (isMadeForClaim(volume)) {
    await release(services, volume);
  } else {
    await unbindVolume(services, volume);
  }
}

/** The claim was bound elsewhere: a volume that was made for it is of no use then. */
function isMadeForClaim({ metadata, spec }: PersistentVolume): boolean {
  return metadata.annotations?.[ANN_DYNAMICALLY_PROVISIONED] !== undefined && spec?.persistentVolumeReclaimPolicy === 'Delete';
}

async function release(services: BinderServices, volume: PersistentVolume): Promise<void> {
  await reclaimVolume(services, isReleased(volume) ? volume : await updateVolumePhase(services, volume, { phase: 'Released' }));
}

function isReleased({ status }: PersistentVolume): boolean {
  return status?.phase === 'Released' || status?.phase === 'Failed';
}

/** The claim that the volume means, not only one of its name; before it is taken for gone the API is asked. */
async function findClaim(services: BinderServices, volume: PersistentVolume): Promise<PersistentVolumeClaim | undefined> {
  const key = claimKeyOf(volume);
  const uid = volume.spec?.claimRef?.uid;
  const cached = services.claims.get(key) ?? (isReleased(volume) ? undefined : services.claimLister.get(key));
  if (cached?.metadata.uid === uid) return cached;
  if (!cached && isReleased(volume)) return undefined;
  const { namespace, name = '' } = volume.spec?.claimRef ?? {};
  try {
    const live = await services.claimClient.get({ namespace, name });
    return live.metadata.uid === uid ? live : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function reportModes({ recorder }: BinderServices, volume: PersistentVolume, claim: PersistentVolumeClaim): void {
  const [pv, pvc] = [volume.metadata.name, claim.metadata.name];
  const toVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${pvc}" due to incompatible volumeMode.`;
  const toClaim = `Cannot bind PersistentVolume "${pv}" to requested PersistentVolumeClaim due to incompatible volumeMode.`;
  recorder.event(volume, 'Warning', 'VolumeMismatch', toVolume);
  recorder.event(claim, 'Warning', 'VolumeMismatch', toClaim);
}
