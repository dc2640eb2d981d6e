import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { PersistentVolume, PersistentVolumeSpec } from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { formatTime } from '../../../../src/api/time.ts';
import { isDNS1123Subdomain } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { oneOf, pathNoBacksteps, report } from '../validation.ts';
import { validateNodeSelector } from './affinity-validation.ts';
import { ACCESS_MODES } from './claim-validation.ts';
import { setDefaultsPersistentVolume } from './defaults.ts';
import { structDiff } from './go-diff.ts';
import { deprecatedVolumeWarnings } from './pod-warnings.ts';
import { validateSharedSource } from './volume-source-validation.ts';

/** Fields of the spec that are no volume source. */
const NO_SOURCE = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
]);

const RECYCLE_WARNING =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

/** kubernetes pkg/registry/core/persistentvolume */
export const persistentVolumeRules: KindRules<PersistentVolume> = {
  defaults: setDefaultsPersistentVolume,
  metaTwiceOnUpdate: true,
  hasStatus: true,
  prepareForCreate: (volume, { wallTime }) => ({ ...volume, status: { phase: 'Pending', lastPhaseTransitionTime: formatTime(wallTime) } }),
  prepareForStatusUpdate: (volume, old, { wallTime }) => {
    const { phase, lastPhaseTransitionTime } = volume.status ?? {};
    if (phase === old.status?.phase || (lastPhaseTransitionTime && lastPhaseTransitionTime !== old.status?.lastPhaseTransitionTime))
      return volume;
    return { ...volume, status: { ...volume.status, lastPhaseTransitionTime: formatTime(wallTime) } };
  },
  warnings: ({ spec }) => {
    const warnings = spec?.persistentVolumeReclaimPolicy === 'Recycle' ? [RECYCLE_WARNING] : [];
    deprecatedVolumeWarnings(warnings, 'spec', spec ?? {});
    return warnings;
  },
  validate: validatePersistentVolume,
  validateUpdate: (volume, old) => {
    // The real one runs the rules of creation twice.
    const errors = [...validatePersistentVolume(volume), ...validatePersistentVolume(volume)];
    const now = sourceOf(volume.spec);
    const before = sourceOf(old.spec);
    if (!semanticDeepEqual(now, before))
      errors.push(
        forbidden(
          'spec.persistentvolumesource',
          `spec.persistentvolumesource is immutable after creation\n${structDiff('PersistentVolumeSource', before, now)}`,
        ),
      );
    if (volume.spec?.volumeMode !== old.spec?.volumeMode) errors.push(invalid('volumeMode', volume.spec?.volumeMode, 'field is immutable'));
    if (old.spec?.nodeAffinity && !semanticDeepEqual(volume.spec?.nodeAffinity, old.spec.nodeAffinity)) {
      errors.push(invalid('spec.nodeAffinity', volume.spec?.nodeAffinity, 'field is immutable, except for updating from beta label to GA'));
    }
    return errors;
  },
};

function sourceOf(spec: PersistentVolumeSpec | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(spec ?? {}).filter(([name]) => !NO_SOURCE.has(name)));
}

/** kubernetes pkg/apis/core/validation ValidatePersistentVolumeSpec */
function validatePersistentVolume({ spec = {} }: PersistentVolume): FieldError[] {
  const errors: FieldError[] = [];
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required('spec.accessModes'));
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported('spec.accessModes', mode, ACCESS_MODES));
  if (modes.includes('ReadWriteOncePod') && modes.length > 1)
    errors.push(forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'));
  validateCapacity(errors, spec.capacity);
  oneOf(errors, { path: 'spec.persistentVolumeReclaimPolicy', value: spec.persistentVolumeReclaimPolicy }, ['Delete', 'Recycle', 'Retain']);
  if (spec.nodeAffinity) {
    if (!spec.nodeAffinity.required) errors.push(required('spec.nodeAffinity.required', 'must specify required node constraints'));
    else validateNodeSelector(errors, 'spec.nodeAffinity.required', spec.nodeAffinity.required.nodeSelectorTerms);
  }
  validateSource(errors, spec);
  if (spec.hostPath?.path === '/' && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    errors.push(forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'"));
  }
  if (spec.storageClassName)
    report(errors, { path: 'spec.storageClassName', value: spec.storageClassName }, isDNS1123Subdomain(spec.storageClassName));
  oneOf(errors, { path: 'spec.volumeMode', value: spec.volumeMode }, ['Block', 'Filesystem']);
  const attributes = spec.volumeAttributesClassName;
  if (attributes === undefined) return errors;
  if (attributes === '') errors.push(required('spec.volumeAttributesClassName', 'an empty string is disallowed'));
  else report(errors, { path: 'spec.volumeAttributesClassName', value: attributes }, isDNS1123Subdomain(attributes));
  if (!spec.csi) errors.push(required('spec.csi', 'has to be specified when using volumeAttributesClassName'));
  return errors;
}

function validateCapacity(errors: FieldError[], capacity: Record<string, string> | undefined): void {
  const names = Object.keys(capacity ?? {});
  if (names.length === 0) errors.push(required('spec.capacity'));
  const storage = capacity?.storage;
  if (storage === undefined || names.length > 1) errors.push(notSupported('spec.capacity', capacity, ['storage']));
  for (const [name, amount] of Object.entries(capacity ?? {})) {
    const quantity = parseQuantity(amount);
    if (quantity.nano < 0n) errors.push(invalid(`spec.capacity[${name}]`, quantity.value(), 'must be a valid resource quantity'));
    if (quantity.nano <= 0n) errors.push(invalid(`spec.capacity[${name}]`, amount, 'must be greater than zero'));
  }
}

function validateSource(errors: FieldError[], spec: PersistentVolumeSpec): void {
  const given = sourceOf(spec);
  const names = SOURCE_ORDER.filter((name) => given[name] !== undefined);
  if (names.length === 0) errors.push(required('spec', 'must specify a volume type'));
  for (const [index, name] of names.entries()) {
    const path = `spec.${name}`;
    if (index > 0) errors.push(forbidden(path, 'may not specify more than 1 volume type'));
    else if (name === 'local') {
      if (!spec.local?.path) errors.push(required(`${path}.path`));
      else pathNoBacksteps(errors, `${path}.path`, spec.local.path);
      if (!spec.nodeAffinity) errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'));
    } else {
      validateSharedSource(errors, path, { source: spec, name });
      if (name === 'csi' && spec.csi) validateCSISource(errors, path, spec.csi);
    }
  }
}

/** The order in which the real one looks at sources decides which one counts as the second. */
const SOURCE_ORDER = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];

/** kubernetes pkg/apis/core/validation validateCSIPersistentVolumeSource */
function validateCSISource(errors: FieldError[], path: string, source: NonNullable<PersistentVolumeSpec['csi']>): void {
  if (!source.volumeHandle) errors.push(required(`${path}.volumeHandle`));
  for (const field of ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const) {
    const reference = source[field];
    if (!reference) continue;
    for (const part of ['name', 'namespace'] as const) if (!reference[part]) errors.push(required(`${path}.${field}.${part}`));
  }
}
