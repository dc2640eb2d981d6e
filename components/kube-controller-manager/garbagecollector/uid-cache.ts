import { LruMap } from '../../../src/client/lru.ts';
import { identityKey, type ObjectIdentity } from './graph.ts';

const CAPACITY = 500;

/** Owners that are known not to exist, so that not every dependent has to ask for them: pkg/controller/garbagecollector/uid_cache.go ReferenceCache */
export class ReferenceCache {
  readonly #absent = new LruMap<true>(CAPACITY);

  add(identity: ObjectIdentity): void {
    this.#absent.set(identityKey(identity), true);
  }

  has(identity: ObjectIdentity): boolean {
    return this.#absent.get(identityKey(identity)) === true;
  }
}
