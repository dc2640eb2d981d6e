import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { ObjectMeta, OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { deletionStartsWithFinalizer, FOREGROUND_DELETION, hasFinalizer, ORPHAN_DEPENDENTS } from './finalizers.ts';
import { Node, type ObjectIdentity, ownerReferenceMatchesCoordinates, refersTo, sameIdentity } from './graph.ts';
import type { ReferenceCache } from './uid-cache.ts';

/** What the graph asks for. Queues hold UIDs. */
export interface GraphBuilderOptions {
  readonly absentOwnerCache: ReferenceCache;
  readonly attemptToDelete: (node: Node) => void;
  /** Later, as the rate limiter says. */
  readonly attemptToDeleteRateLimited: (node: Node) => void;
  readonly attemptToOrphan: (node: Node) => void;
  /** The dependent refers to an owner in another namespace. */
  readonly reportInvalidNamespaceOwnerRef: (dependent: Node, ownerUid: string) => void;
}

const NO_OWNERS: readonly OwnerReference[] = [];

/**
 * Keeps the graph of owners and dependents up to date with what watches tell, and says which objects need a look.
 * pkg/controller/garbagecollector/graph_builder.go GraphBuilder. Differs: events are taken as they arrive, without a queue between.
 */
export class GraphBuilder {
  readonly #options: GraphBuilderOptions;
  readonly #nodes = new Map<string, Node>();

  constructor(options: GraphBuilderOptions) {
    this.#options = options;
  }

  get(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** The object was seen, for the first time or changed: pkg/controller/garbagecollector/graph_builder.go processGraphChanges */
  put(object: KubernetesObject, old?: KubernetesObject): void {
    const { metadata } = object;
    const node = this.#nodes.get(metadata.uid ?? '');
    if (!node) {
      this.#insert(object, old);
      return;
    }
    if (node.virtual) this.#observe(node, object);
    this.#updateOwners(node, metadata.ownerReferences ?? NO_OWNERS);
    if (metadata.deletionTimestamp !== undefined) node.beingDeleted = true;
    this.#processTransitions(old?.metadata, metadata, node);
  }

  /** The object is gone, as its watch said. */
  delete(object: KubernetesObject): void {
    const node = this.#nodes.get(object.metadata.uid ?? '');
    if (!node) return;
    if (node.virtual) this.#observe(node, object);
    this.#remove(node, identityOf(object));
  }

  /** The API says that this object is not there: pkg/controller/garbagecollector/graph_builder.go enqueueVirtualDeleteEvent */
  deleteVirtually(identity: ObjectIdentity): void {
    const node = this.#nodes.get(identity.uid);
    if (!node) return;
    if (node.virtual ? this.#keepVirtual(node, identity) : this.#keepReal(node, identity)) return;
    this.#remove(node, identity);
  }

  #insert(object: KubernetesObject, old: KubernetesObject | undefined): void {
    const { metadata } = object;
    const node = new Node(identityOf(object), { owners: metadata.ownerReferences ?? NO_OWNERS });
    node.beingDeleted = metadata.deletionTimestamp !== undefined;
    node.deletingDependents = node.beingDeleted && hasFinalizer(metadata, FOREGROUND_DELETION);
    this.#nodes.set(node.identity.uid, node);
    this.#addDependentToOwners(node, node.owners);
    this.#processTransitions(old?.metadata, metadata, node);
  }

  /** A reference spoke of this object before a watch did. Dependents that spoke of it in other words are looked at. */
  #observe(node: Node, object: KubernetesObject): void {
    const observed = identityOf(object);
    if (!sameIdentity(observed, node.identity)) {
      for (const dependent of node.dependents) {
        if (refersTo(dependent, observed)) continue;
        if (observed.namespace && dependent.identity.namespace !== observed.namespace)
          this.#options.reportInvalidNamespaceOwnerRef(dependent, observed.uid);
        this.#options.attemptToDelete(dependent);
      }
      node.identity = observed;
    }
    node.virtual = false;
  }

  #updateOwners(node: Node, owners: readonly OwnerReference[]): void {
    const before = node.owners;
    if (before === owners || semanticDeepEqual(before, owners)) return;
    const old = new Map(before.map((owner) => [owner.uid, owner]));
    const next = new Map(owners.map((owner) => [owner.uid, owner]));
    const removed = before.filter(({ uid }) => !next.has(uid));
    this.#addUnblockedOwnersToDeleteQueue(removed);
    this.#addUnblockedOwnersToDeleteQueue(
      before.filter((owner) => owner.blockOwnerDeletion && next.get(owner.uid)?.blockOwnerDeletion !== true && next.has(owner.uid)),
    );
    node.owners = owners;
    this.#addDependentToOwners(
      node,
      owners.filter(({ uid }) => !old.has(uid)),
    );
    for (const { uid } of removed) this.#detach(uid, node);
  }

  /** pkg/controller/garbagecollector/graph_builder.go addUnblockedOwnersToDeleteQueue */
  #addUnblockedOwnersToDeleteQueue(unblocked: readonly OwnerReference[]): void {
    for (const { uid, blockOwnerDeletion } of unblocked) {
      const owner = blockOwnerDeletion ? this.#nodes.get(uid) : undefined;
      if (owner) this.#options.attemptToDelete(owner);
    }
  }

  /** pkg/controller/garbagecollector/graph_builder.go addDependentToOwners */
  #addDependentToOwners(node: Node, owners: readonly OwnerReference[]): void {
    let isDoubtful = false;
    for (const reference of owners) {
      const owner = this.#nodes.get(reference.uid);
      if (owner) {
        owner.dependents.add(node);
        isDoubtful ||= this.#isDoubtful(node, reference, owner);
        continue;
      }
      const { apiVersion, kind, name, uid } = reference;
      const virtual = new Node({ apiVersion, kind, name, uid, namespace: node.identity.namespace }, { virtual: true });
      this.#nodes.set(uid, virtual);
      virtual.dependents.add(node);
      this.#options.attemptToDelete(virtual);
    }
    if (isDoubtful) this.#options.attemptToDelete(node);
  }

  /** The reference does not fit the owner as it is known. */
  #isDoubtful(node: Node, reference: OwnerReference, owner: Node): boolean {
    const { namespace } = owner.identity;
    if (namespace && namespace !== node.identity.namespace) {
      if (!owner.virtual) this.#options.reportInvalidNamespaceOwnerRef(node, reference.uid);
      return true;
    }
    return !ownerReferenceMatchesCoordinates(reference, owner.identity);
  }

  /** pkg/controller/garbagecollector/graph_builder.go processTransitions */
  #processTransitions(old: ObjectMeta | undefined, metadata: ObjectMeta, node: Node): void {
    if (deletionStartsWithFinalizer(old, metadata, ORPHAN_DEPENDENTS)) {
      this.#options.attemptToOrphan(node);
      return;
    }
    if (!deletionStartsWithFinalizer(old, metadata, FOREGROUND_DELETION)) return;
    node.deletingDependents = true;
    for (const dependent of node.dependents) this.#options.attemptToDelete(dependent);
    this.#options.attemptToDelete(node);
  }

  /** Takes the node out; its dependents, and owners that wait for it, are looked at. */
  #remove(node: Node, identity: ObjectIdentity): void {
    this.#nodes.delete(node.identity.uid);
    for (const { uid } of node.owners) this.#detach(uid, node);
    if (node.dependents.size > 0) this.#options.absentOwnerCache.add(identity);
    for (const dependent of node.dependents) this.#options.attemptToDelete(dependent);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      if (owner?.deletingDependents) this.#options.attemptToDelete(owner);
    }
  }

  #detach(ownerUid: string, node: Node): void {
    this.#nodes.get(ownerUid)?.dependents.delete(node);
  }

  /** Whether a virtual node stays, because some dependents name another place for the object than the one where it is not. */
  #keepVirtual(node: Node, absent: ObjectIdentity): boolean {
    const others = [...node.dependents].filter((dependent) => !refersTo(dependent, absent));
    if (others.length === 0) return false;
    this.#deleteDependentsOf(node, absent);
    const alternative = sameIdentity(node.identity, absent) ? alternateOwnerIdentity(others, absent) : undefined;
    if (!alternative) return true;
    node.identity = alternative;
    this.#options.attemptToDeleteRateLimited(node);
    return true;
  }

  /** Whether a real node stays, because the object that is absent is not the one that was seen. */
  #keepReal(node: Node, absent: ObjectIdentity): boolean {
    if (sameIdentity(node.identity, absent)) return false;
    this.#deleteDependentsOf(node, absent);
    return true;
  }

  #deleteDependentsOf(node: Node, absent: ObjectIdentity): void {
    const matching = [...node.dependents].filter((dependent) => refersTo(dependent, absent));
    if (matching.length === 0) return;
    this.#options.absentOwnerCache.add(absent);
    for (const dependent of matching) this.#options.attemptToDelete(dependent);
  }
}

/** pkg/controller/garbagecollector/graph_builder.go identityFromEvent */
function identityOf({ apiVersion = '', kind = '', metadata }: KubernetesObject): ObjectIdentity {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '', uid: metadata.uid ?? '' };
}

/**
 * Another place at which dependents say that the owner is, the next one in order after the absent one, then from the start.
 * pkg/controller/garbagecollector/graph_builder.go getAlternateOwnerIdentity
 */
function alternateOwnerIdentity(dependents: readonly Node[], absent: ObjectIdentity): ObjectIdentity | undefined {
  const absentKey = orderKey(absent);
  const candidates = dependents.flatMap((dependent) => {
    const { namespace } = dependent.identity;
    return dependent.owners
      .filter(({ uid }) => uid === absent.uid)
      .map(({ apiVersion, kind, name, uid }) => ({ apiVersion, kind, name, uid, namespace }));
  });
  const sorted = candidates.filter((candidate) => orderKey(candidate) !== absentKey).sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1));
  return sorted.find((candidate) => orderKey(candidate) > absentKey) ?? sorted[0];
}

function orderKey({ namespace, kind, apiVersion, name }: ObjectIdentity): string {
  return JSON.stringify([namespace, kind, apiVersion, name]);
}
