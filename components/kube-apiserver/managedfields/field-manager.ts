import type { KubernetesObject } from '../../../src/api/object.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import { ApiStatusError, newBadRequest } from '../../../src/api/status-error.ts';
import type { FieldSet } from '../../../src/api/structured-merge-diff/field-set.ts';
import { FieldConflicts, type ManagedSets } from '../../../src/api/structured-merge-diff/managed-sets.ts';
import type { TypedValue } from '../../../src/api/structured-merge-diff/typed-value.ts';
import { Updater } from '../../../src/api/structured-merge-diff/updater.ts';
import { ValidationErrors } from '../../../src/api/structured-merge-diff/validate.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { newApplyConflict } from './conflict-error.ts';
import { allowedByLastApplied, LAST_APPLIED_MANAGER, withLastApplied } from './last-applied.ts';
import { identityOf, type Managed, type ManagerIdentity, STRIPPED_FIELDS } from './managed.ts';
import { placeOf } from './place-of.ts';
import type { TypeConverter } from './type-converter.ts';

/** An update as the manager of fields sees it; both objects in the version of the endpoint. */
export interface FieldUpdate {
  readonly live: KubernetesObject;
  readonly next: KubernetesObject;
  readonly manager: string;
  readonly time: string;
}

export interface FieldApply {
  readonly live: KubernetesObject;
  /** The body: JSON that says what the manager wants to have. */
  readonly config: Record<string, unknown>;
  readonly manager: string;
  readonly force: boolean;
  readonly time: string;
}

export interface Applied {
  /** What the configuration makes of the live object, in the version of the endpoint, to be decoded; undefined: no field changes. */
  readonly object: unknown;
  readonly managed: Managed;
}

const MAX_IDENTITIES = 1000;

/**
 * Keeps account of who owns which fields, for one endpoint: the whole stack of managers of the real server.
 * apimachinery pkg/util/managedfields.FieldManager
 */
export class FieldManager {
  readonly #types: TypeConverter;
  readonly #subresource: string;
  readonly #gvk: { readonly group: string; readonly version: string; readonly kind: string };
  readonly #apiVersion: string;
  readonly #updater: Updater;

  constructor(options: {
    readonly types: TypeConverter;
    /** Of the objects: the resource, or `Scale`. */
    readonly kind: Pick<Resource, 'group' | 'version' | 'kind'>;
    readonly subresource: string;
    readonly filter: (set: FieldSet) => FieldSet;
  }) {
    this.#types = options.types;
    this.#subresource = options.subresource;
    this.#gvk = options.kind;
    this.#apiVersion = apiVersionOf(options.kind);
    this.#updater = new Updater({
      convert: (value, apiVersion) => options.types.convert(value, apiVersion),
      filter: options.filter,
      schemasChange: options.types.schemasChange,
    });
  }

  get types(): TypeConverter {
    return this.#types;
  }

  /** The owners after an update. An object without owners gets none by an update, unless that creates it. */
  update(update: FieldUpdate, managed: Managed): Managed {
    if (managed.fields.size === 0 && update.live.metadata.uid) return managed;
    return this.#track(update, managed);
  }

  #track({ live, next, manager, time }: FieldUpdate, managed: Managed): Managed {
    const identity = this.#identity(manager, 'Update');
    const change = { live: this.#types.trusted(live), wanted: this.#types.trusted(next) };
    const { managers, taken } = this.#updater.update(change, managed.fields, { manager: identity, apiVersion: this.#apiVersion });
    const set = taken.difference(STRIPPED_FIELDS);
    if (set.isEmpty) return capUpdateManagers({ fields: managers, times: managed.times });
    const before = managers.get(identity);
    managers.set(identity, { set: before ? before.set.union(set) : set, apiVersion: this.#apiVersion, applied: false });
    const times = managed.times.get(identity) === time ? managed.times : new Map(managed.times).set(identity, time);
    return capUpdateManagers({ fields: managers, times });
  }

  /** Owners that a client has written, as far as they can be so. */
  reconcile(live: KubernetesObject, managed: Managed): Managed {
    return { ...managed, fields: this.#updater.reconcile(this.#types.trusted(live), managed.fields) };
  }

  /**
   * What an apply makes of an object, and who owns what then.
   * @throws ApiStatusError 409 when it would change what others own and is not forced; 400 and 500 when the body is not fit to be applied
   */
  apply(apply: FieldApply, managed: Managed): Applied {
    this.#checkKind(apply.config);
    const { manager, config } = apply;
    let applied: Applied;
    try {
      applied = this.#applyOver(apply, managed);
    } catch (error) {
      if (!(error instanceof FieldConflicts)) throw error;
      const left = manager === LAST_APPLIED_MANAGER ? this.#conflictsLeft(apply, error) : error;
      if (left) throw newApplyConflict(left);
      applied = this.#applyOver({ ...apply, force: true }, managed);
    }
    if (manager !== LAST_APPLIED_MANAGER) return applied;
    const object = withLastApplied((applied.object ?? apply.live) as KubernetesObject, config);
    return object ? { ...applied, object } : applied;
  }

  /** Conflicts that the annotation of `kubectl apply` does not explain; undefined when there are none. */
  #conflictsLeft({ live }: FieldApply, error: FieldConflicts): FieldConflicts | undefined {
    const allowed = allowedByLastApplied(live, this.#apiVersion, this.#types);
    if (!allowed) return error;
    const left = new Map<string, FieldSet>();
    for (const [manager, set] of error.sets) {
      const rest = set.difference(allowed);
      if (!rest.isEmpty) left.set(manager, rest);
    }
    return left.size > 0 ? new FieldConflicts(left) : undefined;
  }

  #applyOver(apply: FieldApply, managed: Managed): Applied {
    // Applied to an object that nobody owns: what it has is somebody's, unknown whose.
    const owned =
      managed.fields.size > 0
        ? managed
        : this.#track({ live: this.#types.emptyObject(), next: apply.live, manager: 'before-first-apply', time: apply.time }, managed);
    const identity = this.#identity(apply.manager, 'Apply');
    const { object, managers } = this.#merged(apply, owned.fields, identity);
    const fields = new Map(managers);
    const own = fields.get(identity);
    const set = own?.set.difference(STRIPPED_FIELDS);
    if (own && set && !set.isEmpty) fields.set(identity, { ...own, set });
    else fields.delete(identity);
    const times = object === undefined ? owned.times : new Map(owned.times).set(identity, apply.time);
    return { object: object?.value, managed: capUpdateManagers({ fields, times }) };
  }

  /** apimachinery pkg/util/managedfields/internal.structuredMergeManager.Apply */
  #merged(
    { live, config, force }: FieldApply,
    managers: ManagedSets,
    manager: string,
  ): { object: TypedValue | undefined; managers: ManagedSets } {
    const metadata = config['metadata'] as { managedFields?: unknown } | null | undefined;
    if (metadata?.managedFields !== undefined && metadata.managedFields !== null) throw newBadRequest('metadata.managedFields must be nil');
    const configTyped = this.#typed('patch', config, () => this.#types.toTypedConfig(config));
    const liveTyped = this.#typed('live', live, () => this.#types.toTyped(live, { allowDuplicates: true }));
    return this.#updater.apply({ live: liveTyped, config: configTyped }, managers, { manager, apiVersion: this.#apiVersion, force });
  }

  /** An object that does not fit its schema is an error of the server, whoever has made it. */
  #typed(what: string, object: { readonly metadata?: unknown }, read: () => TypedValue): TypedValue {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ValidationErrors)) throw error;
      const { group, version, kind } = this.#gvk;
      const message = `failed to create typed ${what} object (${placeOf(object)}; ${group}/${version}, Kind=${kind}): ${error.message}`;
      throw new ApiStatusError({ message, code: 500 });
    }
  }

  /** apimachinery pkg/util/managedfields/internal.versionCheckManager */
  #checkKind(config: Record<string, unknown>): void {
    const { apiVersion, kind } = config;
    const [given, givenKind] = [typeof apiVersion === 'string' ? apiVersion : '', typeof kind === 'string' ? kind : ''];
    if (given === this.#apiVersion && givenKind === this.#gvk.kind) return;
    const groupVersion = given.includes('/') ? given : `/${given}`;
    throw newBadRequest(`invalid object type: ${groupVersion}, Kind=${givenKind}`);
  }

  readonly #identities = new Map<string, string>();

  #identity(manager: string, operation: ManagerIdentity['operation']): string {
    const key = `${operation} ${manager}`;
    let identity = this.#identities.get(key);
    if (identity === undefined) {
      identity = this.#newIdentity(manager, operation);
      if (this.#identities.size >= MAX_IDENTITIES) this.#identities.clear();
      this.#identities.set(key, identity);
    }
    return identity;
  }

  #newIdentity(manager: string, operation: ManagerIdentity['operation']): string {
    const subresource = this.#subresource;
    return identityOf({ manager: manager || 'unknown', operation, apiVersion: this.#apiVersion, ...(subresource ? { subresource } : {}) });
  }
}
