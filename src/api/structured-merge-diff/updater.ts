import { deepEqual } from '../deep-equal.ts';
import type { Comparison } from './compare.ts';
import { FieldSet } from './field-set.ts';
import { FieldConflicts, type ManagedSets, type VersionedSet } from './managed-sets.ts';
import { reconcileFieldSet } from './reconcile.ts';
import type { TypedValue } from './typed-value.ts';

/** An object in the words of another API version; undefined when that is not served. structured-merge-diff merge.Converter */
export type ConvertTyped = (value: TypedValue, apiVersion: string) => TypedValue | undefined;

export interface UpdaterOptions {
  readonly convert: ConvertTyped;
  /** Leaves out the fields that writes through this endpoint do not touch. */
  readonly filter: (set: FieldSet) => FieldSet;
  /** The schemas of built-in kinds do not. */
  readonly schemasChange: boolean;
}

/** Who writes, in which version. */
export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
}

interface Change {
  readonly live: TypedValue;
  readonly wanted: TypedValue;
}

/** Keeps account of who owns which field. structured-merge-diff merge.Updater */
export class Updater {
  readonly #convert: ConvertTyped;
  readonly #filter: (set: FieldSet) => FieldSet;

  readonly #schemasChange: boolean;

  constructor({ convert, filter, schemasChange }: UpdaterOptions) {
    this.#schemasChange = schemasChange;
    this.#convert = convert;
    this.#filter = filter;
  }

  /** The owners after an update, and what the writer has taken: what it changed, from everybody. Its own entry only loses what is gone. */
  update(
    change: Change,
    managers: ManagedSets,
    writer: Writer,
  ): { readonly managers: Map<string, VersionedSet>; readonly taken: FieldSet } {
    const { owners, comparison } = this.#settle(change, this.#reconciled(change.live, managers), { ...writer, force: true });
    const own = owners.get(writer.manager);
    if (own) {
      const set = own.set.difference(comparison.removed);
      if (set.isEmpty) owners.delete(writer.manager);
      else if (set !== own.set) owners.set(writer.manager, { ...own, set });
    }
    return { managers: owners, taken: comparison.modified.union(comparison.added) };
  }

  /**
   * The object and its owners after an apply; the object is undefined when it does not change.
   * @throws FieldConflicts
   */
  apply(
    { live, config }: { readonly live: TypedValue; readonly config: TypedValue },
    managers: ManagedSets,
    writer: Writer & { readonly force: boolean },
  ): { readonly object: TypedValue | undefined; readonly managers: ManagedSets } {
    const reconciled = new Map(this.#reconciled(live, managers));
    const last = reconciled.get(writer.manager);
    const set = this.#filter(config.toFieldSet());
    reconciled.set(writer.manager, { set, apiVersion: writer.apiVersion, applied: true });
    const wanted = this.#prune(live.merge(config), reconciled, { last, apiVersion: writer.apiVersion });
    const { owners } = this.#settle({ live, wanted }, reconciled, writer);
    // The order of lists counts, though nobody owns it.
    return { object: deepEqual(live.value, wanted.value) ? undefined : wanted, managers: owners };
  }

  /** Takes from the others what changes. structured-merge-diff merge.Updater.update */
  #settle(
    { live, wanted }: Change,
    managers: ManagedSets,
    writer: Writer & { readonly force: boolean },
  ): { owners: Map<string, VersionedSet>; comparison: Comparison } {
    const comparison = live.compare(wanted).filter(this.#filter);
    const comparisons = new Map<string, Comparison | undefined>([[writer.apiVersion, comparison]]);
    const owners = new Map(managers);
    const conflicts = new Map<string, FieldSet>();
    for (const [manager, { set, apiVersion }] of managers) {
      if (manager === writer.manager) continue;
      if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, this.#compareIn(apiVersion, { live, wanted }));
      const compared = comparisons.get(apiVersion);
      if (!compared) {
        owners.delete(manager);
        continue;
      }
      const conflict = set.intersection(compared.modified.union(compared.added));
      if (!conflict.isEmpty) conflicts.set(manager, conflict);
    }
    if (conflicts.size > 0 && !writer.force) throw new FieldConflicts(conflicts);
    for (const [manager, entry] of [...owners]) {
      if (manager === writer.manager) {
        if (entry.set.isEmpty) owners.delete(manager);
        continue;
      }
      const removed = comparisons.get(entry.apiVersion)?.removed ?? FieldSet.EMPTY;
      const set = entry.set.difference(conflicts.get(manager) ?? FieldSet.EMPTY).difference(removed);
      if (set.isEmpty) owners.delete(manager);
      else if (set !== entry.set) owners.set(manager, { ...entry, set });
    }
    return { owners, comparison };
  }

  #compareIn(apiVersion: string, { live, wanted }: Change): Comparison | undefined {
    const before = this.#convert(live, apiVersion);
    const after = this.#convert(wanted, apiVersion);
    return before && after && before.compare(after).filter(this.#filter);
  }

  /** Removes what the writer applied before, does not apply any more, and nobody else owns. structured-merge-diff merge.Updater.prune */
  #prune(
    merged: TypedValue,
    managers: ManagedSets,
    { last, apiVersion }: { last: VersionedSet | undefined; apiVersion: string },
  ): TypedValue {
    if (!last || last.set.isEmpty) return merged;
    const converted = this.#convert(merged, last.apiVersion);
    if (!converted) return merged;
    let pruned: TypedValue = converted.removeItems(last.set.ensureNamedFieldsAreMembers(converted.type));
    pruned = this.#addBackOwned(converted, { pruned, apiVersion: last.apiVersion }, managers);
    pruned = this.#addBackDangling(converted, { pruned, last });
    return this.#convert(pruned, apiVersion) ?? merged;
  }

  /** Puts back what the managers own, those of the writer's last version first. structured-merge-diff merge.Updater.addBackOwnedItems */
  #addBackOwned(merged: TypedValue, from: { pruned: TypedValue; apiVersion: string }, managers: ManagedSets): TypedValue {
    const owned = new Map<string, FieldSet>();
    for (const { set, apiVersion } of managers.values()) owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.EMPTY).union(set));
    const versions = [...owned.keys()].sort((a, b) => Number(b === from.apiVersion) - Number(a === from.apiVersion) || (a < b ? -1 : 1));
    let { pruned } = from;
    for (const version of versions) {
      const whole = this.#convert(merged, version);
      const cut = this.#convert(pruned, version);
      if (!whole || !cut) continue;
      const named = (set: FieldSet): FieldSet => set.ensureNamedFieldsAreMembers(whole.type);
      const kept = named(cut.toFieldSet()).union(named(owned.get(version) ?? FieldSet.EMPTY));
      pruned = whole.removeItems(named(whole.toFieldSet()).difference(kept));
    }
    return this.#convert(pruned, from.apiVersion) ?? pruned;
  }

  /** Puts back what only went because something below it did. structured-merge-diff merge.Updater.addBackDanglingItems */
  #addBackDangling(merged: TypedValue, { pruned, last }: { pruned: TypedValue; last: VersionedSet }): TypedValue {
    const named = (set: FieldSet): FieldSet => set.ensureNamedFieldsAreMembers(merged.type);
    const gone = named(merged.toFieldSet()).difference(named(pruned.toFieldSet()));
    return merged.removeItems(gone.intersection(named(last.set)));
  }

  /** The owners in the words of the present schemas, which can be others for custom resources. structured-merge-diff merge.Updater.reconcileManagedFieldsWithSchemaChanges */
  #reconciled(live: TypedValue, managers: ManagedSets): ManagedSets {
    return this.#schemasChange ? this.reconcile(live, managers) : managers;
  }

  /** The same, whatever the kind: for owners that a client has written. */
  reconcile(live: TypedValue, managers: ManagedSets): ManagedSets {
    const out = new Map(managers);
    for (const [manager, entry] of managers) {
      const converted = this.#convert(live, entry.apiVersion);
      if (!converted) {
        out.delete(manager);
        continue;
      }
      const set = reconcileFieldSet(entry.set, converted.type);
      if (set !== entry.set) out.set(manager, { ...entry, set });
    }
    return out;
  }
}
