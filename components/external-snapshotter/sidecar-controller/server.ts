import type { CsiController } from '../../../src/api/csi.ts';
import { deepEqual } from '../../../src/api/deep-equal.ts';
import { keyOf } from '../../../src/api/object.ts';
import type { SocketServer } from '../../../src/api/unix-sockets.ts';
import type { Client } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { EventHandler } from '../../../src/client/informer.ts';
import { SharedInformerFactory } from '../../../src/client/informer-factory.ts';
import { ObjectCache } from '../../../src/client/object-cache.ts';
import { ItemExponentialFailureRateLimiter } from '../../../src/client/rate-limiters.ts';
import { type VolumeSnapshotContent, volumesnapshotclasses, volumesnapshotcontents } from '../../../src/client/volume-snapshot.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { BEING_CREATED } from '../names.ts';
import { ContentSync } from './content-sync.ts';
import { CsiHandler } from './csi-handler.ts';

const NAME = 'csi-snapshotter';
/** `--retry-interval-start` and `--retry-interval-max` */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 300_000;
/** `--worker-threads` */
const WORKERS = 10;
/** `--resync-period` */
const RESYNC_MS = 15 * 60_000;

export interface CsiSnapshotterConfig {
  readonly driver: string;
  /** Its controller service, while it listens. */
  readonly socket: () => SocketServer<Actor, CsiController> | undefined;
}

/** The sidecar that has a driver take and delete snapshots: github.com/kubernetes-csi/external-snapshotter cmd/csi-snapshotter */
export async function runCsiSnapshotter({
  actor,
  client,
  config,
}: {
  actor: Actor;
  client: Client;
  config: CsiSnapshotterConfig;
}): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const contents = informers.forResource(volumesnapshotcontents);
  const { driver, socket } = config;
  const sync = new ContentSync({
    ...{ actor, client, driver },
    recorder: new EventRecorder({ client, component: `${NAME} ${driver}` }),
    handler: new CsiHandler({ actor, client, socket }),
    contentLister: contents.store,
    classLister: informers.forResource(volumesnapshotclasses).store,
    contents: new ObjectCache<VolumeSnapshotContent>(),
  });
  const queue = new RateLimitingQueue({ actor, rateLimiter: new ItemExponentialFailureRateLimiter(RETRY_MS, RETRY_MAX_MS) });
  const handler: EventHandler<VolumeSnapshotContent> = {
    onAdd: (content) => queue.add(keyOf(content)),
    onUpdate: (old, content) => isForMe(old, content) && queue.add(keyOf(content)),
    onDelete: (content) => queue.add(keyOf(content)),
  };
  contents.addEventHandler(handler, { resyncMs: RESYNC_MS });
  informers.start();
  await informers.waitForCacheSync();
  const reconcile = async (key: string): Promise<void> => {
    if (await sync.syncContentByKey(key)) throw new NotReadyYet(`${key} is not ready yet`);
  };
  runWorkers({ actor, name: NAME, queue, workers: WORKERS, reconcile });
}

/** It is looked at again, as after a failure. */
class NotReadyYet extends Error {
  override name = 'NotReadyYet';
}

/** Not for what the sidecar itself has written: pkg/utils ShouldEnqueueContentChange */
function isForMe(old: VolumeSnapshotContent, content: VolumeSnapshotContent): boolean {
  return old === content || !deepEqual(withoutOwn(old), withoutOwn(content));
}

function withoutOwn({ metadata, spec }: VolumeSnapshotContent): object {
  const { resourceVersion: _, generation: __, managedFields: ___, annotations: all = {}, ...rest } = metadata;
  const { [BEING_CREATED]: ____, ...annotations } = all;
  return { rest, annotations, spec };
}
