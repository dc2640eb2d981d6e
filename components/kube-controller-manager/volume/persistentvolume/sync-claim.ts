import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { SyncError } from '../../controller/sync-error.ts';
import { bind, updateClaim, updateClaimStatus } from './bind.ts';
import type { BinderServices } from './binder-services.ts';
import {
  ANN_BIND_COMPLETED,
  ANN_BOUND_BY_CONTROLLER,
  classOf,
  defaultClass,
  isDelayBindingMode,
  isDelayBindingProvisioning,
  isVolumeBoundToClaim,
  whyUnsuitable,
} from './binding-facts.ts';
import { findBestMatchForClaim } from './find-matching-volume.ts';
import { updateClaimMigrationAnnotations } from './migration.ts';
import { provisionClaim } from './provision-claim.ts';

const NO_CLASS = 'no persistent volumes available for this claim and no storage class is set';
const LOST_REFERENCE = 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!';
const LOST_VOLUME = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
const MISBOUND = 'Two claims are bound to the same volume, this one is bound incorrectly';

/** pkg/controller/volume/persistentvolume/pv_controller.go syncClaim */
export async function syncClaim(services: BinderServices, written: PersistentVolumeClaim): Promise<void> {
  const claim = await updateClaimMigrationAnnotations(services, written);
  const isBound = claim.metadata.annotations?.[ANN_BIND_COMPLETED] !== undefined;
  return isBound ? syncBoundClaim(services, claim) : syncUnboundClaim(services, claim);
}

/** pv_controller.go syncUnboundClaim */
async function syncUnboundClaim(services: BinderServices, claim: PersistentVolumeClaim): Promise<void> {
  const name = claim.spec?.volumeName;
  if (!name) return findVolumeFor(services, claim);
  const volume = services.volumes.get(name);
  if (volume && !(await isHindered(services, volume, claim))) return bind(services, volume, claim);
  await updateClaimStatus(services, claim, { phase: 'Pending' });
}

/** Says why the volume that the claim asks for cannot be had. */
async function isHindered(services: BinderServices, volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<boolean> {
  const { recorder } = services;
  const { name } = volume.metadata;
  if (!volume.spec?.claimRef) {
    const why = whyUnsuitable(volume, claim);
    if (why !== undefined) recorder.event(claim, 'Warning', 'VolumeMismatch', `Cannot bind to requested volume "${name}": ${why}`);
    return why !== undefined;
  }
  if (isVolumeBoundToClaim(volume, claim)) return false;
  if (claim.metadata.annotations?.[ANN_BOUND_BY_CONTROLLER] !== undefined)
    throw new SyncError(
      `invalid binding of claim "${keyOf(claim)}" to volume "${name}": volume already claimed by "${volume.spec.claimRef.name}"`,
    );
  recorder.event(claim, 'Warning', 'FailedBinding', `volume "${name}" already bound to a different claim.`);
  return true;
}

async function findVolumeFor(services: BinderServices, claim: PersistentVolumeClaim): Promise<void> {
  const { classLister, recorder, volumes } = services;
  const delayBinding = isDelayBindingMode(claim, (name) => classLister.get(name));
  const volume = findBestMatchForClaim(volumes, claim, delayBinding);
  if (volume) return bind(services, volume, claim);
  if (await assignDefaultStorageClass(services, claim)) return;
  if (delayBinding && !isDelayBindingProvisioning(claim)) emitEventForUnboundDelayBindingClaim(services, claim);
  else if (classOf(claim) !== '') return provisionClaim(services, claim);
  else recorder.event(claim, 'Normal', 'FailedBinding', NO_CLASS);
  await updateClaimStatus(services, claim, { phase: 'Pending' });
}

/** A claim that came before there was a default class gets it afterwards. pv_controller.go assignDefaultStorageClass */
async function assignDefaultStorageClass(services: BinderServices, claim: PersistentVolumeClaim): Promise<boolean> {
  if (claim.spec?.storageClassName !== undefined || classOf(claim) !== '') return false;
  const storageClassName = defaultClass(services.classLister.list())?.metadata.name;
  if (storageClassName === undefined) return false;
  await updateClaim(services, { ...claim, spec: { ...claim.spec, storageClassName } });
  return true;
}

/** pv_controller.go emitEventForUnboundDelayBindingClaim */
function emitEventForUnboundDelayBindingClaim({ podsOfClaim, recorder }: BinderServices, claim: PersistentVolumeClaim): void {
  const waiting = podsOfClaim(keyOf(claim)).filter(
    ({ spec, status }) => !spec?.nodeName && status?.phase !== 'Succeeded' && status?.phase !== 'Failed',
  );
  const names = waiting.map(({ metadata }) => metadata.name);
  if (names.length === 0) {
    recorder.event(claim, 'Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
    return;
  }
  const who = names.length > 1 ? `pods ${names.join(',')}` : `pod ${names[0]}`;
  recorder.event(claim, 'Normal', 'WaitForPodScheduled', `waiting for ${who} to be scheduled`);
}

/** pv_controller.go syncBoundClaim */
async function syncBoundClaim(services: BinderServices, claim: PersistentVolumeClaim): Promise<void> {
  const lose = async (reason: string, message: string): Promise<void> => {
    await updateClaimStatus(services, claim, { phase: 'Lost', report: { type: 'Warning', reason, message } });
  };
  const name = claim.spec?.volumeName;
  if (!name) return lose('ClaimLost', LOST_REFERENCE);
  const volume = services.volumes.get(name);
  if (!volume) return lose('ClaimLost', LOST_VOLUME);
  const { claimRef } = volume.spec ?? {};
  if (claimRef && claimRef.uid !== claim.metadata.uid) return lose('ClaimMisbound', MISBOUND);
  return bind(services, volume, claim);
}
