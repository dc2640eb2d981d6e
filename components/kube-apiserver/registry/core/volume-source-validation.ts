import type { PersistentVolumeSpec, Volume } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain, isInRange } from '../../../../src/api/validation/content.ts';
import { invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { pathNoBacksteps, report } from '../validation.ts';
import { validateOldSource } from './old-volume-source-validation.ts';

/** Fields that a source cannot do without. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  glusterfs: ['endpoints', 'path'],
  rbd: ['monitors', 'image'],
  cinder: ['volumeID'],
  cephfs: ['monitors'],
  quobyte: ['volume'],
  flexVolume: ['driver'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  scaleIO: ['gateway', 'system', 'volumeName'],
};

const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

type Sources = Partial<
  Omit<
    Volume & PersistentVolumeSpec,
    'csi' | 'azureFile' | 'cephfs' | 'cinder' | 'flexVolume' | 'glusterfs' | 'iscsi' | 'rbd' | 'scaleIO' | 'storageos'
  >
>;

/** Sources that volumes of pods and PersistentVolumes have in common. */
export function validateSharedSource(errors: FieldError[], path: string, { source, name }: { source: object; name: string }): void {
  const given = (source as Record<string, Record<string, unknown> | undefined>)[name] ?? {};
  for (const field of REQUIRED[name] ?? []) {
    const value = given[field];
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) errors.push(required(`${path}.${field}`));
  }
  const { hostPath, nfs } = source as Sources;
  switch (name) {
    case 'hostPath':
      if (!hostPath?.path) errors.push(required(`${path}.path`));
      else pathNoBacksteps(errors, `${path}.path`, hostPath.path);
      if (hostPath?.type !== undefined && !HOST_PATH_TYPES.includes(hostPath.type))
        errors.push(notSupported(`${path}.type`, hostPath.type, HOST_PATH_TYPES));
      return;
    case 'nfs':
      if (!nfs?.server) errors.push(required(`${path}.server`));
      if (!nfs?.path) errors.push(required(`${path}.path`));
      if (!nfs?.path?.startsWith('/')) errors.push(invalid(`${path}.path`, nfs?.path ?? '', 'must be an absolute path'));
      return;
    case 'iscsi':
      iscsi(errors, path, given);
      return;
    case 'csi':
      validateDriverName(errors, `${path}.driver`, String(given.driver ?? ''));
      return;
    default:
      validateOldSource(errors, path, { name, given });
  }
}

/** kubernetes pkg/apis/core/validation validateISCSIVolumeSource */
function iscsi(errors: FieldError[], path: string, source: Readonly<Record<string, unknown>>): void {
  const iqn = String(source.iqn ?? '');
  const lun = Number(source.lun ?? 0);
  if (!source.targetPortal) errors.push(required(`${path}.targetPortal`));
  if (!iqn) errors.push(required(`${path}.iqn`));
  else if (!/^(?:iqn|eui|naa)/.test(iqn)) errors.push(invalid(`${path}.iqn`, iqn, 'must be valid format starting with iqn, eui, or naa'));
  else if (!IQN.test(iqn) && !/^(?:eui\.[0-9a-zA-Z]{16}|naa\.[0-9a-zA-Z]{32})$/.test(iqn))
    errors.push(invalid(`${path}.iqn`, iqn, 'must be valid format'));
  upTo255(errors, `${path}.lun`, lun);
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) errors.push(required(`${path}.secretRef`));
  const initiator = source.initiatorName;
  if (initiator !== undefined && !IQN.test(String(initiator)))
    errors.push(invalid(`${path}.initiatorname`, initiator, 'must be valid format'));
}

const IQN = /^iqn\.\d{4}-\d{2}\.[0-9A-Za-z.-]+(?::[^,;*&$|\s]+)$/;

function upTo255(errors: FieldError[], path: string, value: unknown): void {
  if (typeof value === 'number') report(errors, { path, value }, isInRange(value, 0, 255));
}

/** kubernetes pkg/apis/core/validation ValidateCSIDriverName */
export function validateDriverName(errors: FieldError[], path: string, driver: string): void {
  if (!driver) errors.push(required(path));
  if (driver.length > 63) errors.push({ reason: 'FieldValueTooLong', field: path, body: 'Too long: may not be more than 63 bytes' });
  report(errors, { path, value: driver }, isDNS1123Subdomain(driver.toLowerCase()));
}
