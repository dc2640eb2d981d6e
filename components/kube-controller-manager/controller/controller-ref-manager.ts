import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import type { Selector } from '../../../src/api/label-selector.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { type KubernetesObject, keyOf } from '../../../src/api/object.ts';
import { isInvalid, isNotFound } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { aggregate, messageOf, SyncError } from './sync-error.ts';

export interface ControllerRefManagerOptions<T extends KubernetesObject> {
  /** The resource of what is claimed. */
  readonly client: ResourceClient<T>;
  readonly controller: KubernetesObject;
  readonly controllerRef: OwnerReference;
  readonly selector: Selector;
  /** What an object must be besides selected, e.g. have a name of a certain form. */
  readonly filter?: (object: T) => boolean;
  /** Asked once, before the first adoption; rejects when the controller must not adopt (any more). */
  readonly canAdopt: () => Promise<void>;
  /** Added with an adoption and removed with a release. */
  readonly finalizers?: readonly string[];
}

type Claim = 'claimed' | 'ignored' | 'adopt' | 'release';

/**
 * Finds out which objects belong to a controller; adopts orphans that its selector matches, releases objects that it no longer matches.
 * pkg/controller/controller_ref_manager.go BaseControllerRefManager, PodControllerRefManager, ReplicaSetControllerRefManager
 */
export class ControllerRefManager<T extends KubernetesObject> {
  readonly #options: ControllerRefManagerOptions<T>;
  #canAdopt: Promise<void> | undefined;

  constructor(options: ControllerRefManagerOptions<T>) {
    this.#options = options;
  }

  /** Tries all candidates, then fails if one of them failed: pkg/controller/controller_ref_manager.go ClaimPods */
  async claim(candidates: readonly T[]): Promise<T[]> {
    const claimed: T[] = [];
    const errors: unknown[] = [];
    for (const object of candidates) {
      const claim = this.#decide(object);
      if (claim === 'claimed') claimed.push(object);
      if (claim === 'claimed' || claim === 'ignored') continue;
      try {
        if (claim === 'adopt') {
          if (await this.#adopt(object)) claimed.push(object);
        } else await this.#release(object);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length) throw aggregate(errors);
    return claimed;
  }

  /** pkg/controller/controller_ref_manager.go ClaimObject */
  #decide(object: T): Claim {
    const { controller } = this.#options;
    const reference = getControllerOf(object);
    const isControllerDeleting = controller.metadata.deletionTimestamp !== undefined;
    if (reference) {
      if (reference.uid !== controller.metadata.uid) return 'ignored';
      if (this.#matches(object)) return 'claimed';
      return isControllerDeleting ? 'ignored' : 'release';
    }
    if (isControllerDeleting || !this.#matches(object)) return 'ignored';
    if (object.metadata.deletionTimestamp !== undefined) return 'ignored';
    return object.metadata.namespace === controller.metadata.namespace ? 'adopt' : 'ignored';
  }

  #matches(object: T): boolean {
    const { selector, filter } = this.#options;
    return selector.matches(object.metadata.labels ?? {}) && (filter === undefined || filter(object));
  }

  /** Whether the object was still there. pkg/controller/controller_ref_manager.go AdoptPod */
  async #adopt(object: T): Promise<boolean> {
    const { client, controllerRef, finalizers } = this.#options;
    this.#canAdopt ??= this.#options.canAdopt();
    try {
      await this.#canAdopt;
    } catch (error) {
      throw new SyncError(`can't adopt ${client.resource.kind} ${keyOf(object)} (${object.metadata.uid}): ${messageOf(error)}`, {
        cause: error,
      });
    }
    const patch = {
      metadata: { ownerReferences: [controllerRef], uid: object.metadata.uid, ...(finalizers?.length ? { finalizers } : {}) },
    };
    return this.#patch(object, patch, isNotFound);
  }

  /** pkg/controller/controller_ref_manager.go ReleasePod. Invalid means that the reference, or the object with this UID, has gone. */
  async #release(object: T): Promise<void> {
    const { controller, finalizers } = this.#options;
    const ownerReferences = [{ $patch: 'delete', uid: controller.metadata.uid }];
    const released = finalizers?.length ? { '$deleteFromPrimitiveList/finalizers': finalizers } : {};
    await this.#patch(
      object,
      { metadata: { uid: object.metadata.uid, ownerReferences, ...released } },
      (error) => isNotFound(error) || isInvalid(error),
    );
  }

  async #patch(object: T, patch: unknown, isGone: (error: unknown) => boolean): Promise<boolean> {
    const { namespace, name = '' } = object.metadata;
    try {
      await this.#options.client.patch({ namespace, name }, patch, { type: 'strategic' });
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }
}

/**
 * The check before an adoption: the live object must be the one that is synced, and not be deleted.
 * pkg/controller/controller_ref_manager.go RecheckDeletionTimestamp
 */
export async function recheckDeletionTimestamp<T extends KubernetesObject>(client: ResourceClient<T>, controller: T): Promise<void> {
  const { namespace, name = '', uid } = controller.metadata;
  let fresh: T;
  try {
    fresh = await client.get({ namespace, name });
  } catch (error) {
    throw new SyncError(`can't recheck DeletionTimestamp: ${messageOf(error)}`, { cause: error });
  }
  const { uid: freshUid, deletionTimestamp } = fresh.metadata;
  if (freshUid !== uid) {
    const gone = `original ${client.resource.kind} ${keyOf(controller)} is gone: got uid ${freshUid}, wanted ${uid}`;
    throw new SyncError(`can't recheck DeletionTimestamp: ${gone}`);
  }
  if (deletionTimestamp !== undefined) throw new SyncError(`${keyOf(controller)} has just been deleted at ${deletionTimestamp}`);
}
