import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import { type KubernetesObject, keyOf } from '../../../../src/api/object.ts';
import { persistentvolumeclaims, persistentvolumes, pods, storageclasses } from '../../../../src/api/resources.ts';
import { runWorkers } from '../../../../src/client/controller.ts';
import { ObjectCache } from '../../../../src/client/object-cache.ts';
import { RateLimitingQueue } from '../../../../src/client/workqueue.ts';
import type { Priority, Timer } from '../../../../src/sim/actor.ts';
import { urgencyOf } from '../../controller/patience.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { addPodByClaimIndexer, podsOfClaim } from '../pods-by-claim.ts';
import type { BinderServices } from './binder-services.ts';
import { ANN_BIND_COMPLETED } from './binding-facts.ts';
import { Operations } from './operations.ts';
import { syncClaim } from './sync-claim.ts';
import { syncVolume } from './sync-volume.ts';
import { VolumeCache } from './volume-cache.ts';

const NAME = 'persistentvolume-binder-controller';
const RESYNC_MS = 15_000;

/** Binds claims to volumes. pkg/controller/volume/persistentvolume/pv_controller_base.go PersistentVolumeController */
class PersistentVolumeController {
  readonly #services: BinderServices;
  #resync: Timer | undefined;
  /** How often in a row a claim or a volume has failed. */
  readonly #failures = new Map<string, number>();

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const client = context.clientFor('persistent-volume-binder');
    const claimInformer = informers.forResource(persistentvolumeclaims);
    const volumeInformer = informers.forResource(persistentvolumes);
    const podInformer = informers.forResource(pods);
    addPodByClaimIndexer(podInformer);
    this.#services = {
      actor,
      claimClient: client.resource(persistentvolumeclaims),
      volumeClient: client.resource(persistentvolumes),
      claimLister: claimInformer.store,
      volumeLister: volumeInformer.store,
      classLister: informers.forResource(storageclasses).store,
      podsOfClaim: (key) => podsOfClaim(podInformer.store, key),
      recorder: context.recorderFor('persistentvolume-controller', 'persistent-volume-binder'),
      claimQueue: new RateLimitingQueue({ actor }),
      volumeQueue: new RateLimitingQueue({ actor }),
      claims: new ObjectCache(),
      volumes: new VolumeCache(),
      operations: new Operations(actor),
    };
    const { claimQueue, volumeQueue } = this.#services;
    const enqueueTo = (queue: RateLimitingQueue) => (object: KubernetesObject) => queue.add(keyOf(object));
    const [claim, volume] = [enqueueTo(claimQueue), enqueueTo(volumeQueue)];
    claimInformer.addEventHandler({ onAdd: claim, onUpdate: (_, object) => claim(object), onDelete: claim });
    volumeInformer.addEventHandler({ onAdd: volume, onUpdate: (_, object) => this.#updateVolume(object), onDelete: volume });
    informers.forResource(storageclasses).addEventHandler({ onAdd: () => this.#hurryIfClaimsWait() });
  }

  /** pv_controller_base.go Run, initializeCaches */
  run(): void {
    const { actor, claimLister, claimQueue, claims, volumeLister, volumeQueue, volumes } = this.#services;
    for (const claim of claimLister.list()) claims.store(claim);
    for (const volume of volumeLister.list()) volumes.store(volume);
    const common = { actor, workers: 1, handleError: (key: string): void => this.#handleError(key) };
    const volume = (key: string): Promise<void> | undefined => this.#forgetting(key, this.#syncVolume(key));
    const claim = (key: string): Promise<void> | undefined => this.#forgetting(key, this.#syncClaim(key));
    runWorkers({ ...common, name: `${NAME} volumes`, queue: volumeQueue, reconcile: volume });
    runWorkers({ ...common, name: `${NAME} claims`, queue: claimQueue, reconcile: claim });
    this.#scheduleResync('background');
  }

  /** What failed is looked at again at the next event, or with everything else; after some failures nobody waits for that. */
  #handleError(key: string): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.#scheduleResync(urgencyOf(failures * RESYNC_MS));
  }

  /** Once the sync has succeeded, failures from before do not count. */
  #forgetting(key: string, sync: Promise<void> | undefined): Promise<void> | undefined {
    if (sync) return sync.then(() => void this.#failures.delete(key));
    this.#failures.delete(key);
    return undefined;
  }

  #updateVolume(volume: PersistentVolume): void {
    this.#services.volumeQueue.add(keyOf(volume));
    if (volume.status?.phase === 'Available' && !volume.spec?.claimRef) this.#hurryIfClaimsWait();
  }

  /** Claims that wait look for a volume at the next resync: somebody waits for that. */
  #hurryIfClaimsWait(): void {
    if (this.#services.claimLister.list().some((claim) => claim.status?.phase === 'Pending' && !isBound(claim)))
      this.#scheduleResync('work');
  }

  #scheduleResync(priority: Priority): void {
    if (this.#resync && priority === 'background') return;
    const { actor } = this.#services;
    const delayMs = this.#resync ? this.#resync.due - actor.simulation.now : RESYNC_MS;
    this.#resync?.cancel();
    this.#resync = actor.schedule(delayMs, () => this.#resyncAll(), { priority, label: `${actor.name} resync of claims and volumes` });
  }

  /** pv_controller_base.go resync. Differs: pairs that are bound, and volumes that are free, are left out, as their sync would change nothing. */
  #resyncAll(): void {
    this.#resync = undefined;
    this.#scheduleResync('background');
    const { claimLister, claimQueue, volumeLister, volumeQueue, volumes } = this.#services;
    const isSettled = (claim: PersistentVolumeClaim): boolean => {
      const volume = isBound(claim) && claim.status?.phase === 'Bound' ? volumes.get(claim.spec?.volumeName ?? '') : undefined;
      return volume?.status?.phase === 'Bound' && volume.spec?.claimRef?.uid === claim.metadata.uid;
    };
    for (const claim of claimLister.list()) if (!isSettled(claim)) claimQueue.add(keyOf(claim));
    for (const volume of volumeLister.list()) {
      const free = volume.status?.phase === 'Available' && !volume.spec?.claimRef?.uid;
      if (!free && volume.status?.phase !== 'Bound') volumeQueue.add(keyOf(volume));
    }
  }

  /** pv_controller_base.go claimWorker, updateClaim, deleteClaim */
  #syncClaim(key: string): Promise<void> | undefined {
    const { claimLister, claims, volumeQueue } = this.#services;
    const claim = claimLister.get(key);
    if (claim) return claims.store(claim) ? syncClaim(this.#services, claim) : undefined;
    const gone = claims.get(key);
    claims.delete(key);
    if (gone?.spec?.volumeName) volumeQueue.add(gone.spec.volumeName);
    return undefined;
  }

  /** pv_controller_base.go volumeWorker, updateVolume, deleteVolume */
  #syncVolume(key: string): Promise<void> | undefined {
    const { claimQueue, volumeLister, volumes } = this.#services;
    const volume = volumeLister.get(key);
    if (volume) return volumes.store(volume) ? syncVolume(this.#services, volume) : undefined;
    const { claimRef } = volumes.get(key)?.spec ?? {};
    volumes.delete(key);
    if (claimRef) claimQueue.add(keyOf({ namespace: claimRef.namespace, name: claimRef.name ?? '' }));
    return undefined;
  }
}

function isBound({ metadata }: PersistentVolumeClaim): boolean {
  return metadata.annotations?.[ANN_BIND_COMPLETED] !== undefined;
}

/** cmd/kube-controller-manager/app/core.go startPersistentVolumeBinderController */
export function startPersistentVolumeBinderController(context: ControllerContext): void {
  const controller = new PersistentVolumeController(context);
  context.onceSynced(() => controller.run());
}
