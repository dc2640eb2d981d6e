import type { HostFiles } from '../../../src/api/cri.ts';
import type {
  ConfigMap,
  DownwardAPIVolumeFile,
  KeyToPath,
  Pod,
  Secret,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from '../../../src/api/kinds/core-v1.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { decodeBase64 } from '../base64.ts';
import { fieldValue, resourceFieldValue } from '../downward-api.ts';
import type { ObjectReader } from '../object-reader.ts';
import type { CsiVolumes } from './csi/csi-volumes.ts';
import { setUpHostPath } from './host-path.ts';
import type { SetUpResult } from './set-up-result.ts';

type Files = Record<string, string>;

class VolumeProblem extends Error {
  override name = 'VolumeProblem';
}

/** What is in the volumes of a pod: pkg/volume's plugins, as far as kubelet itself fills them. */
export class VolumeContents {
  readonly #files: HostFiles;
  readonly #objects: ObjectReader;
  readonly #csi: CsiVolumes;
  readonly #nodeAllocatable: () => Readonly<Record<string, string>>;

  constructor(parts: {
    files: HostFiles;
    objects: ObjectReader;
    csi: CsiVolumes;
    nodeAllocatable: () => Readonly<Record<string, string>>;
  }) {
    this.#files = parts.files;
    this.#objects = parts.objects;
    this.#csi = parts.csi;
    this.#nodeAllocatable = parts.nodeAllocatable;
  }

  /** @param directory where the kubelet keeps what belongs to the pod */
  async setUp(pod: Pod, volume: Volume, directory: string): Promise<SetUpResult> {
    const at = (plugin: string): string => `${directory}/volumes/kubernetes.io~${plugin}/${volume.name}`;
    try {
      if (volume.configMap) return { path: at('configmap'), files: await this.#configMap(pod, volume.configMap) };
      if (volume.secret) {
        const { secretName = '', items, optional } = volume.secret;
        return {
          path: at('secret'),
          files: await this.#secret(pod, { name: secretName, ...(items ? { items } : {}), ...(optional ? { optional } : {}) }),
        };
      }
      if (volume.projected) return { path: at('projected'), files: await this.#projected(pod, volume.projected.sources ?? []) };
      if (volume.downwardAPI) return { path: at('downward-api'), files: this.#downward(pod, volume.downwardAPI.items ?? []) };
      if (volume.hostPath) return setUpHostPath(this.#files, volume.hostPath);
      if (volume.persistentVolumeClaim) return await this.#claim(pod, volume.persistentVolumeClaim.claimName);
      if (volume.ephemeral) return await this.#claim(pod, `${pod.metadata.name}-${volume.name}`);
    } catch (error) {
      if (!(error instanceof VolumeProblem)) throw error;
      return { problem: error.message };
    }
    if (volume.nfs) return { path: `/mnt/nfs/${volume.nfs.server}${volume.nfs.path}` };
    return { path: at(volume.emptyDir ? 'empty-dir' : 'csi') };
  }

  async #claim(pod: Pod, name: string): Promise<SetUpResult> {
    const { namespace = '' } = pod.metadata;
    const claim = await this.#objects.persistentVolumeClaim(namespace, name);
    const unprocessed = (why: string): SetUpResult => ({ unprocessed: `error processing PVC ${namespace}/${name}: ${why}` });
    if (!claim) return unprocessed(`failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`);
    if (claim.metadata.deletionTimestamp) return unprocessed('PVC is being deleted');
    if (claim.status?.phase !== 'Bound' || !claim.spec?.volumeName) return unprocessed('PVC is not bound');
    const volume = await this.#objects.persistentVolume(claim.spec.volumeName);
    if (!volume) return {};
    const { hostPath, local, csi } = volume.spec ?? {};
    if (csi) return this.#csi.setUp(pod, volume);
    return { path: hostPath?.path ?? local?.path ?? `/var/lib/kubelet/plugins/kubernetes.io/volumes/${claim.spec.volumeName}` };
  }

  /** pkg/volume/projected collectData: all that is missing is told at once. */
  async #projected(pod: Pod, sources: readonly VolumeProjection[]): Promise<Files> {
    const files: Files = {};
    const problems = new Set<string>();
    for (const source of sources) {
      try {
        Object.assign(files, await this.#projection(pod, source));
      } catch (error) {
        if (!(error instanceof VolumeProblem)) throw error;
        problems.add(error.message);
      }
    }
    if (problems.size > 0) throw new VolumeProblem(problems.size === 1 ? [...problems].join() : `[${[...problems].join(', ')}]`);
    return files;
  }

  async #projection(pod: Pod, { configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection): Promise<Files> {
    if (configMap) return this.#configMap(pod, configMap);
    if (secret) return this.#secret(pod, secret);
    if (downwardAPI) return this.#downward(pod, downwardAPI.items ?? []);
    return serviceAccountToken ? { [serviceAccountToken.path]: await this.#token(pod, serviceAccountToken) } : {};
  }

  async #token(pod: Pod, projection: ServiceAccountTokenProjection): Promise<string> {
    try {
      return await this.#objects.serviceAccountToken(pod, projection);
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
      throw new VolumeProblem(`failed to fetch token: ${error.message}`);
    }
  }

  async #configMap(pod: Pod, source: { name?: string; items?: KeyToPath[]; optional?: boolean }): Promise<Files> {
    const { name = '', items, optional } = source;
    const object = await this.#objects.configMap(pod.metadata.namespace ?? '', name);
    if (!object && !optional) throw new VolumeProblem(`configmap "${name}" not found`);
    return select(configMapFiles(object), { items, optional, what: `configmap references non-existent config key: ` });
  }

  async #secret(pod: Pod, source: { name?: string; items?: KeyToPath[]; optional?: boolean }): Promise<Files> {
    const { name = '', items, optional } = source;
    const object = await this.#objects.secret(pod.metadata.namespace ?? '', name);
    if (!object && !optional) throw new VolumeProblem(`secret "${name}" not found`);
    return select(secretFiles(object), { items, optional, what: `references non-existent secret key: ` });
  }

  #downward(pod: Pod, items: readonly DownwardAPIVolumeFile[]): Files {
    const files: Files = {};
    for (const { path, fieldRef, resourceFieldRef } of items) {
      if (fieldRef) files[path] = fieldValue(pod, fieldRef.fieldPath, { podIps: [], hostIp: '', nodeName: pod.spec?.nodeName ?? '' });
      else if (resourceFieldRef) {
        const container = pod.spec?.containers.find((candidate) => candidate.name === resourceFieldRef.containerName);
        if (container) files[path] = resourceFieldValue(container, resourceFieldRef, this.#nodeAllocatable());
      }
    }
    return files;
  }
}

function configMapFiles(object: ConfigMap | undefined): Files {
  const binary = Object.entries(object?.binaryData ?? {}).map(([key, value]): [string, string] => [key, decodeBase64(value)]);
  return { ...object?.data, ...Object.fromEntries(binary) };
}

function secretFiles(object: Secret | undefined): Files {
  return Object.fromEntries(Object.entries(object?.data ?? {}).map(([key, value]) => [key, decodeBase64(value)]));
}

function select(
  all: Files,
  { items, optional, what }: { items: readonly KeyToPath[] | undefined; optional: boolean | undefined; what: string },
): Files {
  if (!items?.length) return all;
  const files: Files = {};
  for (const { key, path } of items) {
    const text = all[key];
    if (text !== undefined) files[path] = text;
    else if (!optional) throw new VolumeProblem(`${what}${key}`);
  }
  return files;
}
