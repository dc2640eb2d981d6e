import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';

/** Where an object is, and which one it is: pkg/controller/garbagecollector/graph.go objectReference */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const NONE: readonly OwnerReference[] = [];

/** An object, its owners and its dependents: pkg/controller/garbagecollector/graph.go node */
export class Node {
  identity: ObjectIdentity;
  owners: readonly OwnerReference[];
  readonly dependents = new Set<Node>();
  /** Only known from a reference of a dependent: the object may not exist, or have other coordinates. */
  virtual: boolean;
  beingDeleted = false;
  /** It is deleted in the foreground: it waits for its blocking dependents to go. */
  deletingDependents = false;

  constructor(identity: ObjectIdentity, options: { owners?: readonly OwnerReference[]; virtual?: boolean } = {}) {
    this.identity = identity;
    this.owners = options.owners ?? NONE;
    this.virtual = options.virtual ?? false;
  }

  /** Dependents whose reference says that this object must not go before them. */
  blockingDependents(): Node[] {
    const { uid } = this.identity;
    return [...this.dependents].filter(({ owners }) => owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true));
  }
}

/** pkg/controller/garbagecollector/graph.go ownerReferenceMatchesCoordinates */
export function ownerReferenceMatchesCoordinates(
  a: OwnerReference,
  b: Pick<ObjectIdentity, 'apiVersion' | 'kind' | 'name' | 'uid'>,
): boolean {
  return a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;
}

/** Whether the dependent refers to this very object, from where it can: pkg/controller/garbagecollector/graph_builder.go partitionDependents */
export function refersTo(dependent: Node, owner: ObjectIdentity): boolean {
  const namespaceFits = owner.namespace === '' || owner.namespace === dependent.identity.namespace;
  return (
    namespaceFits &&
    dependent.owners.every((reference) => reference.uid !== owner.uid || ownerReferenceMatchesCoordinates(reference, owner))
  );
}

export function sameIdentity(a: ObjectIdentity, b: ObjectIdentity): boolean {
  return a.uid === b.uid && a.name === b.name && a.namespace === b.namespace && a.kind === b.kind && a.apiVersion === b.apiVersion;
}

/** A text that is the same for the same identity. */
export function identityKey({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string {
  return `${apiVersion}|${kind}|${namespace}|${name}|${uid}`;
}
