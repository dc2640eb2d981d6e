import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import { persistentvolumeclaims, persistentvolumes } from '../../../../src/api/resources.ts';
import { isNotFound } from '../../../../src/api/status-error.ts';
import { runWorkers } from '../../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../../src/client/workqueue.ts';
import { SyncError } from '../../controller/sync-error.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { csiNameOf, inTreePluginOf } from '../csi-migration.ts';

const NAME = 'persistentvolume-expander-controller';
const WORKERS = 10;
const ANN_RESIZER = 'volume.kubernetes.io/storage-resizer';
const ANN_PRE_RESIZE_CAPACITY = 'volume.alpha.kubernetes.io/pre-resize-capacity';

/**
 * Sees to claims that want to grow. None of the drivers of the tree that are left can do it from here, so it says who has to.
 * pkg/controller/volume/expand/expand_controller.go expandController
 */
export function startVolumeExpandController(context: ControllerContext): void {
  const { actor, informers } = context;
  const client = context.clientFor('expand-controller');
  const volumes = client.resource(persistentvolumes);
  const claims = client.resource(persistentvolumeclaims);
  const recorder = context.recorderFor('volume_expand', 'expand-controller');
  const claimInformer = informers.forResource(persistentvolumeclaims);
  const queue = new RateLimitingQueue({ actor });
  const enqueue = (claim: PersistentVolumeClaim): void => {
    if (claim.status?.phase === 'Bound') queue.add(keyOf(claim));
  };
  claimInformer.addEventHandler({
    onAdd: enqueue,
    onUpdate: (before, claim) => {
      if (grew(requested(before), requested(claim)) || grew(capacity(before), capacity(claim))) enqueue(claim);
    },
    onDelete: enqueue,
  });

  /** expand_controller.go syncHandler */
  async function syncHandler(key: string): Promise<void> {
    const claim = claimInformer.store.get(key);
    if (!claim) return;
    const volume = await getVolume(claim.spec?.volumeName ?? '');
    if (!volume) return;
    if (volume.spec?.claimRef?.uid !== claim.metadata.uid)
      throw new SyncError(`persistent Volume is not bound to PVC being updated : ${key}`);
    if (!grew(capacity(claim), requested(claim)) && volume.metadata.annotations?.[ANN_PRE_RESIZE_CAPACITY] === undefined) return;
    const plugin = inTreePluginOf(volume);
    if (!plugin) return recorder.event(claim, 'Normal', 'ExternalExpanding', 'waiting for an external controller to expand this PVC');
    const message = `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`;
    recorder.event(claim, 'Normal', 'ExternalExpanding', message);
    await setClaimResizer(claim, csiNameOf(plugin));
  }

  /** pkg/volume/util/resize_util.go SetClaimResizer */
  async function setClaimResizer({ metadata: { annotations, namespace, name = '' } }: PersistentVolumeClaim, driver = ''): Promise<void> {
    if (annotations?.[ANN_RESIZER] === driver) return;
    const patch = { metadata: { annotations: { [ANN_RESIZER]: driver } } };
    await claims.patch({ namespace, name }, patch, { type: 'strategic', subresource: 'status' });
  }

  async function getVolume(name: string): Promise<PersistentVolume | undefined> {
    try {
      return await volumes.get({ name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  context.onceSynced(() => runWorkers({ actor, name: NAME, queue, workers: WORKERS, reconcile: syncHandler }));
}

function requested({ spec }: PersistentVolumeClaim): string | undefined {
  return spec?.resources?.requests?.['storage'];
}

function capacity({ status }: PersistentVolumeClaim): string | undefined {
  return status?.capacity?.['storage'];
}

function grew(before: string | undefined, after: string | undefined): boolean {
  return parseQuantity(after ?? '0').compare(parseQuantity(before ?? '0')) > 0;
}
