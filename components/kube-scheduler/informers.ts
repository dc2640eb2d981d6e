import {
  csidrivers,
  csinodes,
  csistoragecapacities,
  deviceclasses,
  namespaces,
  nodes,
  persistentvolumeclaims,
  persistentvolumes,
  poddisruptionbudgets,
  pods,
  replicasets,
  replicationcontrollers,
  resourceclaims,
  resourceslices,
  services,
  statefulsets,
  storageclasses,
  volumeattachments,
} from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { SharedInformer } from '../../src/client/informer.ts';
import type { Listers } from './framework/listers.ts';

/** Pods that have ended are none of the scheduler's business: scheduler.go newPodInformer. */
const UNFINISHED = 'status.phase!=Succeeded,status.phase!=Failed';

export type Informers = ReturnType<typeof newInformers>;

/** Everything that the scheduler watches: scheduler.go NewInformerFactory. */
export function newInformers(client: Client) {
  return {
    pods: new SharedInformer({ client: client.resource(pods), list: { fieldSelector: UNFINISHED } }),
    nodes: new SharedInformer({ client: client.resource(nodes) }),
    namespaces: new SharedInformer({ client: client.resource(namespaces) }),
    services: new SharedInformer({ client: client.resource(services) }),
    replicationControllers: new SharedInformer({ client: client.resource(replicationcontrollers) }),
    replicaSets: new SharedInformer({ client: client.resource(replicasets) }),
    statefulSets: new SharedInformer({ client: client.resource(statefulsets) }),
    podDisruptionBudgets: new SharedInformer({ client: client.resource(poddisruptionbudgets) }),
    persistentVolumes: new SharedInformer({ client: client.resource(persistentvolumes) }),
    persistentVolumeClaims: new SharedInformer({ client: client.resource(persistentvolumeclaims) }),
    storageClasses: new SharedInformer({ client: client.resource(storageclasses) }),
    csiNodes: new SharedInformer({ client: client.resource(csinodes) }),
    csiDrivers: new SharedInformer({ client: client.resource(csidrivers) }),
    csiStorageCapacities: new SharedInformer({ client: client.resource(csistoragecapacities) }),
    volumeAttachments: new SharedInformer({ client: client.resource(volumeattachments) }),
    resourceClaims: new SharedInformer({ client: client.resource(resourceclaims) }),
    resourceSlices: new SharedInformer({ client: client.resource(resourceslices) }),
    deviceClasses: new SharedInformer({ client: client.resource(deviceclasses) }),
  };
}

/** Begins to list and watch; resolves when every cache is filled. */
export async function startInformersAndWaitForSync(informers: Informers): Promise<void> {
  const all = Object.values(informers);
  for (const informer of all) informer.start();
  for (const informer of all) await informer.waitForSync();
}

/** The caches, for reading. */
export function listersOf(informers: Informers): Listers {
  return Object.fromEntries(Object.entries(informers).map(([name, informer]) => [name, informer.store])) as unknown as Listers;
}
