import { keyOf } from '../../../src/api/object.ts';
import { persistentvolumeclaims } from '../../../src/api/resources.ts';
import type { Client } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { EventRecorder } from '../../../src/client/event-recorder.ts';
import { SharedInformerFactory } from '../../../src/client/informer-factory.ts';
import { LeaderElector } from '../../../src/client/leader-election.ts';
import { ObjectCache } from '../../../src/client/object-cache.ts';
import { ItemExponentialFailureRateLimiter } from '../../../src/client/rate-limiters.ts';
import {
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumesnapshotclasses,
  volumesnapshotcontents,
  volumesnapshots,
} from '../../../src/client/volume-snapshot.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { syncContentByKey } from './content-sync.ts';
import type { SnapshotParts } from './parts.ts';
import { SnapshotSync } from './snapshot-sync.ts';

const NAME = 'snapshot-controller';
/** `--retry-interval-start` and `--retry-interval-max` */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 300_000;
/** `--worker-threads` */
const WORKERS = 10;
/** `--resync-period` */
const RESYNC_MS = 15 * 60_000;
/** `--leader-election-retry-period` */
const RETRY_PERIOD_MS = 5_000;

/** How the program is started: its flags, and what becomes of the process that it is. */
export interface SnapshotControllerConfig {
  readonly hostname: string;
  /** `--leader-election`, in this namespace. */
  readonly leaderElection?: { readonly namespace: string };
  /** The process ends: it does not lead any more. */
  readonly exit: () => void;
}

export interface SnapshotControllerOptions {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: SnapshotControllerConfig;
}

/** The controller of snapshots that all drivers of a cluster share: github.com/kubernetes-csi/external-snapshotter cmd/snapshot-controller */
export function runSnapshotController(options: SnapshotControllerOptions): Promise<void> {
  const { client, config } = options;
  if (!config.leaderElection) return startControllers(options);
  new LeaderElector({
    client,
    lock: { namespace: config.leaderElection.namespace, name: 'snapshot-controller-leader' },
    identity: config.hostname,
    recorder: new EventRecorder({ client, component: `${NAME}-leader/${config.hostname}` }),
    retryPeriodMs: RETRY_PERIOD_MS,
    onStartedLeading: () => startControllers(options),
    onStoppedLeading: config.exit,
  }).run();
  return Promise.resolve();
}

async function startControllers({ actor, client }: SnapshotControllerOptions): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const snapshots = informers.forResource(volumesnapshots);
  const contents = informers.forResource(volumesnapshotcontents);
  const newQueue = (): RateLimitingQueue =>
    new RateLimitingQueue({ actor, rateLimiter: new ItemExponentialFailureRateLimiter(RETRY_MS, RETRY_MAX_MS) });
  const [snapshotQueue, contentQueue] = [newQueue(), newQueue()];
  const parts: SnapshotParts = {
    ...{ actor, client },
    recorder: new EventRecorder({ client, component: NAME }),
    snapshotLister: snapshots.store,
    contentLister: contents.store,
    classLister: informers.forResource(volumesnapshotclasses).store,
    claimLister: informers.forResource(persistentvolumeclaims).store,
    snapshots: new ObjectCache<VolumeSnapshot>(),
    contents: new ObjectCache<VolumeSnapshotContent>(),
    enqueueSnapshot: (key) => snapshotQueue.add(key),
    enqueueContent: (key) => contentQueue.add(key),
  };
  const resync = { resyncMs: RESYNC_MS };
  const onSnapshot = (snapshot: VolumeSnapshot): void => snapshotQueue.add(keyOf(snapshot));
  const onContent = (content: VolumeSnapshotContent): void => contentQueue.add(keyOf(content));
  snapshots.addEventHandler({ onAdd: onSnapshot, onUpdate: (_, snapshot) => onSnapshot(snapshot), onDelete: onSnapshot }, resync);
  contents.addEventHandler({ onAdd: onContent, onUpdate: (_, content) => onContent(content), onDelete: onContent }, resync);
  informers.start();
  await informers.waitForCacheSync();
  for (const snapshot of snapshots.store.list()) parts.snapshots.store(snapshot);
  for (const content of contents.store.list()) parts.contents.store(content);
  const sync = new SnapshotSync(parts);
  runWorkers({ actor, name: NAME, queue: snapshotQueue, workers: WORKERS, reconcile: (key) => sync.syncSnapshotByKey(key) });
  runWorkers({ actor, name: `${NAME} contents`, queue: contentQueue, workers: WORKERS, reconcile: (key) => syncContentByKey(parts, key) });
}
