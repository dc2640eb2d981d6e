import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import type { VolumeAttributesClass } from '../../../../src/api/kinds/storage-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { persistentvolumeclaims, persistentvolumes, volumeattributesclasses } from '../../../../src/api/resources.ts';
import { runWorkers } from '../../../../src/client/controller.ts';
import type { IndexFunction } from '../../../../src/client/indexer.ts';
import type { EventHandler } from '../../../../src/client/informer.ts';
import { RateLimitingQueue } from '../../../../src/client/workqueue.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { finalizerIsDue, withFinalizer, withoutFinalizer } from '../protection-finalizer.ts';

const NAME = 'volumeattributesclass-protection-controller';
const FINALIZER = 'kubernetes.io/vac-protection';
const INDEX = 'volumeAttributesClass';

/** Keeps VolumeAttributesClasses that volumes or claims name from vanishing. pkg/controller/volume/vacprotection/vac_protection_controller.go Controller */
export function startVolumeAttributesClassProtectionController(context: ControllerContext): void {
  const { actor, informers } = context;
  const client = context.clientFor(NAME).resource(volumeattributesclasses);
  const classInformer = informers.forResource(volumeattributesclasses);
  const volumeInformer = informers.forResource(persistentvolumes);
  const claimInformer = informers.forResource(persistentvolumeclaims);
  volumeInformer.addIndexers({ [INDEX]: classesOfVolume });
  claimInformer.addIndexers({ [INDEX]: classesOfClaim });
  const queue = new RateLimitingQueue({ actor });
  const enqueue = (object: VolumeAttributesClass): void => {
    if (finalizerIsDue(object, FINALIZER)) queue.add(keyOf(object));
  };
  /** Classes that are named no more. */
  const onDropped = <T extends PersistentVolume | PersistentVolumeClaim>(namesOf: IndexFunction<T>): EventHandler<T> => ({
    onUpdate: (before, after) => {
      for (const name of namesOf(before)) if (!namesOf(after).includes(name)) queue.add(name);
    },
    onDelete: (object) => {
      for (const name of namesOf(object)) queue.add(name);
    },
  });
  classInformer.addEventHandler({ onAdd: enqueue, onUpdate: (_, object) => enqueue(object) });
  volumeInformer.addEventHandler(onDropped(classesOfVolume));
  claimInformer.addEventHandler(onDropped(classesOfClaim));

  /** vac_protection_controller.go processVAC */
  async function processVAC(name: string): Promise<void> {
    const object = classInformer.store.get(name);
    if (!object || !finalizerIsDue(object, FINALIZER)) return;
    if (!object.metadata.deletionTimestamp) return void (await client.update(withFinalizer(object, FINALIZER)));
    const isUsed = [volumeInformer, claimInformer].some(({ store }) => store.byIndex(INDEX, name).length > 0);
    if (!isUsed) await client.update(withoutFinalizer(object, FINALIZER));
  }

  context.onceSynced(() => runWorkers({ actor, name: NAME, queue, workers: 1, reconcile: processVAC }));
}

function classesOfVolume({ spec }: PersistentVolume): string[] {
  return spec?.volumeAttributesClassName ? [spec.volumeAttributesClassName] : [];
}

function classesOfClaim({ spec, status }: PersistentVolumeClaim): string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.filter((name): name is string => Boolean(name)))];
}
