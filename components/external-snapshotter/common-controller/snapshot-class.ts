import type { PersistentVolume } from '../../../src/api/kinds/core-v1.ts';
import { persistentvolumes } from '../../../src/api/resources.ts';
import { type VolumeSnapshot, volumesnapshots } from '../../../src/client/volume-snapshot.ts';
import { DEFAULT_CLASS } from '../names.ts';
import { messageOf, quoted, SnapshotProblem } from '../snapshot-problem.ts';
import { getClaim, getSnapshotClass, type SnapshotParts } from './parts.ts';
import { reportOnSnapshot } from './snapshot-status.ts';

/**
 * Makes sure that a snapshot has a class that is there; without one it gets the default one of its volume's driver.
 * pkg/common-controller checkAndUpdateSnapshotClass. @throws ApiStatusError, SnapshotProblem
 */
export async function checkAndUpdateSnapshotClass(parts: SnapshotParts, snapshot: VolumeSnapshot): Promise<VolumeSnapshot> {
  const { volumeSnapshotClassName: name } = snapshot.spec;
  const warn = (reason: string, what: string, error: unknown): Promise<void> => {
    const message = `${what} with error ${messageOf(error)}`;
    return reportOnSnapshot(parts, snapshot, { type: 'Warning', reason, message, notReady: false });
  };
  try {
    if (name === undefined) return await setDefaultSnapshotClass(parts, snapshot);
    getSnapshotClass(parts, name);
    return snapshot;
  } catch (error) {
    if (name === undefined) await warn('SetDefaultSnapshotClassFailed', 'Failed to set default snapshot class', error);
    else await warn('GetSnapshotClassFailed', 'Failed to get snapshot class', error);
    throw error;
  }
}

/** pkg/common-controller SetDefaultSnapshotClass: a snapshot that is there already needs none. */
async function setDefaultSnapshotClass(parts: SnapshotParts, snapshot: VolumeSnapshot): Promise<VolumeSnapshot> {
  if (snapshot.spec.source.volumeSnapshotContentName !== undefined) return snapshot;
  const { csi } = (await volumeOf(parts, snapshot)).spec ?? {};
  const { namespace = '', name = '' } = snapshot.metadata;
  if (!csi) throw new SnapshotProblem(`snapshotting non-CSI volumes is not supported, snapshot:${namespace}/${name}`);
  const defaults = parts.classLister
    .list()
    .filter(({ metadata, driver }) => driver === csi.driver && metadata.annotations?.[DEFAULT_CLASS] === 'true');
  const [first] = defaults;
  if (!first) throw new SnapshotProblem('cannot find default snapshot class');
  if (defaults.length > 1) throw new SnapshotProblem(`${defaults.length} default snapshot classes were found`);
  const patch = [{ op: 'replace', path: '/spec/volumeSnapshotClassName', value: first.metadata.name }];
  const written = await parts.client.resource(volumesnapshots).patch({ namespace, name }, patch, { type: 'json' });
  parts.snapshots.store(written);
  return written;
}

/** The volume that a snapshot is to be taken of. pkg/common-controller getVolumeFromVolumeSnapshot. @throws SnapshotProblem */
export async function volumeOf(parts: SnapshotParts, snapshot: VolumeSnapshot): Promise<PersistentVolume> {
  const claim = getClaim(parts, snapshot);
  const { name: claimName, namespace, uid } = claim.metadata;
  if (claim.status?.phase !== 'Bound')
    throw new SnapshotProblem(`the PVC ${claimName} is not yet bound to a PV, will not attempt to take a snapshot`);
  const name = claim.spec?.volumeName ?? '';
  let volume: PersistentVolume;
  try {
    volume = await parts.client.resource(persistentvolumes).get({ name });
  } catch (error) {
    throw new SnapshotProblem(`failed to retrieve PV ${name} from the API server: ${quoted(messageOf(error))}`, { cause: error });
  }
  const { claimRef } = volume.spec ?? {};
  const isBound = claimRef?.name === claimName && claimRef?.namespace === namespace && (!claimRef?.uid || claimRef.uid === uid);
  if (!isBound) throw new SnapshotProblem('claim in dataSource not bound or invalid');
  return volume;
}
