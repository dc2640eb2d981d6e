import type { CsiController } from '../../src/api/csi.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../src/api/object.ts';
import { csinodes, nodes, persistentvolumeclaims, persistentvolumes, storageclasses, volumeattachments } from '../../src/api/resources.ts';
import type { SocketServer } from '../../src/api/unix-sockets.ts';
import type { Client } from '../../src/client/client.ts';
import { runWorkers } from '../../src/client/controller.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import { ItemExponentialFailureRateLimiter } from '../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../src/client/workqueue.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { BY_UID, ClaimSync } from './claim-sync.ts';
import { VolumeSync } from './volume-sync.ts';

const NAME = 'csi-provisioner';
/** `--retry-interval-start` and `--retry-interval-max` */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 300_000;
/** `--worker-threads` */
const WORKERS = 100;

export interface ExternalProvisionerConfig {
  /** Name of the driver, which StorageClasses have as their provisioner. */
  readonly driver: string;
  /** Its controller service, while it listens. */
  readonly socket: () => SocketServer<Actor, CsiController> | undefined;
  /** `--default-fstype`. Default `ext4`. */
  readonly defaultFsType?: string;
}

/** What both directions work with. */
export interface ProvisionerParts {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: ExternalProvisionerConfig;
  readonly informers: SharedInformerFactory;
  readonly recorder: EventRecorder;
}

/**
 * The sidecar that has a driver make and delete volumes: github.com/kubernetes-csi/external-provisioner cmd/csi-provisioner, on
 * sigs.k8s.io/sig-storage-lib-external-provisioner controller ProvisionController.
 */
export async function runExternalProvisioner({
  actor,
  client,
  config,
}: {
  actor: Actor;
  client: Client;
  config: ExternalProvisionerConfig;
}): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const id = actor.simulation.random.fork(`${actor.name}/${actor.incarnation}`);
  const component = `${config.driver}_${NAME}-0_${id.uuid()}`;
  const parts = { actor, client, config, informers, recorder: new EventRecorder({ client, component }) };
  const claims = new ClaimSync(parts, `${actor.simulation.wallTime}-${1_000 + id.integer(9_000)}-${config.driver}`);
  const volumes = new VolumeSync(parts);
  const newQueue = (): RateLimitingQueue =>
    new RateLimitingQueue({ actor, rateLimiter: new ItemExponentialFailureRateLimiter(RETRY_MS, RETRY_MAX_MS) });
  const [claimQueue, volumeQueue] = [newQueue(), newQueue()];
  const onClaim = ({ metadata }: PersistentVolumeClaim): void => claimQueue.add(metadata.uid ?? '');
  const onVolume = (volume: PersistentVolume): void => volumeQueue.add(keyOf(volume));
  informers.forResource(persistentvolumeclaims).addIndexers({ [BY_UID]: ({ metadata }) => [metadata.uid ?? ''] });
  informers.forResource(persistentvolumeclaims).addEventHandler({ onAdd: onClaim, onUpdate: (_, claim) => onClaim(claim) });
  informers.forResource(persistentvolumes).addEventHandler({ onAdd: onVolume, onUpdate: (_, volume) => onVolume(volume) });
  for (const resource of [storageclasses, nodes, csinodes, volumeattachments]) informers.forResource(resource as typeof nodes);
  informers.start();
  await informers.waitForCacheSync();
  runWorkers({ actor, name: NAME, queue: claimQueue, workers: WORKERS, reconcile: (key) => claims.syncClaim(key) });
  runWorkers({ actor, name: `${NAME} volumes`, queue: volumeQueue, workers: WORKERS, reconcile: (key) => volumes.syncVolume(key) });
}
