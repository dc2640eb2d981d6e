import { deepEqual } from '../../../src/api/deep-equal.ts';
import { newQuantity, parseQuantity } from '../../../src/api/quantity.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { EventType } from '../../../src/client/event-recorder.ts';
import { type VolumeSnapshot, type VolumeSnapshotContent, volumesnapshots } from '../../../src/client/volume-snapshot.ts';
import { isReady } from '../names.ts';
import { isRefusal, messageOf, SnapshotProblem, updateProblem } from '../snapshot-problem.ts';
import type { SnapshotParts } from './parts.ts';

type Status = NonNullable<VolumeSnapshot['status']>;

/** What the user is told of a snapshot: once, until something else is the matter. */
export interface SnapshotReport {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  /** Whether it cannot be used any more. */
  readonly notReady: boolean;
}

/** Writes what its content says into the status of a snapshot. pkg/common-controller updateSnapshotStatus. @throws SnapshotProblem */
export async function updateSnapshotStatus(
  parts: SnapshotParts,
  { metadata }: VolumeSnapshot,
  content: VolumeSnapshotContent,
): Promise<VolumeSnapshot> {
  const key = `${metadata.namespace}/${metadata.name}`;
  const snapshot = await liveSnapshot(parts, metadata);
  const status = snapshot.status ? mergedStatus(snapshot.status, content) : firstStatus(content);
  if (deepEqual(status, snapshot.status)) return snapshot;
  const changed = { ...snapshot, status };
  if (!snapshot.status?.creationTime && status.creationTime)
    parts.recorder.event(snapshot, 'Normal', 'SnapshotCreated', `Snapshot ${key} was successfully created by the CSI driver.`);
  if (!isReady(snapshot) && isReady(changed)) parts.recorder.event(snapshot, 'Normal', 'SnapshotReady', `Snapshot ${key} is ready to use.`);
  try {
    return await parts.client.resource(volumesnapshots).updateStatus(changed);
  } catch (error) {
    throw updateProblem(key, error);
  }
}

/** It may have been deleted and made anew since. */
async function liveSnapshot({ client }: SnapshotParts, { namespace = '', name = '' }: VolumeSnapshot['metadata']): Promise<VolumeSnapshot> {
  try {
    return await client.resource(volumesnapshots).get({ namespace, name });
  } catch (error) {
    throw new SnapshotProblem(`error get snapshot ${namespace}/${name} from api server: ${messageOf(error)}`, { cause: error });
  }
}

/** What a snapshot without a status gets. */
function firstStatus(content: VolumeSnapshotContent): Status {
  const { creationTime, restoreSize, error } = told(content);
  return {
    boundVolumeSnapshotContentName: content.metadata.name ?? '',
    readyToUse: content.status?.readyToUse ?? false,
    ...(creationTime === undefined ? {} : { creationTime }),
    ...(restoreSize === undefined ? {} : { restoreSize }),
    ...(error ? { error } : {}),
  };
}

/** What is known already stays, except readiness and errors. */
function mergedStatus(status: Status, content: VolumeSnapshotContent): Status {
  const first = firstStatus(content);
  const { error, ...rest } = { ...first, ...status, readyToUse: first.readyToUse ?? false };
  const isUnknown = rest.restoreSize === undefined || parseQuantity(rest.restoreSize).value() === 0;
  const sized = isUnknown && first.restoreSize !== undefined ? { ...rest, restoreSize: first.restoreSize } : rest;
  return first.error ? { ...sized, error: first.error } : sized;
}

function told({ status = {} }: VolumeSnapshotContent): Pick<Status, 'creationTime' | 'restoreSize' | 'error'> {
  const { creationTime, restoreSize, error } = status;
  return {
    ...(creationTime === undefined ? {} : { creationTime: formatTime(creationTime / 1e6) }),
    ...(restoreSize === undefined ? {} : { restoreSize: newQuantity(restoreSize, 'BinarySI').toString() }),
    ...(error ? { error } : {}),
  };
}

/** Tells of an error in the status and by an event; the same one is not told again. pkg/common-controller updateSnapshotErrorStatusWithEvent */
export async function reportOnSnapshot(
  { actor, client, recorder, snapshots }: SnapshotParts,
  snapshot: VolumeSnapshot,
  { type, reason, message, notReady }: SnapshotReport,
): Promise<void> {
  if (snapshot.status?.error?.message === message) return;
  const error = { time: formatTime(actor.simulation.wallTime), message };
  const status = { ...snapshot.status, error, ...(notReady ? { readyToUse: false } : {}) };
  const written = await unlessRefused(client.resource(volumesnapshots).updateStatus({ ...snapshot, status }));
  // It is told even if it cannot be written.
  recorder.event(written ?? snapshot, type, reason, message);
  if (written) snapshots.store(written);
}

async function unlessRefused<T>(written: Promise<T>): Promise<T | undefined> {
  try {
    return await written;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** Whether a content has news for its snapshot. pkg/common-controller needsUpdateSnapshotStatus */
export function hasNews({ status: content }: VolumeSnapshotContent, { status }: VolumeSnapshot): boolean {
  if (!content) return false;
  if (!status?.boundVolumeSnapshotContentName) return true;
  const isUnsized = status.restoreSize === undefined || parseQuantity(status.restoreSize).value() === 0;
  return (
    (status.creationTime === undefined && content.creationTime !== undefined) ||
    // Upstream compares where the values are, not what they are; thus errors get through.
    content.readyToUse !== undefined ||
    (isUnsized && (content.restoreSize ?? 0) > 0)
  );
}
