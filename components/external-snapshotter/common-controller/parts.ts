import type { PersistentVolumeClaim } from '../../../src/api/kinds/core-v1.ts';
import { newNotFound } from '../../../src/api/status-error.ts';
import type { Client } from '../../../src/client/client.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { ObjectCache } from '../../../src/client/object-cache.ts';
import {
  SNAPSHOT_GROUP,
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
} from '../../../src/client/volume-snapshot.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { messageOf, quoted, SnapshotProblem } from '../snapshot-problem.ts';

/** What all of the controller works with: the informers' caches, and those that know its own writes at once. */
export interface SnapshotParts {
  readonly actor: Actor;
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly snapshotLister: Indexer<VolumeSnapshot>;
  readonly contentLister: Indexer<VolumeSnapshotContent>;
  readonly classLister: Indexer<VolumeSnapshotClass>;
  readonly claimLister: Indexer<PersistentVolumeClaim>;
  readonly snapshots: ObjectCache<VolumeSnapshot>;
  readonly contents: ObjectCache<VolumeSnapshotContent>;
  readonly enqueueSnapshot: (key: string) => void;
  readonly enqueueContent: (key: string) => void;
}

/** pkg/common-controller getSnapshotClass. @throws ApiStatusError when there is none, in the words of a lister */
export function getSnapshotClass({ classLister }: SnapshotParts, name: string): VolumeSnapshotClass {
  const found = classLister.get(name);
  if (!found) throw newNotFound({ group: SNAPSHOT_GROUP, resource: 'volumesnapshotclass' }, name);
  return found;
}

/** pkg/common-controller getClaimFromVolumeSnapshot. @throws SnapshotProblem */
export function getClaim({ claimLister }: SnapshotParts, { metadata, spec }: VolumeSnapshot): PersistentVolumeClaim {
  const name = spec.source.persistentVolumeClaimName;
  if (name === undefined) throw new SnapshotProblem('the snapshot source PVC name is not specified');
  if (!name) throw new SnapshotProblem(`the PVC name is not specified in snapshot ${metadata.namespace}/${metadata.name}`);
  const claim = claimLister.get(`${metadata.namespace}/${name}`);
  if (claim) return claim;
  const missing = newNotFound({ group: '', resource: 'persistentvolumeclaim' }, name);
  throw new SnapshotProblem(`failed to retrieve PVC ${name} from the lister: ${quoted(messageOf(missing))}`);
}
