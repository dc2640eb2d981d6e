import type { KubernetesObject } from '../../../../src/api/object.ts';
import { keyOf } from '../../../../src/api/object.ts';
import type { Lister } from '../../framework/listers.ts';

/** A cache and, ahead of it, what the scheduler is about to write: pkg/scheduler/util/assumecache AssumeCache. */
export class AssumeCache<T extends KubernetesObject> {
  readonly #lister: Lister<T>;
  /** With the version that each was made from: any other version in the cache takes its place. */
  readonly #assumed = new Map<string, { readonly object: T; readonly from: string | undefined }>();

  constructor(lister: Lister<T>) {
    this.#lister = lister;
  }

  get(key: string): T | undefined {
    return this.#newer(key, this.#lister.get(key));
  }

  /** As the API has it. */
  getAPIObject(key: string): T | undefined {
    return this.#lister.get(key);
  }

  list(): readonly T[] {
    const all = this.#lister.list();
    return this.#assumed.size === 0 ? all : all.flatMap((object) => this.#newer(keyOf(object), object) ?? []);
  }

  assume(object: T): void {
    const key = keyOf(object);
    this.#assumed.set(key, { object, from: this.#lister.get(key)?.metadata.resourceVersion });
  }

  restore(key: string): void {
    this.#assumed.delete(key);
  }

  #newer(key: string, cached: T | undefined): T | undefined {
    const assumed = this.#assumed.get(key);
    if (!assumed) return cached;
    if (cached && cached.metadata.resourceVersion === assumed.from) return assumed.object;
    this.#assumed.delete(key);
    return cached;
  }
}
