import type { CreateVolumeRequest } from '../../src/api/csi.ts';
import type { PersistentVolumeClaim, TypedObjectReference } from '../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../src/api/kinds/storage-v1.ts';
import { parseQuantity } from '../../src/api/quantity.ts';
import type { Client } from '../../src/client/client.ts';
import {
  SNAPSHOT_GROUP,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumesnapshotcontents,
  volumesnapshots,
} from '../../src/client/volume-snapshot.ts';

/** external-provisioner pkg/controller annAllowVolumeModeChange, on the content of a snapshot. */
const ALLOW_MODE_CHANGE = 'snapshot.storage.kubernetes.io/allow-volume-mode-change';

/** Why no volume can be made of what a claim names. */
class SourceProblem extends Error {
  override name = 'SourceProblem';
}

/** What a claim wants to have on its volume. */
export function dataSourceOf({ spec }: PersistentVolumeClaim): TypedObjectReference | undefined {
  return spec?.dataSource ?? spec?.dataSourceRef;
}

/** Whether another program makes the volume: a populator. */
export function isForPopulator({ kind }: TypedObjectReference): boolean {
  return kind !== 'VolumeSnapshot' && kind !== 'PersistentVolumeClaim';
}

/**
 * Finds what the driver is to make the volume of: external-provisioner pkg/controller prepareProvision, getVolumeContentSource.
 * @throws SourceProblem when it is not there, not ready, too big, or of a kind that the driver does not know
 */
export async function contentSourceOf(
  client: Client,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
): Promise<CreateVolumeRequest['volumeContentSource']> {
  const source = dataSourceOf(claim);
  if (!source) return undefined;
  const { kind, name, apiGroup = '' } = source;
  if (kind === 'PersistentVolumeClaim')
    throw new SourceProblem('CSI driver does not support clone operations: controller CLONE_VOLUME capability is not reported');
  if (apiGroup !== SNAPSHOT_GROUP)
    throw new SourceProblem(`the PVC source does not belong to the right APIGroup. Expected ${SNAPSHOT_GROUP}, Got ${apiGroup}`);
  try {
    return { snapshot: { snapshotId: await snapshotIdOf(client, { claim, storageClass, name }) } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SourceProblem(`error getting handle for DataSource Type ${kind} by Name ${name}: ${why}`, { cause: error });
  }
}

interface Wanted {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly name: string;
}

/** external-provisioner pkg/controller getSnapshotSource */
async function snapshotIdOf(client: Client, wanted: Wanted): Promise<string> {
  const { name, claim } = wanted;
  const snapshot = await found(
    client.resource(volumesnapshots).get({ namespace: claim.metadata.namespace, name }),
    (why) => `error getting snapshot ${name} from api server: ${why}`,
  );
  if (snapshot.metadata.deletionTimestamp) throw new SourceProblem(`snapshot ${name} is currently being deleted`);
  const contentName = snapshot.status?.boundVolumeSnapshotContentName;
  if (!contentName) throw new SourceProblem(`snapshot ${name} not bound`);
  const content = await found(client.resource(volumesnapshotcontents).get({ name: contentName }), () => `snapshot ${name} not bound`);
  assertUsable(snapshot, content, wanted);
  const handle = content.status?.snapshotHandle;
  if (handle === undefined) throw new SourceProblem(`snapshot handle ${name} is not available`);
  assertFits(snapshot, claim);
  assertMode(content, claim);
  return handle;
}

async function found<T>(asked: Promise<T>, describe: (why: string) => string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw new SourceProblem(describe(error instanceof Error ? error.message : String(error)), { cause: error });
  }
}

function assertUsable({ metadata, status }: VolumeSnapshot, { spec }: VolumeSnapshotContent, { name, storageClass }: Wanted): void {
  const { uid, name: named, namespace } = spec.volumeSnapshotRef;
  const isBound = uid === metadata.uid && named === metadata.name && namespace === metadata.namespace;
  if (!isBound || spec.driver !== storageClass.provisioner) throw new SourceProblem(`snapshot ${name} not bound`);
  if (!status?.readyToUse) throw new SourceProblem(`snapshot ${name} is not Ready`);
}

function assertFits({ metadata, status }: VolumeSnapshot, { spec }: PersistentVolumeClaim): void {
  if (status?.restoreSize === undefined) return;
  const size = parseQuantity(status.restoreSize).value();
  const asked = parseQuantity(spec?.resources?.requests?.['storage'] ?? '0').value();
  if (asked < size)
    throw new SourceProblem(`requested volume size ${asked} is less than the size ${size} for the source snapshot ${metadata.name}`);
}

/** Whether a file system may become a block device, or the other way: only where somebody has said so. */
function assertMode({ metadata, spec }: VolumeSnapshotContent, claim: PersistentVolumeClaim): void {
  const wanted = claim.spec?.volumeMode;
  if (spec.sourceVolumeMode === undefined || wanted === undefined || spec.sourceVolumeMode === wanted) return;
  const allowed = metadata.annotations?.[ALLOW_MODE_CHANGE];
  if (allowed === 'true') return;
  const where = `${claim.metadata.namespace}/${claim.metadata.name}`;
  const why =
    allowed === undefined
      ? `${ALLOW_MODE_CHANGE} annotation is not present on snapshotcontent ${metadata.name}`
      : `${ALLOW_MODE_CHANGE} is set to false on snapshotcontent ${metadata.name}`;
  throw new SourceProblem(`requested volume ${where} modifies the mode of the source volume but does not have permission to do so. ${why}`);
}
