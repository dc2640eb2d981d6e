// Sources that drivers outside of the tree have taken over: the API still knows them, and their rules.
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label, isInRange } from '../../../../src/api/validation/content.ts';
import { invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { oneOf, report } from '../validation.ts';

type Source = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What these sources must hold beyond the fields that are required. */
export function validateOldSource(errors: FieldError[], path: string, { name, given }: { name: string; given: Source }): void {
  switch (name) {
    case 'gcePersistentDisk':
    case 'awsElasticBlockStore':
      upTo255(errors, `${path}.partition`, given.partition);
      return;
    case 'flocker':
      flocker(errors, path, given);
      return;
    case 'quobyte':
      quobyte(errors, path, given);
      return;
    case 'fc':
      fibreChannel(errors, path, given);
      return;
    case 'flexVolume':
      flexVolume(errors, path, given);
      return;
    case 'azureDisk':
      azureDisk(errors, path, given);
      return;
    case 'storageos':
      storageOS(errors, path, given);
      return;
  }
}

function upTo255(errors: FieldError[], path: string, value: unknown): void {
  if (typeof value === 'number') report(errors, { path, value }, isInRange(value, 0, 255));
}

/** kubernetes pkg/apis/core/validation validateFlockerVolumeSource */
function flocker(errors: FieldError[], path: string, { datasetName, datasetUUID }: Source): void {
  if (!datasetName && !datasetUUID) errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (datasetName && datasetUUID) errors.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  if (text(datasetName).includes('/')) errors.push(invalid(`${path}.datasetName`, datasetName, "must not contain '/'"));
}

/** kubernetes pkg/apis/core/validation validateQuobyteVolumeSource */
function quobyte(errors: FieldError[], path: string, source: Source): void {
  const form = 'must be a host:port pair or multiple pairs separated by commas';
  const registry = text(source.registry);
  if (!registry) errors.push(required(`${path}.registry`, form));
  else if (text(source.tenant).length > 64)
    errors.push(required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  else
    for (const pair of registry.split(','))
      if (!/^(?:[^:]*|\[.*\]):[^:]*$/.test(pair)) errors.push(invalid(`${path}.registry`, registry, form));
}

/** kubernetes pkg/apis/core/validation validateFCVolumeSource */
function fibreChannel(errors: FieldError[], path: string, source: Source): void {
  const names = list(source.targetWWNs);
  const ids = list(source.wwids);
  const at = `${path}.targetWWNs`;
  if (names.length === 0 && ids.length === 0) errors.push(required(at, 'must specify either targetWWNs or wwids, but not both'));
  if (names.length > 0 && ids.length > 0) errors.push(invalid(at, names, 'targetWWNs and wwids can not be specified simultaneously'));
  if (names.length === 0) return;
  if (source.lun === undefined) errors.push(required(`${path}.lun`, 'lun is required if targetWWNs is specified'));
  else upTo255(errors, `${path}.lun`, source.lun);
}

/** kubernetes pkg/apis/core/validation validateFlexVolumeSource: options of the user's own, none of the project's names. */
function flexVolume(errors: FieldError[], path: string, { options }: Source): void {
  for (const key of Object.keys((options ?? {}) as object)) {
    const namespace = `.${(key.split('/', 2)[0] ?? '').toLowerCase()}`;
    if (namespace.endsWith('.kubernetes.io') || namespace.endsWith('.k8s.io'))
      errors.push(invalid(`${path}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'));
  }
}

const MANAGED_URI = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** kubernetes pkg/apis/core/validation validateAzureDisk */
function azureDisk(errors: FieldError[], path: string, source: Source): void {
  const kind = source.kind === undefined ? undefined : text(source.kind);
  const uri = text(source.diskURI);
  if (source.cachingMode !== undefined)
    oneOf(errors, { path: `${path}.cachingMode`, value: text(source.cachingMode) }, ['None', 'ReadOnly', 'ReadWrite']);
  oneOf(errors, { path: `${path}.kind`, value: kind }, ['Dedicated', 'Managed', 'Shared']);
  if (kind === 'Managed' && !uri.startsWith('/subscriptions/')) errors.push(notSupported(`${path}.diskURI`, uri, [MANAGED_URI]));
  if (kind !== undefined && kind !== 'Managed' && !uri.startsWith('https://'))
    errors.push(notSupported(`${path}.diskURI`, uri, [BLOB_URI]));
}

/** kubernetes pkg/apis/core/validation validateStorageOSVolumeSource */
function storageOS(errors: FieldError[], path: string, source: Source): void {
  const { volumeName, volumeNamespace, secretRef } = source;
  if (!volumeName) errors.push(required(`${path}.volumeName`));
  else report(errors, { path: `${path}.volumeName`, value: volumeName }, isDNS1123Label(text(volumeName)));
  if (volumeNamespace) report(errors, { path: `${path}.volumeNamespace`, value: volumeNamespace }, isDNS1123Label(text(volumeNamespace)));
  if (secretRef && !(secretRef as { name?: string }).name) errors.push(required(`${path}.secretRef.name`));
}
