import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../../../src/api/kinds/storage-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { parseQuantity, type Quantity } from '../../../../src/api/quantity.ts';
import { parseTime } from '../../../../src/api/time.ts';

// component-helpers/storage/volume/pv_helpers.go: what claims and volumes say of each other.

export const ANN_BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const ANN_BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const ANN_DYNAMICALLY_PROVISIONED = 'pv.kubernetes.io/provisioned-by';
export const ANN_MIGRATED_TO = 'pv.kubernetes.io/migrated-to';
export const ANN_STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const ANN_BETA_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
const ANN_SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const ANN_BETA_STORAGE_CLASS = 'volume.beta.kubernetes.io/storage-class';
const ANN_IS_DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
const ANN_BETA_IS_DEFAULT_CLASS = 'storageclass.beta.kubernetes.io/is-default-class';

/** An object with an annotation more, or with another value for it. */
export function withAnnotations<T extends PersistentVolume | PersistentVolumeClaim>(object: T, annotations: Record<string, string>): T {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } } };
}

/** component-helpers/storage/volume GetPersistentVolumeClaimClass, GetPersistentVolumeClass */
export function classOf({ metadata, spec }: PersistentVolume | PersistentVolumeClaim): string {
  return metadata.annotations?.[ANN_BETA_STORAGE_CLASS] ?? spec?.storageClassName ?? '';
}

/** component-helpers/storage/volume IsVolumeBoundToClaim: named by the user (without a UID) or by the controller. */
export function isVolumeBoundToClaim({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const reference = spec?.claimRef;
  if (!reference || reference.name !== metadata.name || reference.namespace !== metadata.namespace) return false;
  return !reference.uid || reference.uid === metadata.uid;
}

/** Claims that the scheduler has a say in: component-helpers/storage/volume IsDelayBindingMode */
export function isDelayBindingMode(claim: PersistentVolumeClaim, classByName: (name: string) => StorageClass | undefined): boolean {
  return classByName(classOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** component-helpers/storage/volume IsDelayBindingProvisioning: the scheduler has chosen a node. */
export function isDelayBindingProvisioning({ metadata }: PersistentVolumeClaim): boolean {
  return metadata.annotations?.[ANN_SELECTED_NODE] !== undefined;
}

export function modeOf({ spec }: PersistentVolume | PersistentVolumeClaim): string {
  return spec?.volumeMode ?? 'Filesystem';
}

export function requestOf({ spec }: PersistentVolumeClaim): Quantity {
  return parseQuantity(spec?.resources?.requests?.['storage'] ?? '0');
}

export function capacityOf({ spec }: PersistentVolume): Quantity {
  return parseQuantity(spec?.capacity?.['storage'] ?? '0');
}

/** The claim that a volume names, as a key. */
export function claimKeyOf({ spec }: PersistentVolume): string {
  return keyOf({ namespace: spec?.claimRef?.namespace, name: spec?.claimRef?.name ?? '' });
}

/** pkg/volume/util/storageclass.go GetDefaultClass: of several the newest, then by name. */
export function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  const isDefault = ({ metadata: { annotations } }: StorageClass): boolean =>
    annotations?.[ANN_IS_DEFAULT_CLASS] === 'true' || annotations?.[ANN_BETA_IS_DEFAULT_CLASS] === 'true';
  const age = ({ metadata }: StorageClass): number => parseTime(metadata.creationTimestamp) ?? 0;
  const byAge = (a: StorageClass, b: StorageClass): number =>
    age(b) - age(a) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
  return classes.filter(isDefault).sort(byAge)[0];
}

/** pv_controller.go checkVolumeSatisfyClaim: why a volume that the claim names does not do; undefined when it does. */
export function whyUnsuitable(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  if (volume.metadata.deletionTimestamp) return `the volume is marked for deletion "${volume.metadata.name}"`;
  if (capacityOf(volume).compare(requestOf(claim)) < 0) return 'requested PV is too small';
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if ((volume.spec?.volumeAttributesClassName ?? '') !== (claim.spec?.volumeAttributesClassName ?? ''))
    return 'volumeAttributesClassName does not match';
  if (modeOf(volume) !== modeOf(claim)) return 'incompatible volumeMode';
  return containsModes(volume, claim) ? undefined : 'incompatible accessMode';
}

/** component-helpers/storage/volume CheckAccessModes */
export function containsModes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (claim.spec?.accessModes ?? []).every((mode) => volume.spec?.accessModes?.includes(mode));
}
