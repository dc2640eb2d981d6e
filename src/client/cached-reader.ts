import type { KubernetesObject, NamespacedName } from '../api/object.ts';
import { keyOf } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import type { SharedInformer } from './informer.ts';
import type { SharedInformerFactory } from './informer-factory.ts';

/** Which objects of a resource to list. */
export interface CachedListOptions {
  /** All namespaces if absent. */
  readonly namespace?: string;
  /** Only objects that carry all of these. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Reads from caches that follow the API; the first read of a resource waits until its cache is filled. What it shows may be older than the API's state, as with
 * any informer. controller-runtime's cache-backed client.Reader.
 * @example const deployment = await reader.get(deployments, { namespace: 'default', name: 'web' });
 */
export class CachedReader {
  readonly #informers: SharedInformerFactory;

  constructor(informers: SharedInformerFactory) {
    this.#informers = informers;
  }

  /** The object, or undefined when there is none. */
  async get<T extends KubernetesObject>(resource: Resource<T>, at: NamespacedName): Promise<T | undefined> {
    const informer = await this.#synced(resource);
    return informer.store.get(keyOf(at));
  }

  async list<T extends KubernetesObject>(resource: Resource<T>, options: CachedListOptions = {}): Promise<readonly T[]> {
    const { store } = await this.#synced(resource);
    const objects = options.namespace === undefined ? store.list() : store.listNamespace(options.namespace);
    const labels = Object.entries(options.labels ?? {});
    if (labels.length === 0) return objects;
    return objects.filter(({ metadata }) => labels.every(([key, value]) => metadata.labels?.[key] === value));
  }

  /** The objects that `owner` controls. */
  async listControlledBy<T extends KubernetesObject>(resource: Resource<T>, owner: KubernetesObject): Promise<readonly T[]> {
    const { namespace, uid } = owner.metadata;
    const objects = await this.list(resource, namespace ? { namespace } : {});
    return objects.filter(({ metadata }) => metadata.ownerReferences?.some((reference) => reference.controller && reference.uid === uid));
  }

  async #synced<T extends KubernetesObject>(resource: Resource<T>): Promise<SharedInformer<T>> {
    const informer = this.#informers.forResource(resource);
    informer.start();
    await informer.waitForSync();
    return informer;
  }
}
