import type { CsiController } from '../../src/api/csi.ts';
import { keyOf } from '../../src/api/object.ts';
import { persistentvolumeclaims, persistentvolumes } from '../../src/api/resources.ts';
import type { SocketServer } from '../../src/api/unix-sockets.ts';
import type { Client } from '../../src/client/client.ts';
import { runWorkers } from '../../src/client/controller.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import { ItemExponentialFailureRateLimiter } from '../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../src/client/workqueue.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { ResizeSync } from './resize-sync.ts';

const NAME = 'csi-resizer';
/** `--retry-interval-start` and `--retry-interval-max` */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 300_000;
/** `--workers` */
const WORKERS = 10;

export interface ExternalResizerConfig {
  readonly driver: string;
  /** Its controller service, while it listens. */
  readonly socket: () => SocketServer<Actor, CsiController> | undefined;
}

/** The sidecar that has a driver make volumes bigger: github.com/kubernetes-csi/external-resizer pkg/controller resizeController. */
export async function runExternalResizer({
  actor,
  client,
  config,
}: {
  actor: Actor;
  client: Client;
  config: ExternalResizerConfig;
}): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const claims = informers.forResource(persistentvolumeclaims);
  const volumes = informers.forResource(persistentvolumes);
  const recorder = new EventRecorder({ client, component: `external-resizer ${config.driver}` });
  const sync = new ResizeSync({ actor, client, config, recorder, claims: claims.store, volumes: volumes.store });
  const queue = new RateLimitingQueue({ actor, rateLimiter: new ItemExponentialFailureRateLimiter(RETRY_MS, RETRY_MAX_MS) });
  claims.addEventHandler({ onAdd: (claim) => queue.add(keyOf(claim)), onUpdate: (_, claim) => queue.add(keyOf(claim)) });
  informers.start();
  await informers.waitForCacheSync();
  runWorkers({ actor, name: NAME, queue, workers: WORKERS, reconcile: (key) => sync.syncClaim(key) });
}
