import { deepEqual } from '../../../src/api/deep-equal.ts';
import { deepFreeze } from '../../../src/api/freeze.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Etcd } from '../../etcd/etcd.ts';
import type { FieldManager } from './field-manager.ts';
import { encodeManagedFields, type Managed, NOBODY, sameOwners } from './managed.ts';

/** An update whose effect on the owners has not been worked out. Objects in the form in which they are stored; no `live`: it creates. */
interface PendingUpdate {
  readonly before: FieldOwners | undefined;
  readonly live: KubernetesObject | undefined;
  readonly next: KubernetesObject;
  readonly fieldManager: FieldManager;
  readonly manager: string;
  readonly time: string;
}

/** What tells how much of the past is kept. */
type History = Pick<Etcd, 'revision' | 'compactRevision'>;

/** So many updates may be left to be worked out that nobody but their notes remembers. */
const MAX_FORGOTTEN = 32;

/**
 * Who owns which fields of one version of an object. A write only notes what it did; the entries of `metadata.managedFields` are worked out when somebody
 * reads them or applies, from the chain of notes. The notes refer to older versions of the object, which etcd keeps as well; once it forgets them,
 * the chain is cut short.
 */
export class FieldOwners {
  #managed: Managed | undefined;
  #entries: readonly ManagedFieldsEntry[] | undefined;
  #pending: PendingUpdate | undefined;
  /** How many updates are to be worked out. */
  #depth = 0;
  /** Where the first of them is in the history of the store. */
  #since = 0;

  private constructor(managed: Managed | undefined, pending: PendingUpdate | undefined) {
    this.#managed = managed;
    this.#pending = pending;
  }

  static of(managed: Managed): FieldOwners {
    return new FieldOwners(managed, undefined);
  }

  static after(update: PendingUpdate, history: History): FieldOwners {
    const owners = new FieldOwners(undefined, update);
    const { before } = update;
    if (before && before.#depth >= MAX_FORGOTTEN && before.#since < history.compactRevision) before.#settle();
    const chained = before !== undefined && before.#pending !== undefined;
    owners.#depth = chained ? before.#depth + 1 : 1;
    owners.#since = chained ? before.#since : history.revision;
    return owners;
  }

  /** Without working anything out: an update that wants the object as it is takes nothing from anybody. */
  isSurelySameAs(old: KubernetesObject): boolean {
    const pending = this.#pending;
    return pending !== undefined && pending.live === old && pending.before === ownersOf(old) && deepEqual(pending.next, old);
  }

  get managed(): Managed {
    this.workOut();
    return this.#managed ?? NOBODY;
  }

  /** Works out the owners now. @throws ConversionNeeded when other versions are needed that only a webhook can make */
  workOut(): void {
    if (this.#pending) this.#settle();
  }

  /** Works out the chain, oldest first; what older versions had is not kept, but now and then, for who looks back. */
  #settle(): void {
    const chain: FieldOwners[] = [];
    let managed = NOBODY;
    for (let owners: FieldOwners | undefined = this; owners; owners = owners.#pending?.before) {
      if (!owners.#pending) {
        managed = owners.#managed ?? NOBODY;
        break;
      }
      chain.push(owners);
    }
    for (let index = chain.length - 1; index >= 0; index--) {
      const owners = chain[index] as FieldOwners;
      managed = resultOf(owners.#pending as PendingUpdate, managed);
      if (index > 0 && index % CHECKPOINT !== 0) continue;
      owners.#managed = managed;
      owners.#pending = undefined;
      owners.#depth = 0;
    }
  }

  /** As `metadata.managedFields` has them; undefined when nobody owns anything. */
  get entries(): readonly ManagedFieldsEntry[] | undefined {
    const { managed } = this;
    if (managed.fields.size === 0) return undefined;
    this.#entries ??= deepFreeze(encodeManagedFields(managed));
    return this.#entries;
  }
}

/** Every so many versions of a long chain keep what was worked out. */
const CHECKPOINT = 64;

function resultOf({ live, next, fieldManager, manager, time }: PendingUpdate, before: Managed): Managed {
  const { types } = fieldManager;
  const update = { live: live ? types.fromStorage(live) : types.emptyObject(), next: types.fromStorage(next), manager, time };
  return fieldManager.update(update, before);
}

/** Returns what it is given, so that a subclass can add private fields to it. */
class Given {
  constructor(metadata: ObjectMeta) {
    // biome-ignore lint/correctness/noConstructorReturn: the fields of the subclass go to the object returned
    return metadata;
  }
}

/** Puts the owners of an object into its metadata, where copies, comparisons and encoders do not see them. */
class Owned extends Given {
  readonly #owners: FieldOwners;

  constructor(metadata: ObjectMeta, owners: FieldOwners) {
    super(metadata);
    this.#owners = owners;
  }

  static read(metadata: object): FieldOwners | undefined {
    return #owners in metadata ? metadata.#owners : undefined;
  }
}

/** One for all objects: V8 gives objects with the same accessor the same shape. */
const MANAGED_FIELDS: PropertyDescriptor = {
  get(this: ObjectMeta) {
    return Owned.read(this)?.entries;
  },
  enumerable: false,
  configurable: false,
};

/**
 * Lets the metadata of an object that is about to be frozen answer for its owners. `managedFields` is there for who asks for it by name; copies of the
 * metadata do not have it, as a writer that leaves it out changes nothing of it.
 */
export function attachOwners(metadata: ObjectMeta, owners: FieldOwners | undefined): void {
  if (!owners) return;
  new Owned(metadata, owners);
  Object.defineProperty(metadata, 'managedFields', MANAGED_FIELDS);
}

/** Who owns what of a stored object. */
export function ownersOf({ metadata }: KubernetesObject): FieldOwners | undefined {
  return Owned.read(metadata);
}

/** `managedFields` that a client has sent along; undefined when it has not. */
export function submittedManagedFields(metadata: ObjectMeta): readonly ManagedFieldsEntry[] | undefined {
  return Object.prototype.propertyIsEnumerable.call(metadata, 'managedFields') ? metadata.managedFields : undefined;
}

/**
 * Whether a request that leaves an object as it was changes who owns it. Times alone do not count.
 * apimachinery pkg/util/managedfields fieldmanager.IgnoreManagedFieldsTimestampsTransformer
 */
export function changesOwners({ owners }: { readonly owners: { readonly next: FieldOwners | undefined } }, old: KubernetesObject): boolean {
  const { next } = owners;
  return next !== undefined && !next.isSurelySameAs(old) && !sameOwners(next.managed, ownersOf(old)?.managed ?? NOBODY);
}

/** Metadata without what a client has sent along. */
export function withoutManagedFields({ managedFields: _, ...metadata }: ObjectMeta): ObjectMeta {
  return metadata;
}

/** An object that is answered without being stored. */
export function withOwners<T extends KubernetesObject>(object: T, owners: FieldOwners | undefined): T {
  const metadata = { ...object.metadata };
  attachOwners(metadata, owners);
  return { ...object, metadata };
}

/** What a dry run would have made of a stored object: nothing has changed who owns what. */
export function withOwnersOf<T extends KubernetesObject>(object: T, stored: T): T {
  return withOwners(object, ownersOf(stored));
}

/** The object with its managedFields as a field like any other: as it is on the wire. */
export function withVisibleManagedFields<T extends KubernetesObject>(object: T): T {
  const managedFields = object.metadata?.managedFields;
  return managedFields ? { ...object, metadata: { ...object.metadata, managedFields } } : object;
}
