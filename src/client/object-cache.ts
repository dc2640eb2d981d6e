import { type KubernetesObject, keyOf } from '../api/object.ts';
import { type IndexFunction, ObjectIndexer } from './indexer.ts';

/**
 * A cache that also knows what was written but has not come back by a watch; old versions are not taken. kube-controller-manager's volume binder and
 * external-snapshotter have one each: pkg/controller/volume/persistentvolume storeObjectUpdate, external-snapshotter pkg/utils StoreObjectUpdate
 * @example claims.store(await client.update(claim));
 */
export class ObjectCache<T extends KubernetesObject> {
  protected readonly objects: ObjectIndexer<T>;

  constructor(indexers: Readonly<Record<string, IndexFunction<T>>> = {}) {
    this.objects = new ObjectIndexer(indexers);
  }

  get(key: string): T | undefined {
    return this.objects.get(key);
  }

  delete(key: string): void {
    this.objects.delete(key);
  }

  /** Returns false when a newer version is there. */
  store(object: T): boolean {
    const known = this.objects.get(keyOf(object));
    if (known && versionOf(known) > versionOf(object)) return false;
    this.objects.put(object);
    return true;
  }
}

function versionOf({ metadata }: KubernetesObject): number {
  return Number(metadata.resourceVersion ?? 0);
}
