import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  KeyToPath,
  PodSpec,
  ProjectedVolumeSource,
  Volume,
  VolumeProjection,
} from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain, maskTrailingDash } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, required } from '../../../../src/api/validation/field.ts';
import { dnsLabel, localDescendingPath } from '../validation.ts';
import { validateClaimTemplateSpec } from './claim-validation.ts';
import { validateFieldRef, validateResourceFieldRef } from './env-validation.ts';
import { validateSharedSource } from './volume-source-validation.ts';

const MAX_MODE = 0o777;
const DOWNWARD_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** kubernetes pkg/apis/core/validation ValidateVolumes: the volumes in which nothing is wrong. Mounts can name only these. */
export function validateVolumes(
  errors: FieldError[],
  path: string,
  { spec, podName }: { spec: PodSpec; podName: string },
): readonly Volume[] {
  const { volumes } = spec;
  if (!volumes) return [];
  const names = new Set<string>();
  const sound: Volume[] = [];
  for (const [index, volume] of volumes.entries()) {
    const at = `${path}[${index}]`;
    const before = errors.length;
    validateVolumeSource(errors, at, { volume, podName });
    if (!volume.name) errors.push(required(`${at}.name`));
    else {
      dnsLabel(errors, `${at}.name`, volume.name);
      if (names.has(volume.name)) errors.push(duplicate(`${at}.name`, volume.name));
    }
    if (errors.length > before) continue;
    names.add(volume.name);
    sound.push(volume);
  }
  return sound;
}

/** kubernetes pkg/apis/core/validation validateVolumeSource: exactly one source. */
function validateVolumeSource(errors: FieldError[], path: string, { volume, podName }: { volume: Volume; podName: string }): void {
  let sources = 0;
  for (const name of SOURCE_ORDER) {
    if (volume[name] === undefined) continue;
    if (sources > 0) errors.push(forbidden(`${path}.${name}`, 'may not specify more than 1 volume type'));
    else {
      sources++;
      validateSource(errors, `${path}.${name}`, { volume, name, podName });
    }
  }
  if (sources === 0) errors.push(required(path, 'must specify a volume type'));
}

type SourceName = Exclude<keyof Volume, 'name'>;

/** The order in which the real one looks at sources decides which one counts as the second. */
const SOURCE_ORDER: readonly SourceName[] = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];

function validateSource(
  errors: FieldError[],
  path: string,
  { volume, name, podName }: { volume: Volume; name: SourceName; podName: string },
): void {
  switch (name) {
    case 'emptyDir': {
      const { sizeLimit } = volume.emptyDir ?? {};
      if (sizeLimit !== undefined && parseQuantity(sizeLimit).nano < 0n)
        errors.push(forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'));
      return;
    }
    case 'gitRepo': {
      const { repository, directory } = volume.gitRepo ?? {};
      if (!repository) errors.push(required(`${path}.repository`));
      if (directory) localDescendingPath(errors, `${path}.directory`, directory);
      return;
    }
    case 'secret':
      if (!volume.secret?.secretName) errors.push(required(`${path}.secretName`));
      modeAndItems(errors, path, volume.secret ?? {});
      return;
    case 'configMap':
      if (!volume.configMap?.name) errors.push(required(`${path}.name`));
      modeAndItems(errors, path, volume.configMap ?? {});
      return;
    case 'persistentVolumeClaim':
      if (!volume.persistentVolumeClaim?.claimName) errors.push(required(`${path}.claimName`));
      return;
    case 'downwardAPI':
      mode(errors, `${path}.defaultMode`, volume.downwardAPI?.defaultMode);
      for (const file of volume.downwardAPI?.items ?? []) downwardFile(errors, path, file);
      return;
    case 'projected':
      if (volume.projected) projected(errors, path, volume.projected);
      return;
    case 'ephemeral':
      ephemeral(errors, path, { volume, podName });
      return;
    default:
      validateSharedSource(errors, path, { source: volume, name });
  }
}

function mode(errors: FieldError[], path: string, value: number | undefined): void {
  if (value !== undefined && (value < 0 || value > MAX_MODE))
    errors.push(invalid(path, value, 'must be a number between 0 and 0777 (octal), both inclusive'));
}

function modeAndItems(
  errors: FieldError[],
  path: string,
  { defaultMode, items }: Pick<ConfigMapVolumeSource, 'defaultMode' | 'items'>,
): void {
  mode(errors, `${path}.defaultMode`, defaultMode);
  keysToPaths(errors, path, items);
}

/** kubernetes pkg/apis/core/validation validateKeyToPath */
function keysToPaths(errors: FieldError[], path: string, items: readonly KeyToPath[] | undefined): void {
  for (const [index, item] of (items ?? []).entries()) {
    const at = `${path}.items[${index}]`;
    if (!item.key) errors.push(required(`${at}.key`));
    if (!item.path) errors.push(required(`${at}.path`));
    else localNonReserved(errors, `${at}.path`, item.path);
    mode(errors, `${at}.mode`, item.mode);
  }
}

/** kubernetes pkg/apis/core/validation ValidateLocalNonReservedPath */
function localNonReserved(errors: FieldError[], path: string, value: string): void {
  localDescendingPath(errors, path, value);
  if (value.startsWith('..') && !value.startsWith('../')) errors.push(invalid(path, value, "must not start with '..'"));
}

/** kubernetes pkg/apis/core/validation validateDownwardAPIVolumeFile; the real one leaves the index out. */
function downwardFile(errors: FieldError[], path: string, file: DownwardAPIVolumeFile): void {
  if (!file.path) errors.push(required(`${path}.path`));
  else localNonReserved(errors, `${path}.path`, file.path);
  if (file.fieldRef) {
    validateFieldRef(errors, `${path}.fieldRef`, { selector: file.fieldRef, supported: DOWNWARD_FIELDS });
    if (file.resourceFieldRef) errors.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (file.resourceFieldRef)
    validateResourceFieldRef(errors, `${path}.resourceFieldRef`, { selector: file.resourceFieldRef, volume: true });
  else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  mode(errors, `${path}.mode`, file.mode);
}

/** kubernetes pkg/apis/core/validation validateProjectedVolumeSource */
function projected(errors: FieldError[], path: string, { defaultMode, sources }: ProjectedVolumeSource): void {
  mode(errors, `${path}.defaultMode`, defaultMode);
  const paths = new Set<string>();
  const claim = (files: readonly { readonly path?: string }[], source?: string): void => {
    for (const { path: file } of files) {
      if (!file) continue;
      if (paths.has(file)) errors.push(invalid(path, source ?? file, 'conflicting duplicate paths'));
      paths.add(file);
    }
  };
  for (const [index, source] of (sources ?? []).entries()) {
    const at = `${path}.sources[${index}]`;
    const kinds = (['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'] as const).filter(
      (name) => source[name] !== undefined,
    );
    if (kinds.length > 1) for (const _ of kinds.slice(1)) errors.push(forbidden(at, 'may not specify more than 1 volume type per source'));
    projectedSource(errors, { path, at, source });
    claim(source.secret?.items ?? [], source.secret?.name);
    claim(source.configMap?.items ?? [], source.configMap?.name);
    claim(source.downwardAPI?.items ?? []);
  }
}

function projectedSource(errors: FieldError[], { path, at, source }: { path: string; at: string; source: VolumeProjection }): void {
  for (const name of ['secret', 'configMap'] as const) {
    const reference = source[name];
    if (!reference) continue;
    if (!reference.name) errors.push(required(`${at}.${name}.name`));
    keysToPaths(errors, `${at}.${name}`, reference.items);
  }
  for (const file of source.downwardAPI?.items ?? []) downwardFile(errors, `${at}.downwardAPI`, file);
  const token = source.serviceAccountToken;
  if (!token) return;
  const seconds = token.expirationSeconds ?? 3600;
  if (seconds < 600)
    errors.push(invalid(`${at}.serviceAccountToken.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32)
    errors.push(invalid(`${at}.serviceAccountToken.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'));
  if (!token.path) errors.push(required(`${path}.path`));
  else localNonReserved(errors, `${path}.path`, token.path);
}

/** kubernetes pkg/apis/core/validation validateEphemeralVolumeSource and the name of the claim that comes of it. */
function ephemeral(errors: FieldError[], path: string, { volume, podName }: { volume: Volume; podName: string }): void {
  const template = volume.ephemeral?.volumeClaimTemplate;
  if (!template) errors.push(required(`${path}.volumeClaimTemplate`));
  else validateClaimTemplateSpec(errors, `${path}.volumeClaimTemplate.spec`, template.spec);
  if (!podName || !volume.name) return;
  const claim = `${podName}-${volume.name}`;
  for (const message of isDNS1123Subdomain(maskTrailingDash(claim)))
    errors.push(invalid(path.slice(0, path.lastIndexOf('.')).concat('.name'), volume.name, `PVC name "${claim}": ${message}`));
}
