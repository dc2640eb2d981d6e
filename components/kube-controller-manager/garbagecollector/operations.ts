import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { ApiStatusError, isConflict, isNotFound } from '../../../src/api/status-error.ts';
import type { Client, ResourceClient } from '../../../src/client/client.ts';
import { DEFAULT_BACKOFF, retryOnConflict } from '../../../src/client/retry.ts';
import { SyncError } from '../controller/sync-error.ts';
import { hasFinalizer } from './finalizers.ts';
import type { Node, ObjectIdentity } from './graph.ts';
import type { RestMapper } from './rest-mapper.ts';

const UNSUPPORTED_MEDIA_TYPE = 415;

/** A cluster-scoped object cannot have an owner in a namespace: pkg/controller/garbagecollector/errors.go namespacedOwnerOfClusterScopedObjectErr */
export class NamespacedOwnerOfClusterScopedObject extends SyncError {
  override name = 'NamespacedOwnerOfClusterScopedObject';
}

export type Propagation = 'Orphan' | 'Foreground' | 'Background';

/** The requests of the garbage collector, for objects of any kind: pkg/controller/garbagecollector/operations.go, patch.go */
export class Operations {
  readonly #client: Client;
  readonly #mapper: RestMapper;

  constructor(client: Client, mapper: RestMapper) {
    this.#client = client;
    this.#mapper = mapper;
  }

  /** pkg/controller/garbagecollector/operations.go getObject */
  async getObject(identity: ObjectIdentity): Promise<KubernetesObject> {
    return this.#clientOf(identity).get(identity);
  }

  /** pkg/controller/garbagecollector/operations.go deleteObject */
  async deleteObject(identity: ObjectIdentity, latest: KubernetesObject, propagationPolicy: Propagation): Promise<void> {
    const client = this.#clientOf(identity);
    const { resourceVersion, ownerReferences } = latest.metadata;
    const preconditions = { uid: identity.uid, ...(resourceVersion ? { resourceVersion } : {}) };
    try {
      await client.delete(identity, { preconditions, propagationPolicy });
    } catch (error) {
      if (!isConflict(error)) throw error;
      let live: KubernetesObject;
      try {
        live = await client.get(identity);
      } catch (liveError) {
        if (isNotFound(liveError)) return;
        throw liveError;
      }
      const sameOwners = live.metadata.uid === identity.uid && deepEqual(live.metadata.ownerReferences, ownerReferences);
      if (!sameOwners || live.metadata.resourceVersion === resourceVersion) throw error;
      // What changed does not matter for the decision.
      await client.delete(identity, { preconditions: { uid: identity.uid }, propagationPolicy });
    }
  }

  /** pkg/controller/garbagecollector/patch.go deleteOwnerRefStrategicMergePatch, deleteOwnerRefJSONMergePatch */
  async deleteOwnerReferences(node: Node, ownerUids: readonly string[]): Promise<void> {
    const ownerReferences = ownerUids.map((uid) => ({ $patch: 'delete', uid }));
    const without = (owners: readonly OwnerReference[]) => owners.filter(({ uid }) => !ownerUids.includes(uid));
    await this.#patchOwners(node, { metadata: { ownerReferences, uid: node.identity.uid } }, without);
  }

  /** pkg/controller/garbagecollector/patch.go unblockOwnerReferencesStrategicMergePatch, unblockOwnerReferencesJSONMergePatch */
  async unblockOwnerReferences(node: Node): Promise<void> {
    const unblock = (owner: OwnerReference): OwnerReference => ({ ...owner, blockOwnerDeletion: false });
    const ownerReferences = node.owners.filter((owner) => owner.blockOwnerDeletion).map(unblock);
    const unblocked = (owners: readonly OwnerReference[]) => owners.map((owner) => (owner.blockOwnerDeletion ? unblock(owner) : owner));
    await this.#patchOwners(node, { metadata: { ownerReferences, uid: node.identity.uid } }, unblocked);
  }

  /** Kinds of CRDs take no strategic merge patch; for them the whole list is sent. pkg/controller/garbagecollector/patch.go patch */
  async #patchOwners(node: Node, strategic: unknown, change: (owners: readonly OwnerReference[]) => OwnerReference[]): Promise<void> {
    const client = this.#clientOf(node.identity);
    try {
      await client.patch(node.identity, strategic, { type: 'strategic', metadataOnly: true });
      return;
    } catch (error) {
      if (!(error instanceof ApiStatusError) || error.code !== UNSUPPORTED_MEDIA_TYPE) throw error;
    }
    const live = await client.get(node.identity);
    const { resourceVersion, ownerReferences = [] } = live.metadata;
    await client.patch(
      node.identity,
      { metadata: { resourceVersion, ownerReferences: change(ownerReferences) } },
      { type: 'merge', metadataOnly: true },
    );
  }

  /** pkg/controller/garbagecollector/operations.go removeFinalizer */
  removeFinalizer(identity: ObjectIdentity, finalizer: string): Promise<void> {
    return retryOnConflict({ actor: this.#client.actor, backoff: DEFAULT_BACKOFF }, async () => {
      let object: KubernetesObject;
      try {
        object = await this.getObject(identity);
      } catch (error) {
        if (isNotFound(error)) return;
        throw error;
      }
      if (!hasFinalizer(object.metadata, finalizer)) return;
      const others = (object.metadata.finalizers ?? []).filter((other) => other !== finalizer);
      const { resourceVersion } = object.metadata;
      const patch = { metadata: { resourceVersion, finalizers: others.length ? others : null } };
      await this.#clientOf(identity).patch(identity, patch, { type: 'merge', metadataOnly: true });
    });
  }

  #clientOf(identity: ObjectIdentity): ResourceClient<KubernetesObject> {
    const resource = this.#mapper.resourceFor(identity.apiVersion, identity.kind);
    if (resource.namespaced && identity.namespace === '') {
      throw new NamespacedOwnerOfClusterScopedObject('cluster-scoped objects cannot refer to namespaced owners');
    }
    return this.#client.resource(resource);
  }
}
