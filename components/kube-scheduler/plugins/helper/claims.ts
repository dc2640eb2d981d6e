import type { PersistentVolumeClaim, Pod, Volume } from '../../../../src/api/kinds/core-v1.ts';
import { isControlledBy } from '../../../../src/api/meta.ts';
import type { Listers } from '../../framework/listers.ts';

/** The claim that a volume of a pod stands for: its name, and whether a controller makes it for this pod alone (component-helpers ephemeral.VolumeClaimName). */
export function claimOfVolume(pod: Pod, volume: Volume): { readonly name: string; readonly isEphemeral: boolean } | undefined {
  if (volume.persistentVolumeClaim) return { name: volume.persistentVolumeClaim.claimName, isEphemeral: false };
  return volume.ephemeral ? { name: `${pod.metadata.name}-${volume.name}`, isEphemeral: true } : undefined;
}

/** A claim of the same name that belongs to something else: component-helpers ephemeral.VolumeIsForPod. */
export function isClaimOfPod(pod: Pod, claim: PersistentVolumeClaim): boolean {
  return isControlledBy(claim, pod);
}

export function notFound(name: string): string {
  return `persistentvolumeclaim "${name}" not found`;
}

/** component-helpers storage/volume GetPersistentVolumeClaimClass */
export function classOfClaim(claim: PersistentVolumeClaim): string {
  return claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? claim.spec?.storageClassName ?? '';
}

/** component-helpers storage/volume IsDelayBindingMode: nothing is bound before a pod that uses the claim is scheduled. */
export function isDelayBindingMode(claim: PersistentVolumeClaim, listers: Pick<Listers, 'storageClasses'>): boolean {
  const name = classOfClaim(claim);
  return name !== '' && listers.storageClasses.get(name)?.volumeBindingMode === 'WaitForFirstConsumer';
}
