import { FieldSet } from '../../../src/api/structured-merge-diff/field-set.ts';
import type { VersionedSet } from '../../../src/api/structured-merge-diff/managed-sets.ts';
import type { Path } from '../../../src/api/structured-merge-diff/path-element.ts';
import { decodeManagedFields, encodeManagedFields, type Managed, NOBODY } from './managed.ts';

const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS_IN_SCALE: Path = ['f:spec', 'f:replicas'];

/** Where the replicas of an object are, in each version of its kind; undefined: the version is not known. */
export type ReplicasPaths = (apiVersion: string) => Path | undefined;

/** Who owns the replicas of an object, as its Scale says it. apimachinery pkg/util/managedfields.ScaleHandler.ToSubresource */
export function ownersOfScale(parent: Managed, replicasPath: ReplicasPaths): Managed {
  const fields = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  for (const [identity, { set, apiVersion, applied }] of parent.fields) {
    const path = replicasPath(apiVersion);
    if (!path || !set.has(path)) continue;
    fields.set(identity, { set: FieldSet.ofPaths([REPLICAS_IN_SCALE]), apiVersion: SCALE_VERSION, applied });
    const time = parent.times.get(identity);
    if (time) times.set(identity, time);
  }
  return reread({ fields, times });
}

/**
 * The owners of an object after its Scale was written. Who is new among the owners of the replicas has no time.
 * apimachinery pkg/util/managedfields.ScaleHandler.ToParent
 */
export function ownersOfScaled(
  parent: Managed,
  scale: Managed,
  { replicasPath, apiVersion }: { readonly replicasPath: ReplicasPaths; readonly apiVersion: string },
): Managed {
  const fields = new Map<string, VersionedSet>();
  const scaleFields = new Map(reread(scale).fields);
  for (const [identity, entry] of parent.fields) {
    const path = replicasPath(entry.apiVersion);
    if (!path) continue;
    if (!entry.set.has(path)) fields.set(identity, entry);
    else if (scaleFields.delete(identity)) fields.set(identity, entry);
    else {
      const set = entry.set.difference(FieldSet.ofPaths([path]));
      if (!set.isEmpty) fields.set(identity, { ...entry, set });
    }
  }
  const path = replicasPath(apiVersion);
  for (const [identity, { set, applied }] of scaleFields) {
    if (path && set.has(REPLICAS_IN_SCALE)) fields.set(identity, { set: FieldSet.ofPaths([path]), apiVersion, applied });
  }
  return reread({ fields, times: parent.times });
}

/** As it is after having been written into an object: identities name the version that the entries have there. */
function reread(managed: Managed): Managed {
  return decodeManagedFields(encodeManagedFields(managed)) ?? NOBODY;
}
