import type { PersistentVolume } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { persistentvolumes } from '../../../../src/api/resources.ts';
import { runWorkers } from '../../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../../src/client/workqueue.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { finalizerIsDue, withFinalizer, withoutFinalizer } from '../protection-finalizer.ts';

const NAME = 'persistentvolume-protection-controller';
const FINALIZER = 'kubernetes.io/pv-protection';

/** Keeps volumes that are bound from vanishing. pkg/controller/volume/pvprotection/pv_protection_controller.go Controller */
export function startPersistentVolumeProtectionController(context: ControllerContext): void {
  const { actor, informers } = context;
  const client = context.clientFor('pv-protection-controller').resource(persistentvolumes);
  const { store } = informers.forResource(persistentvolumes);
  const queue = new RateLimitingQueue({ actor });
  const enqueue = (volume: PersistentVolume): void => {
    if (finalizerIsDue(volume, FINALIZER)) queue.add(keyOf(volume));
  };
  informers.forResource(persistentvolumes).addEventHandler({ onAdd: enqueue, onUpdate: (_, volume) => enqueue(volume) });

  /** pv_protection_controller.go processPV */
  async function processPV(name: string): Promise<void> {
    const volume = store.get(name);
    if (!volume || !finalizerIsDue(volume, FINALIZER)) return;
    if (!volume.metadata.deletionTimestamp) await client.update(withFinalizer(volume, FINALIZER));
    else if (volume.status?.phase !== 'Bound') await client.update(withoutFinalizer(volume, FINALIZER));
  }

  context.onceSynced(() => runWorkers({ actor, name: NAME, queue, workers: 1, reconcile: processPV }));
}
