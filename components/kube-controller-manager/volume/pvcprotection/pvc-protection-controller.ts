import type { PersistentVolumeClaim, Pod } from '../../../../src/api/kinds/core-v1.ts';
import { isControlledBy } from '../../../../src/api/meta.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { persistentvolumeclaims, pods } from '../../../../src/api/resources.ts';
import { runWorkers } from '../../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../../src/client/workqueue.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { addPodByClaimIndexer, claimsOf, podsOfClaim } from '../pods-by-claim.ts';
import { finalizerIsDue, withFinalizer, withoutFinalizer } from '../protection-finalizer.ts';

const NAME = 'persistentvolumeclaim-protection-controller';
const FINALIZER = 'kubernetes.io/pvc-protection';

/** Keeps claims that pods use from vanishing. pkg/controller/volume/pvcprotection/pvc_protection_controller.go Controller */
export function startPersistentVolumeClaimProtectionController(context: ControllerContext): void {
  const { actor, informers } = context;
  const client = context.clientFor('pvc-protection-controller');
  const claims = client.resource(persistentvolumeclaims);
  const claimInformer = informers.forResource(persistentvolumeclaims);
  const podInformer = informers.forResource(pods);
  addPodByClaimIndexer(podInformer);
  const queue = new RateLimitingQueue({ actor });
  const enqueue = (claim: PersistentVolumeClaim): void => {
    if (finalizerIsDue(claim, FINALIZER)) queue.add(keyOf(claim));
  };
  const enqueueClaimsOf = (pod: Pod): void => {
    for (const key of claimsOf(pod)) queue.add(key);
  };
  claimInformer.addEventHandler({ onAdd: enqueue, onUpdate: (_, claim) => enqueue(claim) });
  podInformer.addEventHandler({
    onAdd: (pod) => {
      if (mayHaveLetGo(pod)) enqueueClaimsOf(pod);
    },
    onUpdate: (before, pod) => {
      if (before.metadata.uid !== pod.metadata.uid) enqueueClaimsOf(before);
      if (mayHaveLetGo(pod)) enqueueClaimsOf(pod);
    },
    onDelete: enqueueClaimsOf,
  });

  /** pvc_protection_controller.go processPVC */
  async function processPVC(key: string): Promise<void> {
    const claim = claimInformer.store.get(key);
    if (!claim || !finalizerIsDue(claim, FINALIZER)) return;
    if (!claim.metadata.deletionTimestamp) return void (await claims.update(withFinalizer(claim, FINALIZER)));
    if (podsOfClaim(podInformer.store, key).some((pod) => uses(pod, claim))) return;
    const live = await client.resource(pods).list({ namespace: claim.metadata.namespace });
    if (live.items.some((pod) => uses(pod, claim))) return;
    await claims.update(withoutFinalizer(claim, FINALIZER));
  }

  context.onceSynced(() => runWorkers({ actor, name: NAME, queue, workers: 1, reconcile: processPVC }));
}

/** pvc_protection_controller.go parsePod, podAddedDeletedUpdated: pods that use a claim need not be asked whether they do not. */
function mayHaveLetGo({ spec, status }: Pod): boolean {
  return !spec?.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** A pod that has ended still holds its claim, one that was never scheduled does not. pvc_protection_controller.go podUsesPVC */
function uses(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (!pod.spec?.nodeName) return false;
  const { name } = claim.metadata;
  const isShutDown = pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionGracePeriodSeconds === 0;
  return (pod.spec.volumes ?? []).some(
    ({ name: volume, persistentVolumeClaim, ephemeral }) =>
      persistentVolumeClaim?.claimName === name ||
      (ephemeral !== undefined && `${pod.metadata.name}-${volume}` === name && isControlledBy(claim, pod) && !isShutDown),
  );
}
