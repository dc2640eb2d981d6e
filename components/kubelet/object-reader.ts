import type {
  ConfigMap,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
  ServiceAccountTokenProjection,
} from '../../src/api/kinds/core-v1.ts';
import type { CSIDriver, VolumeAttachment } from '../../src/api/kinds/storage-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { Resource } from '../../src/api/resource.ts';
import {
  configmaps,
  csidrivers,
  nodes,
  persistentvolumeclaims,
  persistentvolumes,
  secrets,
  volumeattachments,
} from '../../src/api/resources.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import type { Client } from '../../src/client/client.ts';
import { TokenManager } from './token-manager.ts';

interface Cached {
  readonly object: KubernetesObject;
  readonly readAt: number;
}

/** How long an object that was read is taken for current: KubeletConfiguration configMapAndSecretChangeDetectionStrategy Cache, with its default TTL. */
const TTL_MS = 60_000;

/** Objects that pods refer to, read when a pod needs them: pkg/kubelet/util/manager cache_based_manager.go. */
export class ObjectReader {
  readonly #client: Client;
  readonly #nodeName: string;
  readonly #tokens: TokenManager;
  readonly #cache = new Map<string, Cached>();
  readonly #pending = new Map<string, Promise<KubernetesObject | undefined>>();

  constructor(client: Client, nodeName: string) {
    this.#client = client;
    this.#nodeName = nodeName;
    this.#tokens = new TokenManager(client);
  }

  configMap(namespace: string, name: string): Promise<ConfigMap | undefined> {
    return this.#get(configmaps, { namespace, name });
  }

  secret(namespace: string, name: string): Promise<Secret | undefined> {
    return this.#get(secrets, { namespace, name });
  }

  persistentVolumeClaim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined> {
    return this.#read(persistentvolumeclaims, { namespace, name });
  }

  persistentVolume(name: string): Promise<PersistentVolume | undefined> {
    return this.#read(persistentvolumes, { name });
  }

  csiDriver(name: string): Promise<CSIDriver | undefined> {
    return this.#read(csidrivers, { name });
  }

  volumeAttachment(name: string): Promise<VolumeAttachment | undefined> {
    return this.#read(volumeattachments, { name });
  }

  /** The attachdetach controller has attached the volume to this node. @param volume its unique name */
  async isAttached(volume: string): Promise<boolean> {
    const node = await this.#read(nodes, { name: this.#nodeName });
    return (node?.status?.volumesAttached ?? []).some(({ name }) => name === volume);
  }

  /**
   * What stands in a projected token file. That for kube-apiserver itself is not signed: nothing in a simulated container needs it to be. One for somebody else
   * (`audience`) is real.
   */
  async serviceAccountToken(pod: Pod, projection: ServiceAccountTokenProjection): Promise<string> {
    if (projection.audience !== undefined) return this.#tokens.serviceAccountToken(pod, projection);
    return `simulated token of system:serviceaccount:${pod.metadata.namespace}:${pod.spec?.serviceAccountName ?? 'default'}\n`;
  }

  async #get<T extends KubernetesObject>(resource: Resource<T>, at: { namespace: string; name: string }): Promise<T | undefined> {
    const key = `${resource.resource}/${at.namespace}/${at.name}`;
    const { now } = this.#client.actor.simulation;
    const cached = this.#cache.get(key);
    if (cached && now - cached.readAt < TTL_MS) return cached.object as T;
    let pending = this.#pending.get(key);
    if (!pending) {
      pending = this.#read(resource, at).finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    const object = await pending;
    if (object) this.#cache.set(key, { object, readAt: now });
    else this.#cache.delete(key);
    return object as T | undefined;
  }

  async #read<T extends KubernetesObject>(resource: Resource<T>, at: { namespace?: string; name: string }): Promise<T | undefined> {
    try {
      return await this.#client.resource(resource).get(at);
    } catch (error) {
      if (error instanceof ApiStatusError && (error.reason === 'NotFound' || error.reason === 'Forbidden')) return undefined;
      throw error;
    }
  }
}
