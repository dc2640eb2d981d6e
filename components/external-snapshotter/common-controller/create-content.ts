import { isAlreadyExists } from '../../../src/api/status-error.ts';
import { getReference } from '../../../src/client/object-reference.ts';
import { type VolumeSnapshot, type VolumeSnapshotContent, volumesnapshotcontents } from '../../../src/client/volume-snapshot.ts';
import { secretReference } from '../class-parameters.ts';
import { contentNameOf, DELETION_SECRET } from '../names.ts';
import { messageOf, quoted, SnapshotProblem, updateProblem } from '../snapshot-problem.ts';
import { ensureClaimFinalizer } from './finalizers.ts';
import { getSnapshotClass, type SnapshotParts } from './parts.ts';
import { volumeOf } from './snapshot-class.ts';

/** Makes the content of a snapshot that is to be taken; the driver's sidecar goes on from there. pkg/common-controller createSnapshotContent. @throws SnapshotProblem */
export async function createSnapshotContent(parts: SnapshotParts, snapshot: VolumeSnapshot): Promise<VolumeSnapshotContent> {
  await ensureClaimFinalizer(parts, snapshot);
  const key = `${snapshot.metadata.namespace}/${snapshot.metadata.name}`;
  const content = await contentFor(parts, snapshot);
  let made = content;
  try {
    made = await parts.client.resource(volumesnapshotcontents).create(content);
  } catch (error) {
    if (!isAlreadyExists(error)) {
      const message = `Error creating volume snapshot content object for snapshot ${key}: ${messageOf(error)}.`;
      parts.recorder.event(snapshot, 'Warning', 'CreateSnapshotContentFailed', message);
      throw updateProblem(key, error);
    }
  }
  parts.recorder.event(snapshot, 'Normal', 'CreatingSnapshot', `Waiting for a snapshot ${key} to be created by the CSI driver.`);
  parts.contents.store(made);
  return made;
}

/** pkg/common-controller getCreateSnapshotInput, and the object itself. */
async function contentFor(parts: SnapshotParts, snapshot: VolumeSnapshot): Promise<VolumeSnapshotContent> {
  const { snapshotClass, volume, name, secret } = await inputFor(parts, snapshot);
  const { csi, volumeMode } = volume.spec ?? {};
  if (!csi) throw new SnapshotProblem(`cannot find CSI PersistentVolumeSource for volume ${volume.metadata.name}`);
  const annotations = secret && { [DELETION_SECRET.name]: secret.name, [DELETION_SECRET.namespace]: secret.namespace };
  return {
    metadata: { name, ...(annotations ? { annotations } : {}) },
    spec: {
      volumeSnapshotRef: getReference(snapshot),
      source: { volumeHandle: csi.volumeHandle },
      volumeSnapshotClassName: snapshotClass.metadata.name ?? '',
      deletionPolicy: snapshotClass.deletionPolicy,
      driver: snapshotClass.driver,
      ...(volumeMode ? { sourceVolumeMode: volumeMode } : {}),
    },
  };
}

async function inputFor(parts: SnapshotParts, snapshot: VolumeSnapshot) {
  const { name: snapshotName = '' } = snapshot.metadata;
  const className = snapshot.spec.volumeSnapshotClassName;
  const contentName = contentNameOf(snapshot);
  try {
    if (className === undefined) throw new SnapshotProblem(`failed to take snapshot ${snapshotName} without a snapshot class`);
    const snapshotClass = getSnapshotClass(parts, className);
    const volume = await volumeOf(parts, snapshot);
    return { snapshotClass, volume, name: contentName, secret: secretReference(snapshotClass.parameters, { contentName, snapshot }) };
  } catch (error) {
    throw new SnapshotProblem(`failed to get input parameters to create snapshot ${snapshotName}: ${quoted(messageOf(error))}`, {
      cause: error,
    });
  }
}
