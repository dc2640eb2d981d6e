import type { Node, Pod } from '../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { SharedInformer } from '../../src/client/informer.ts';
import { ActionType, EventAssignedPodAdd, EventAssignedPodDelete, type EventResource } from './framework/events.ts';
import { EventNodeAdd, EventNodeDelete, nodeSchedulingPropertiesChange } from './framework/node-scheduling-properties-change.ts';
import { podSchedulingPropertiesChange } from './framework/pod-scheduling-properties-change.ts';
import type { Informers } from './informers.ts';
import { responsibleForPod, type Scheduler } from './scheduler.ts';

/** pkg/scheduler/eventhandlers.go addAllEventHandlers: changes go to the cache, to the queue, or to both. */
export function addAllEventHandlers(scheduler: Scheduler, informers: Informers): void {
  informers.pods.addEventHandler({
    onAdd: (pod) => addPod(scheduler, pod),
    onUpdate: (oldPod, newPod) => updatePod(scheduler, oldPod, newPod),
    onDelete: (pod) => deletePod(scheduler, pod),
  });
  informers.nodes.addEventHandler({
    onAdd: (node) => addNodeToCache(scheduler, node),
    onUpdate: (oldNode, newNode) => updateNodeInCache(scheduler, oldNode, newNode),
    onDelete: (node) => deleteNodeFromCache(scheduler, node),
  });
  forward(scheduler, informers.persistentVolumes, 'PersistentVolume');
  forward(scheduler, informers.persistentVolumeClaims, 'PersistentVolumeClaim');
  forward(scheduler, informers.storageClasses, 'StorageClass');
  forward(scheduler, informers.csiNodes, 'CSINode');
  forward(scheduler, informers.csiDrivers, 'CSIDriver');
  forward(scheduler, informers.csiStorageCapacities, 'CSIStorageCapacity');
  forward(scheduler, informers.volumeAttachments, 'VolumeAttachment');
  forward(scheduler, informers.resourceClaims, 'ResourceClaim');
  forward(scheduler, informers.resourceSlices, 'ResourceSlice');
  forward(scheduler, informers.deviceClasses, 'DeviceClass');
}

/** eventhandlers.go buildEvtResHandler: each change of such an object may help pods that wait. */
function forward<T extends KubernetesObject>(scheduler: Scheduler, informer: SharedInformer<T>, resource: EventResource): void {
  const { queue } = scheduler;
  const add = { resource, actionType: ActionType.Add, label: `${resource}Add` };
  const update = { resource, actionType: ActionType.Update, label: `${resource}Update` };
  const remove = { resource, actionType: ActionType.Delete, label: `${resource}Delete` };
  informer.addEventHandler({
    onAdd: (newObject) => queue.moveAllToActiveOrBackoffQueue(add, { newObject }),
    onUpdate: (oldObject, newObject) => queue.moveAllToActiveOrBackoffQueue(update, { oldObject, newObject }),
    onDelete: (oldObject) => queue.moveAllToActiveOrBackoffQueue(remove, { oldObject }),
  });
}

function isAssigned(pod: Pod): boolean {
  return Boolean(pod.spec?.nodeName);
}

function addPod(scheduler: Scheduler, pod: Pod): void {
  if (isAssigned(pod)) addAssignedPodToCache(scheduler, pod);
  else if (responsibleForPod(scheduler, pod)) scheduler.queue.add(pod);
}

function updatePod(scheduler: Scheduler, oldPod: Pod, newPod: Pod): void {
  if (oldPod.metadata.uid !== newPod.metadata.uid) {
    // Gone and made anew while nobody watched.
    deletePod(scheduler, oldPod);
    addPod(scheduler, newPod);
  } else if (isAssigned(oldPod)) {
    updateAssignedPodInCache(scheduler, oldPod, newPod);
  } else if (isAssigned(newPod)) {
    addAssignedPodToCache(scheduler, newPod);
    deletePodFromSchedulingQueue(scheduler, oldPod);
  } else if (responsibleForPod(scheduler, newPod)) {
    updatePodInSchedulingQueue(scheduler, oldPod, newPod);
  }
}

function deletePod(scheduler: Scheduler, pod: Pod): void {
  if (isAssigned(pod)) {
    scheduler.cache.removePod(pod);
    scheduler.queue.moveAllToActiveOrBackoffQueue(EventAssignedPodDelete, { oldObject: pod });
    return;
  }
  if (responsibleForPod(scheduler, pod)) deletePodFromSchedulingQueue(scheduler, pod);
}

function addAssignedPodToCache(scheduler: Scheduler, pod: Pod): void {
  scheduler.cache.addPod(pod);
  scheduler.queue.moveAllToActiveOrBackoffQueue(EventAssignedPodAdd, { newObject: pod });
}

function updateAssignedPodInCache(scheduler: Scheduler, oldPod: Pod, newPod: Pod): void {
  scheduler.cache.updatePod(newPod);
  for (const event of podSchedulingPropertiesChange(newPod, oldPod)) {
    scheduler.queue.moveAllToActiveOrBackoffQueue(event, { oldObject: oldPod, newObject: newPod });
  }
}

function updatePodInSchedulingQueue(scheduler: Scheduler, oldPod: Pod, newPod: Pod): void {
  if (oldPod.metadata.resourceVersion === newPod.metadata.resourceVersion) return;
  if (scheduler.cache.isAssumedPod(newPod)) return;
  scheduler.queue.update(oldPod, newPod);
  const nominated = oldPod.status?.nominatedNodeName;
  if (nominated && nominated !== newPod.status?.nominatedNodeName) moveLessImportantPods(scheduler, oldPod);
}

function deletePodFromSchedulingQueue(scheduler: Scheduler, pod: Pod): void {
  scheduler.queue.delete(pod);
  if (scheduler.frameworkForPod(pod)?.rejectWaitingPod(pod.metadata.uid ?? '')) {
    scheduler.queue.moveAllToActiveOrBackoffQueue(EventAssignedPodDelete, { oldObject: pod });
  } else if (pod.status?.nominatedNodeName) {
    moveLessImportantPods(scheduler, pod);
  }
}

/** For pods that are not more important, the pod counted as if it was on the node that it was promised (getLEPriorityPreCheck). */
function moveLessImportantPods(scheduler: Scheduler, pod: Pod): void {
  const priority = pod.spec?.priority ?? 0;
  scheduler.queue.moveAllToActiveOrBackoffQueue(
    EventAssignedPodDelete,
    { oldObject: pod },
    (other) => (other.spec?.priority ?? 0) <= priority,
  );
}

function addNodeToCache(scheduler: Scheduler, node: Node): void {
  scheduler.cache.addNode(node);
  scheduler.queue.rearm();
  scheduler.queue.moveAllToActiveOrBackoffQueue(EventNodeAdd, { newObject: node });
}

function updateNodeInCache(scheduler: Scheduler, oldNode: Node, newNode: Node): void {
  scheduler.cache.updateNode(newNode);
  for (const event of nodeSchedulingPropertiesChange(newNode, oldNode)) {
    scheduler.queue.moveAllToActiveOrBackoffQueue(event, { oldObject: oldNode, newObject: newNode });
  }
}

function deleteNodeFromCache(scheduler: Scheduler, node: Node): void {
  scheduler.queue.moveAllToActiveOrBackoffQueue(EventNodeDelete, { oldObject: node });
  scheduler.cache.removeNode(node);
}
