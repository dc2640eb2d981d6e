import type { CsiController } from '../../src/api/csi.ts';
import type { PersistentVolume } from '../../src/api/kinds/core-v1.ts';
import type { VolumeAttachment } from '../../src/api/kinds/storage-v1.ts';
import { keyOf } from '../../src/api/object.ts';
import { csinodes, persistentvolumes, volumeattachments } from '../../src/api/resources.ts';
import type { SocketServer } from '../../src/api/unix-sockets.ts';
import type { Client } from '../../src/client/client.ts';
import { runWorkers } from '../../src/client/controller.ts';
import { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import { ItemExponentialFailureRateLimiter } from '../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../src/client/workqueue.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { AttachmentSync } from './attachment-sync.ts';

const NAME = 'csi-attacher';
/** `--retry-interval-start` and `--retry-interval-max` */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 300_000;
/** `--worker-threads` */
const WORKERS = 10;
const BY_VOLUME = 'persistentVolume';

export interface ExternalAttacherConfig {
  readonly driver: string;
  /** Its controller service, while it listens. */
  readonly socket: () => SocketServer<Actor, CsiController> | undefined;
}

/** The sidecar that has a driver attach volumes to nodes: github.com/kubernetes-csi/external-attacher pkg/controller CSIAttachController. */
export async function runExternalAttacher({
  actor,
  client,
  config,
}: {
  actor: Actor;
  client: Client;
  config: ExternalAttacherConfig;
}): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const attachments = informers.forResource(volumeattachments);
  const volumes = informers.forResource(persistentvolumes);
  const csiNodes = informers.forResource(csinodes).store;
  attachments.addIndexers({ [BY_VOLUME]: ({ spec }) => (spec.source.persistentVolumeName ? [spec.source.persistentVolumeName] : []) });
  const sync = new AttachmentSync({
    ...{ actor, client, config },
    attachment: (name) => attachments.store.get(name),
    volume: (name) => volumes.store.get(name),
    csiNode: (name) => csiNodes.get(name),
    attachmentsOf: (volume) => attachments.store.byIndex(BY_VOLUME, volume),
  });
  const newQueue = (): RateLimitingQueue =>
    new RateLimitingQueue({ actor, rateLimiter: new ItemExponentialFailureRateLimiter(RETRY_MS, RETRY_MAX_MS) });
  const [attachmentQueue, volumeQueue] = [newQueue(), newQueue()];
  const onAttachment = (attachment: VolumeAttachment): void => attachmentQueue.add(keyOf(attachment));
  const onVolume = (volume: PersistentVolume): void => volumeQueue.add(keyOf(volume));
  attachments.addEventHandler({
    onAdd: onAttachment,
    onUpdate: (old, attachment) => shouldEnqueue(old, attachment) && onAttachment(attachment),
    // The volume may have waited for that.
    onDelete: ({ spec }) => spec.source.persistentVolumeName && volumeQueue.add(spec.source.persistentVolumeName),
  });
  volumes.addEventHandler({ onAdd: onVolume, onUpdate: (_, volume) => onVolume(volume) });
  informers.start();
  await informers.waitForCacheSync();
  runWorkers({ actor, name: NAME, queue: attachmentQueue, workers: WORKERS, reconcile: (key) => sync.syncAttachment(key) });
  runWorkers({ actor, name: `${NAME} volumes`, queue: volumeQueue, workers: WORKERS, reconcile: (key) => sync.syncVolume(key) });
}

/** external-attacher pkg/controller shouldEnqueueVAChange: not for what the attacher itself has written. */
function shouldEnqueue(old: VolumeAttachment, attachment: VolumeAttachment): boolean {
  return old.metadata.deletionTimestamp !== attachment.metadata.deletionTimestamp || old.status?.attached !== attachment.status?.attached;
}
