import type { VersionedSet } from '../../../src/api/structured-merge-diff/managed-sets.ts';
import { identityOf, type Managed } from './managed.ts';

/** apimachinery pkg/util/managedfields/internal.DefaultMaxUpdateManagers */
const MAX_UPDATE_MANAGERS = 10;

/**
 * Keeps at most ten managers that update: what the oldest own is joined, by version, under the name `ancient-changes`.
 * apimachinery pkg/util/managedfields/internal.capManagersManager
 */
export function capUpdateManagers(managed: Managed): Managed {
  const updaters = [...managed.fields].filter(([, { applied }]) => !applied).map(([identity]) => identity);
  if (updaters.length <= MAX_UPDATE_MANAGERS) return managed;
  const fields = new Map(managed.fields);
  const times = new Map(managed.times);
  const timeOf = (identity: string): string => managed.times.get(identity) ?? '';
  updaters.sort((a, b) => (timeOf(a) === timeOf(b) ? (a < b ? -1 : 1) : timeOf(a) < timeOf(b) ? -1 : 1));
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const identity of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const entry = fields.get(identity) as VersionedSet;
    const first = firstOfVersion.get(entry.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(entry.apiVersion, identity);
      continue;
    }
    const bucket = identityOf({ manager: 'ancient-changes', operation: 'Update', apiVersion: entry.apiVersion });
    const collected = fields.get(bucket) ?? (fields.get(first) as VersionedSet);
    if (!fields.has(bucket)) fields.delete(first);
    fields.set(bucket, { ...entry, set: entry.set.union(collected.set) });
    fields.delete(identity);
    count--;
    const time = times.get(identity);
    if (time) times.set(bucket, time);
  }
  return { fields, times };
}
