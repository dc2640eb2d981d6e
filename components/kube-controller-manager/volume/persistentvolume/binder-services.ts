import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../../../src/api/kinds/storage-v1.ts';
import type { ResourceClient } from '../../../../src/client/client.ts';
import type { EventRecorder } from '../../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../../src/client/indexer.ts';
import type { RateLimitingQueue } from '../../../../src/client/workqueue.ts';
import type { Actor } from '../../../../src/sim/actor.ts';
import type { Operations } from './operations.ts';
import type { ClaimCache, VolumeCache } from './volume-cache.ts';

/** What the parts of the controller share: pv_controller.go PersistentVolumeController */
export interface BinderServices {
  readonly actor: Actor;
  readonly claimClient: ResourceClient<PersistentVolumeClaim>;
  readonly volumeClient: ResourceClient<PersistentVolume>;
  readonly claimLister: Indexer<PersistentVolumeClaim>;
  readonly volumeLister: Indexer<PersistentVolume>;
  readonly classLister: Indexer<StorageClass>;
  /** The pods that name a claim. */
  readonly podsOfClaim: (claimKey: string) => readonly Pod[];
  readonly recorder: EventRecorder;
  readonly claimQueue: RateLimitingQueue;
  readonly volumeQueue: RateLimitingQueue;
  readonly claims: ClaimCache;
  readonly volumes: VolumeCache;
  readonly operations: Operations;
}
