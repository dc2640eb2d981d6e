import type { PersistentVolumeClaim, Pod, Volume } from '../../../../src/api/kinds/core-v1.ts';
import { isControlledBy, newControllerRef } from '../../../../src/api/meta.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { persistentvolumeclaims, pods } from '../../../../src/api/resources.ts';
import { runWorkers } from '../../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../../src/client/workqueue.ts';
import { messageOf, SyncError } from '../../controller/sync-error.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { addPodByClaimIndexer, podsOfClaim } from '../pods-by-claim.ts';

const NAME = 'ephemeral-volume-controller';

/** Makes the claims that pods describe in their own volumes. pkg/controller/volume/ephemeral/controller.go ephemeralController */
export function startEphemeralVolumeController(context: ControllerContext): void {
  const { actor, config, informers } = context;
  const claims = context.clientFor(NAME).resource(persistentvolumeclaims);
  const recorder = context.recorderFor('ephemeral_volume', NAME);
  const podInformer = informers.forResource(pods);
  const claimInformer = informers.forResource(persistentvolumeclaims);
  addPodByClaimIndexer(podInformer);
  const queue = new RateLimitingQueue({ actor });
  podInformer.addEventHandler({
    onAdd: (pod) => {
      if (!pod.metadata.deletionTimestamp && pod.spec?.volumes?.some(({ ephemeral }) => ephemeral)) queue.add(keyOf(pod));
    },
  });
  claimInformer.addEventHandler({
    onDelete: (claim) => {
      for (const pod of podsOfClaim(podInformer.store, keyOf(claim))) queue.add(keyOf(pod));
    },
  });

  /** controller.go syncHandler */
  async function syncHandler(key: string): Promise<void> {
    const pod = podInformer.store.get(key);
    if (!pod || pod.metadata.deletionTimestamp) return;
    for (const volume of pod.spec?.volumes ?? []) {
      try {
        if (volume.ephemeral) await handleVolume(pod, volume);
      } catch (error) {
        recorder.event(pod, 'Warning', 'FailedBinding', `ephemeral volume ${volume.name}: ${messageOf(error)}`);
        throw error;
      }
    }
  }

  /** controller.go handleVolume */
  async function handleVolume(pod: Pod, volume: Volume): Promise<void> {
    const { namespace, name: podName } = pod.metadata;
    const name = `${podName}-${volume.name}`;
    const present = claimInformer.store.get(`${namespace}/${name}`);
    if (present && isControlledBy(present, pod)) return;
    if (present) throw new SyncError(`PVC ${namespace}/${name} was not created for pod ${namespace}/${podName} (pod is not owner)`);
    try {
      await claims.create(newClaim(pod, volume, name));
    } catch (error) {
      throw new SyncError(`create PVC ${name}: ${messageOf(error)}`, { cause: error });
    }
  }

  context.onceSynced(() => runWorkers({ actor, name: NAME, queue, workers: config.concurrentSyncs, reconcile: syncHandler }));
}

function newClaim(pod: Pod, { ephemeral }: Volume, name: string): PersistentVolumeClaim {
  const { metadata, spec } = ephemeral?.volumeClaimTemplate ?? {};
  return {
    metadata: {
      name,
      ...(pod.metadata.namespace ? { namespace: pod.metadata.namespace } : {}),
      ...(metadata?.labels ? { labels: metadata.labels } : {}),
      ...(metadata?.annotations ? { annotations: metadata.annotations } : {}),
      ownerReferences: [newControllerRef(pod, { apiVersion: 'v1', kind: 'Pod' })],
    },
    ...(spec ? { spec } : {}),
  };
}
