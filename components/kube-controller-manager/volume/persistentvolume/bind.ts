import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimStatus } from '../../../../src/api/kinds/core-v1.ts';
import { persistentvolumeclaims } from '../../../../src/api/resources.ts';
import type { EventType } from '../../../../src/client/event-recorder.ts';
import { describeReference } from '../../controller/describe-reference.ts';
import type { BinderServices } from './binder-services.ts';
import { ANN_BIND_COMPLETED, ANN_BOUND_BY_CONTROLLER, isVolumeBoundToClaim, withAnnotations } from './binding-facts.ts';

const ANN_PRE_RESIZE_CAPACITY = 'volume.alpha.kubernetes.io/pre-resize-capacity';

/** What an event says of a change that was written. */
interface Report {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** Makes both name each other, in up to four writes; what is so already is not written. pv_controller.go bind */
export async function bind(services: BinderServices, volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
  const { simulation } = services.actor;
  if (claim.status?.phase !== 'Bound') {
    const object = describeReference(persistentvolumeclaims, claim);
    const message = `PersistentVolume ${volume.metadata.name} fits PersistentVolumeClaim ${claim.metadata.name}: bind them to each other`;
    simulation.trace.record({ kind: 'decision', component: 'persistentvolume-binder-controller', object, message });
  }
  const bound = await updateVolumePhase(services, await bindVolumeToClaim(services, volume, claim), { phase: 'Bound' });
  const updated = await bindClaimToVolume(services, bound, claim);
  await updateClaimStatus(services, updated, { phase: 'Bound', volume: bound });
}

/** pv_controller.go bindVolumeToClaim; component-helpers/storage/volume GetBindVolumeToClaim */
async function bindVolumeToClaim(
  services: BinderServices,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Promise<PersistentVolume> {
  const { claimRef } = volume.spec ?? {};
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = claim.metadata;
  const named = claimRef?.name === name && claimRef.namespace === namespace && claimRef.uid === uid;
  if (named) return volume;
  const reference = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion };
  const changed = { ...volume, spec: { ...volume.spec, claimRef: reference } };
  const byUser = isVolumeBoundToClaim(volume, claim);
  return updateVolume(services, byUser ? changed : withAnnotations(changed, { [ANN_BOUND_BY_CONTROLLER]: 'yes' }));
}

/** pv_controller.go bindClaimToVolume */
async function bindClaimToVolume(
  services: BinderServices,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Promise<PersistentVolumeClaim> {
  const volumeName = volume.metadata.name ?? '';
  const annotations: Record<string, string> = {};
  const named = claim.spec?.volumeName === volumeName;
  if (!named && !claim.metadata.annotations?.[ANN_BOUND_BY_CONTROLLER]) annotations[ANN_BOUND_BY_CONTROLLER] = 'yes';
  if (!claim.metadata.annotations?.[ANN_BIND_COMPLETED]) annotations[ANN_BIND_COMPLETED] = 'yes';
  if (named && Object.keys(annotations).length === 0) return claim;
  return updateClaim(services, withAnnotations({ ...claim, spec: { ...claim.spec, volumeName } }, annotations));
}

/** Writes a claim, and keeps what came of it. */
export async function updateClaim(services: BinderServices, claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
  const updated = await services.claimClient.update(claim);
  services.claims.store(updated);
  return updated;
}

/** Writes a volume, and keeps what came of it. */
export async function updateVolume(services: BinderServices, volume: PersistentVolume): Promise<PersistentVolume> {
  const updated = await services.volumeClient.update(volume);
  services.volumes.store(updated);
  return updated;
}

/** Without a volume the claim loses what its status says of one. pv_controller.go updateClaimStatus, updateClaimStatusWithEvent */
export async function updateClaimStatus(
  services: BinderServices,
  claim: PersistentVolumeClaim,
  { phase, volume, report }: { phase: string; volume?: PersistentVolume; report?: Report },
): Promise<PersistentVolumeClaim> {
  const becomes = claim.status?.phase !== phase;
  if (report && !becomes) return claim;
  const status = volume ? statusOfBound(claim, volume, phase) : statusWithoutVolume(claim, phase);
  if (deepEqual(status, claim.status)) return claim;
  const updated = await services.claimClient.updateStatus({ ...claim, status });
  services.claims.store(updated);
  if (report) services.recorder.event(updated, report.type, report.reason, report.message);
  return updated;
}

function statusWithoutVolume({ status }: PersistentVolumeClaim, phase: string): PersistentVolumeClaimStatus {
  const { accessModes: _modes, capacity: _capacity, ...rest } = status ?? {};
  return { ...rest, phase };
}

function statusOfBound({ status }: PersistentVolumeClaim, volume: PersistentVolume, phase: string): PersistentVolumeClaimStatus {
  const { accessModes, capacity, volumeAttributesClassName } = volume.spec ?? {};
  const changed: PersistentVolumeClaimStatus = { ...status, phase, ...(accessModes ? { accessModes } : {}) };
  if (status?.phase === phase) return changed;
  const before = volume.metadata.annotations?.[ANN_PRE_RESIZE_CAPACITY];
  if (capacity) changed.capacity = before ? { ...capacity, storage: before } : capacity;
  if (volumeAttributesClassName) changed.currentVolumeAttributesClassName = volumeAttributesClassName;
  return changed;
}

/** pv_controller.go updateVolumePhase, updateVolumePhaseWithEvent: the text of an event is also the status' message. */
export async function updateVolumePhase(
  services: BinderServices,
  volume: PersistentVolume,
  { phase, report }: { phase: string; report?: Report },
): Promise<PersistentVolume> {
  if (volume.status?.phase === phase) return volume;
  const { message: _message, reason: _reason, ...rest } = volume.status ?? {};
  const status = { ...rest, phase, ...(report ? { message: report.message } : {}) };
  const updated = await services.volumeClient.updateStatus({ ...volume, status });
  services.volumes.store(updated);
  if (report) services.recorder.event(updated, report.type, report.reason, report.message);
  return updated;
}

/** Gives the volume back to everybody, or only to the claim that its user had in mind. pv_controller.go unbindVolume */
export async function unbindVolume(services: BinderServices, volume: PersistentVolume): Promise<void> {
  const { claimRef, ...spec } = volume.spec ?? {};
  const { [ANN_BOUND_BY_CONTROLLER]: byController, ...annotations } = volume.metadata.annotations ?? {};
  let changed: PersistentVolume;
  if (byController !== undefined) {
    const { annotations: _, ...metadata } = volume.metadata;
    changed = { ...volume, metadata: { ...metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) }, spec };
  } else {
    const { uid: _, ...named } = claimRef ?? {};
    changed = { ...volume, spec: { ...spec, claimRef: named } };
  }
  await updateVolumePhase(services, await updateVolume(services, changed), { phase: 'Available' });
}
