import type { CsiSnapshot } from '../../../src/api/csi.ts';
import { deepEqual } from '../../../src/api/deep-equal.ts';
import { type RpcCode, RpcError } from '../../../src/api/rpc-error.ts';
import { newNotFound } from '../../../src/api/status-error.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { Client } from '../../../src/client/client.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { ObjectCache } from '../../../src/client/object-cache.ts';
import {
  SNAPSHOT_GROUP,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumesnapshotcontents,
} from '../../../src/client/volume-snapshot.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { BEING_CREATED, BEING_DELETED, CONTENT_FINALIZER } from '../names.ts';
import { isRefusal, messageOf, quoted, SnapshotProblem, updateProblem } from '../snapshot-problem.ts';
import type { CsiHandler } from './csi-handler.ts';

/** Codes after which the driver may still be at it: isCSIFinalError has all others. */
const NOT_FINAL: ReadonlySet<RpcCode> = new Set(['Canceled', 'DeadlineExceeded', 'Unavailable', 'ResourceExhausted', 'Aborted']);

export interface SidecarParts {
  readonly actor: Actor;
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly driver: string;
  readonly handler: CsiHandler;
  readonly contentLister: Indexer<VolumeSnapshotContent>;
  readonly classLister: Indexer<VolumeSnapshotClass>;
  readonly contents: ObjectCache<VolumeSnapshotContent>;
}

/** Has the driver take and delete the snapshots of contents. external-snapshotter pkg/sidecar-controller csiSnapshotSideCarController */
export class ContentSync {
  readonly #parts: SidecarParts;

  constructor(parts: SidecarParts) {
    this.#parts = parts;
  }

  /** syncContentByKey. @returns whether the content has to be looked at again later */
  async syncContentByKey(key: string): Promise<boolean> {
    const { contentLister, contents, driver } = this.#parts;
    const content = contentLister.get(key);
    if (!content) contents.delete(key);
    if (content?.spec.driver !== driver || !contents.store(content)) return false;
    return this.#syncContent(content);
  }

  async #syncContent(content: VolumeSnapshotContent): Promise<boolean> {
    const { spec, status } = content;
    if (isToBeDeleted(content)) {
      const isThere = spec.deletionPolicy === 'Delete' && status?.snapshotHandle !== undefined;
      await this.#removeFinalizer(isThere ? await this.#deleteSnapshot(content) : content);
      return false;
    }
    if (spec.source.volumeHandle !== undefined && !status)
      return this.#report(content, { reason: 'SnapshotCreationFailed', what: 'Failed to create snapshot' });
    if (status?.readyToUse) {
      await this.#setBeingCreated(content, false);
      return false;
    }
    return this.#report(content, { reason: 'SnapshotContentCheckandUpdateFailed', what: 'Failed to check and update snapshot content' });
  }

  /** createSnapshot, checkandUpdateContentStatus: what goes wrong is told of the content. */
  async #report(content: VolumeSnapshotContent, { reason, what }: { readonly reason: string; readonly what: string }): Promise<boolean> {
    const { source } = content.spec;
    try {
      const known = source.snapshotHandle === undefined ? await this.#create(content) : await this.#look(content, source.snapshotHandle);
      this.#parts.contents.store(known);
      return known.status?.readyToUse !== true;
    } catch (error) {
      const { cause } = error as Error;
      await this.#writeError(cause instanceof Failure ? cause.content : content, { reason, message: `${what}: ${messageOf(error)}` });
      throw error;
    }
  }

  /** checkandUpdateContentStatusOperation of a snapshot that somebody else has taken. */
  async #look(content: VolumeSnapshotContent, snapshotId: string): Promise<VolumeSnapshotContent> {
    const { volumeSnapshotClassName: className } = content.spec;
    if (className !== undefined && !this.#parts.classLister.get(className))
      throw new SnapshotProblem(
        `failed to get snapshot class ${className} for snapshot content ${content.metadata.name}: ${noClass(className).message}`,
      );
    return this.#writeStatus(content, { ...(await this.#parts.handler.snapshotStatus(content)), snapshotId });
  }

  /** createSnapshotWrapper: an annotation stands for as long as the driver may be taking the snapshot. */
  async #create(content: VolumeSnapshotContent): Promise<VolumeSnapshotContent> {
    const snapshotClass = this.#classOf(content);
    const asking = await this.#setBeingCreated(content, true);
    let taken: CsiSnapshot;
    try {
      taken = await this.#parts.handler.createSnapshot(asking, snapshotClass);
    } catch (error) {
      const isFinal = error instanceof RpcError && !NOT_FINAL.has(error.code);
      const left = isFinal ? await this.#setBeingCreated(asking, false) : asking;
      const why = `failed to take snapshot of the volume ${content.spec.source.volumeHandle}: ${quoted(messageOf(error))}`;
      throw new SnapshotProblem(why, { cause: new Failure(left) });
    }
    return this.#setBeingCreated(await this.#writeStatus(asking, taken), false);
  }

  /** getCSISnapshotInput */
  #classOf({ metadata, spec }: VolumeSnapshotContent): VolumeSnapshotClass {
    const className = spec.volumeSnapshotClassName;
    const found = className === undefined ? undefined : this.#parts.classLister.get(className);
    if (found) return found;
    const why = className === undefined ? `failed to take snapshot ${metadata.name} without a snapshot class` : noClass(className).message;
    throw new SnapshotProblem(`failed to get input parameters to create snapshot for content ${metadata.name}: ${quoted(why)}`);
  }

  /** deleteCSISnapshotOperation: the content shows that the snapshot is gone, before it may go itself. */
  async #deleteSnapshot(content: VolumeSnapshotContent): Promise<VolumeSnapshotContent> {
    const { client, handler, recorder } = this.#parts;
    const { name = '' } = content.metadata;
    const warn = (message: string): void => recorder.event(content, 'Warning', 'SnapshotDeleteError', message);
    try {
      await handler.deleteSnapshot(content);
    } catch (error) {
      warn(error instanceof SnapshotProblem ? 'Failed to get snapshot credentials' : 'Failed to delete snapshot');
      throw new SnapshotProblem(`failed to delete snapshot ${quoted(name)}, err: ${messageOf(error)}`);
    }
    const contents = client.resource(volumesnapshotcontents);
    try {
      const live = await contents.get({ name });
      const { error } = live.status ?? {};
      return await contents.updateStatus({ ...live, status: error ? { error } : {} });
    } catch (error) {
      warn('Failed to clear content status');
      throw updateProblem(name, error);
    }
  }

  /** updateSnapshotContentStatus: what is known already stays. */
  async #writeStatus({ metadata }: VolumeSnapshotContent, snapshot: CsiSnapshot): Promise<VolumeSnapshotContent> {
    const { name = '' } = metadata;
    const contents = this.#parts.client.resource(volumesnapshotcontents);
    const content = await contents.get({ name });
    const { error, ...known } = content.status ?? {};
    const size = Number(snapshot.sizeBytes);
    const isOver = snapshot.readyToUse && known.readyToUse !== true;
    const status = {
      snapshotHandle: snapshot.snapshotId,
      creationTime: snapshot.creationTime * 1e6,
      ...(size > 0 ? { restoreSize: size } : {}),
      ...known,
      readyToUse: snapshot.readyToUse,
      ...(error && !isOver ? { error } : {}),
    };
    if (deepEqual(status, content.status)) return content;
    try {
      return await contents.patch({ name }, [{ op: 'replace', path: '/status', value: status }], { type: 'json', subresource: 'status' });
    } catch (error) {
      const why = updateProblem(name, error).message;
      throw new SnapshotProblem(`error updating status for volume snapshot content ${name}: ${why}`, { cause: error });
    }
  }

  /** updateContentErrorStatusWithEvent: the same error is not told again. */
  async #writeError(
    content: VolumeSnapshotContent,
    { reason, message }: { readonly reason: string; readonly message: string },
  ): Promise<void> {
    if (content.status?.error?.message === message) return;
    const { actor, client, contents, recorder } = this.#parts;
    const error = { time: formatTime(actor.simulation.wallTime), message };
    const patch = content.status
      ? [
          { op: 'replace', path: '/status/error', value: error },
          { op: 'replace', path: '/status/readyToUse', value: false },
        ]
      : [{ op: 'replace', path: '/status', value: { readyToUse: false, error } }];
    recorder.event(content, 'Warning', reason, message);
    try {
      const at = { name: content.metadata.name ?? '' };
      contents.store(await client.resource(volumesnapshotcontents).patch(at, patch, { type: 'json', subresource: 'status' }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  /** setAnnVolumeSnapshotBeingCreated, removeAnnVolumeSnapshotBeingCreated */
  async #setBeingCreated(content: VolumeSnapshotContent, wanted: boolean): Promise<VolumeSnapshotContent> {
    const { name = '', annotations = {} } = content.metadata;
    if ((annotations[BEING_CREATED] !== undefined) === wanted) return content;
    const step = wanted
      ? { op: 'replace', path: '/metadata/annotations', value: { ...annotations, [BEING_CREATED]: 'yes' } }
      : { op: 'remove', path: `/metadata/annotations/${BEING_CREATED.replace('/', '~1')}` };
    return this.#patch(name, step);
  }

  async #removeFinalizer({ metadata: { name = '', finalizers = [] } }: VolumeSnapshotContent): Promise<void> {
    if (!finalizers.includes(CONTENT_FINALIZER)) return;
    const value = finalizers.filter((finalizer) => finalizer !== CONTENT_FINALIZER);
    await this.#patch(name, { op: 'replace', path: '/metadata/finalizers', value });
  }

  async #patch(name: string, step: object): Promise<VolumeSnapshotContent> {
    try {
      const written = await this.#parts.client.resource(volumesnapshotcontents).patch({ name }, [step], { type: 'json' });
      this.#parts.contents.store(written);
      return written;
    } catch (error) {
      throw updateProblem(name, error);
    }
  }
}

/** As it was when the driver refused. */
class Failure extends Error {
  override name = 'Failure';
  readonly content: VolumeSnapshotContent;

  constructor(content: VolumeSnapshotContent) {
    super();
    this.content = content;
  }
}

/** shouldDelete: not while the driver may be taking the snapshot, and not before its VolumeSnapshot goes. */
function isToBeDeleted({ metadata, spec }: VolumeSnapshotContent): boolean {
  if (!metadata.deletionTimestamp) return false;
  if (spec.source.snapshotHandle !== undefined && !spec.volumeSnapshotRef.uid) return true;
  return metadata.annotations?.[BEING_CREATED] === undefined && metadata.annotations?.[BEING_DELETED] !== undefined;
}

function noClass(name: string): Error {
  return newNotFound({ group: SNAPSHOT_GROUP, resource: 'volumesnapshotclass' }, name);
}
