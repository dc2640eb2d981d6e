import type { ManagedFieldsEntry } from '../../../src/api/kinds/meta-v1.ts';
import { FieldSet } from '../../../src/api/structured-merge-diff/field-set.ts';
import { fromFieldsV1, toFieldsV1 } from '../../../src/api/structured-merge-diff/fields-v1.ts';
import type { ManagedSets, VersionedSet } from '../../../src/api/structured-merge-diff/managed-sets.ts';

/** Who owns which fields of an object, and since when. apimachinery pkg/util/managedfields/internal.managedStruct */
export interface Managed {
  readonly fields: ManagedSets;
  readonly times: ReadonlyMap<string, string>;
}

export const NOBODY: Managed = { fields: new Map(), times: new Map() };

/** Whom an entry is about: what tells it from the others. apimachinery pkg/util/managedfields/internal.BuildManagerIdentifier */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** Of updates only. */
  readonly apiVersion?: string;
  readonly subresource?: string;
}

/** The identity as text: the key of a manager. */
export function identityOf({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  return JSON.stringify({
    ...(manager ? { manager } : {}),
    operation,
    ...(operation === 'Update' && apiVersion ? { apiVersion } : {}),
    ...(subresource ? { subresource } : {}),
  });
}

export function readIdentity(identity: string): Partial<ManagerIdentity> {
  return JSON.parse(identity) as Partial<ManagerIdentity>;
}

/** Entries as an object has them; undefined when one of them cannot be read. apimachinery pkg/util/managedfields/internal.DecodeManagedFields */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): Managed | undefined {
  if (!entries || entries.length === 0) return NOBODY;
  const fields = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  for (const { manager = '', operation, apiVersion, subresource, fieldsType, fieldsV1, time } of entries) {
    if ((operation !== 'Apply' && operation !== 'Update') || !apiVersion || fieldsType !== 'FieldsV1') return undefined;
    const set = fromFieldsV1(fieldsV1);
    if (!set) return undefined;
    const identity = identityOf({ manager, operation, apiVersion, ...(subresource ? { subresource } : {}) });
    fields.set(identity, { set, apiVersion, applied: operation === 'Apply' });
    if (time) times.set(identity, time);
    else times.delete(identity);
  }
  return { fields, times };
}

/** The entries of an object, in their order. apimachinery pkg/util/managedfields/internal.encodeManagedFields */
export function encodeManagedFields({ fields, times }: Managed): ManagedFieldsEntry[] {
  const entries = [...fields].map(([identity, { set, apiVersion, applied }]): ManagedFieldsEntry => {
    const { manager, operation = 'Update', subresource } = readIdentity(identity);
    const time = times.get(identity);
    return {
      ...(manager ? { manager } : {}),
      operation: applied ? 'Apply' : operation,
      apiVersion,
      ...(time ? { time } : {}),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(set),
      ...(subresource ? { subresource } : {}),
    };
  });
  return entries.sort(compareEntries);
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  for (const key of ['operation', 'time', 'manager', 'apiVersion', 'subresource'] as const) {
    const [left, right] = [a[key] ?? '', b[key] ?? ''];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** Whether both say the same of who owns what, whenever it came to that. */
export function sameOwners(a: Managed, b: Managed): boolean {
  if (a === b) return true;
  if (a.fields.size !== b.fields.size) return false;
  for (const [identity, { set, apiVersion, applied }] of a.fields) {
    const other = b.fields.get(identity);
    if (!other || other.apiVersion !== apiVersion || other.applied !== applied || !other.set.equals(set)) return false;
  }
  return true;
}

/** Everything of an object that no manager is named for: names, versions, times of the system. apimachinery pkg/util/managedfields/internal.stripSet */
export const STRIPPED_FIELDS = FieldSet.ofPaths([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    (name) => ['f:metadata', `f:${name}`],
  ),
]);
