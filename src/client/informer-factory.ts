import type { KubernetesObject } from '../api/object.ts';
import { apiVersionOf, type Resource } from '../api/resource.ts';
import type { Client } from './client.ts';
import { SharedInformer } from './informer.ts';

/**
 * One informer for each resource, shared by everything in a process: client-go informers SharedInformerFactory.
 * @example const pods = factory.forResource(podResource); factory.start(); await factory.waitForCacheSync();
 */
export class SharedInformerFactory {
  readonly client: Client;
  readonly #watchList: boolean;
  readonly #namespace: string | undefined;
  readonly #informers = new Map<string, SharedInformer<KubernetesObject>>();

  /**
   * @param options.watchList get the first state by the watches themselves, as kube-controller-manager does
   * @param options.namespace of namespaced resources, only the objects in this namespace
   */
  constructor(client: Client, options: { readonly watchList?: boolean; readonly namespace?: string } = {}) {
    this.client = client;
    this.#watchList = options.watchList ?? false;
    this.#namespace = options.namespace;
  }

  /** The informer of the resource; made on first use. It begins with the next `start`. */
  forResource<T extends KubernetesObject>(resource: Resource<T>): SharedInformer<T> {
    const key = `${apiVersionOf(resource)}/${resource.resource}`;
    let informer = this.#informers.get(key);
    if (!informer) {
      const list = resource.namespaced && this.#namespace !== undefined ? { list: { namespace: this.#namespace } } : {};
      const made = new SharedInformer<T>({ client: this.client.resource(resource), watchList: this.#watchList, ...list });
      informer = made as unknown as SharedInformer<KubernetesObject>;
      this.#informers.set(key, informer);
    }
    return informer as unknown as SharedInformer<T>;
  }

  /** Starts the informers that do not run yet. */
  start(): void {
    for (const informer of this.#informers.values()) informer.start();
  }

  /** Resolves when every informer has its first list. */
  async waitForCacheSync(): Promise<void> {
    for (const informer of this.#informers.values()) await informer.waitForSync();
  }
}
