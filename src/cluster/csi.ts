import { CsiDriver, type CsiDriverOptions } from '../../components/csi-driver/driver.ts';
import { registrationSocket, runNodePlugin } from '../../components/csi-driver/node-plugin.ts';
import { runExternalAttacher } from '../../components/external-attacher/server.ts';
import { runExternalProvisioner } from '../../components/external-provisioner/server.ts';
import { runExternalResizer } from '../../components/external-resizer/server.ts';
import { CSI_SNAPSHOTTER_RULES, RESTORE_RULES } from '../../components/external-snapshotter/manifests.ts';
import { runCsiSnapshotter } from '../../components/external-snapshotter/sidecar-controller/server.ts';
import type { CsiController } from '../api/csi.ts';
import type { PolicyRule } from '../api/kinds/rbac-v1.ts';
import { csidrivers, storageclasses } from '../api/resources.ts';
import type { SocketServer } from '../api/unix-sockets.ts';
import type { Client } from '../client/client.ts';
import { installAccount } from '../client/install.ts';
import type { Actor } from '../sim/actor.ts';
import type { Cluster } from './cluster.ts';
import { KUBERNETES_ADMIN, serviceAccountUser } from './users.ts';

/** A storage system for the cluster. */
export interface CsiDriverConfig {
  /** Default `example.csi.k8s.io`. */
  readonly name?: string;
  /** How many volumes a node can have. Default 24. */
  readonly maxVolumesPerNode?: number;
}

/** The name of the driver in memory. */
export const DEFAULT_DRIVER = 'example.csi.k8s.io';

const READ = ['get', 'list', 'watch'];
const EVENTS: PolicyRule = { apiGroups: [''], resources: ['events'], verbs: ['list', 'watch', 'create', 'update', 'patch'] };

/** What the sidecars may do: deploy/kubernetes/rbac.yaml of each. */
const RULES: Readonly<Record<string, PolicyRule[]>> = {
  'csi-provisioner': [
    { apiGroups: [''], resources: ['persistentvolumes'], verbs: [...READ, 'create', 'patch', 'delete'] },
    { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: [...READ, 'update'] },
    { apiGroups: ['storage.k8s.io'], resources: ['storageclasses', 'csinodes', 'volumeattachments'], verbs: READ },
    { apiGroups: [''], resources: ['nodes'], verbs: READ },
    ...RESTORE_RULES,
    EVENTS,
  ],
  'csi-attacher': [
    { apiGroups: [''], resources: ['persistentvolumes'], verbs: [...READ, 'patch'] },
    { apiGroups: ['storage.k8s.io'], resources: ['csinodes'], verbs: READ },
    { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments'], verbs: [...READ, 'patch'] },
    { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments/status'], verbs: ['patch'] },
  ],
  'csi-resizer': [
    { apiGroups: [''], resources: ['persistentvolumes'], verbs: [...READ, 'patch'] },
    { apiGroups: [''], resources: ['persistentvolumeclaims', 'pods'], verbs: READ },
    { apiGroups: [''], resources: ['persistentvolumeclaims/status'], verbs: ['patch'] },
    EVENTS,
  ],
};

const RUNNERS: Readonly<Record<string, typeof runExternalAttacher>> = {
  'csi-provisioner': runExternalProvisioner,
  'csi-attacher': runExternalAttacher,
  'csi-resizer': runExternalResizer,
};

/** The sidecars that a driver of this cluster has: that for snapshots where there are any. */
function sidecarsOf({ config: { addons = {} } }: Cluster): { readonly rules: typeof RULES; readonly runners: typeof RUNNERS } {
  if (!addons['snapshot-controller']) return { rules: RULES, runners: RUNNERS };
  const name = 'csi-snapshotter';
  return { rules: { ...RULES, [name]: [...CSI_SNAPSHOTTER_RULES] }, runners: { ...RUNNERS, [name]: runCsiSnapshotter } };
}

/** Starts a driver in the cluster: its controller service with the sidecars, and its node service on each node. What StorageClasses there are is for the administrator to say. */
export function addCsiDriver(
  cluster: Cluster,
  { name = DEFAULT_DRIVER, maxVolumesPerNode, ...where }: CsiDriverConfig & Pick<CsiDriverOptions, 'topologyOf'> = {},
): CsiDriver {
  const { simulation } = cluster;
  const controller = simulation.actor(`csi-driver/${name}`, () => {});
  controller.start();
  const limit = maxVolumesPerNode === undefined ? {} : { maxVolumesPerNode };
  const driver = new CsiDriver(controller, { name, nodeIdOf: (node) => `i-0${node}`, ...limit, ...where });
  const socket = (): SocketServer<Actor, CsiController> => ({ process: controller, service: driver.controller });
  const sidecars = csiSidecars(cluster, { driver: name, socket });
  const install = async (_: Actor, client: Client): Promise<void> => {
    for (const [account, rules] of Object.entries(sidecarsOf(cluster).rules))
      await installAccount(client, { account, role: `system:${account}`, rules });
    for (const process of sidecars) process.start();
  };
  cluster.addProcess('install/csi-driver', KUBERNETES_ADMIN, install).start();
  for (const [node, { sockets, containerd }] of cluster.machines) {
    simulation.actor(`csi-node/${node}`, (actor) => runNodePlugin({ actor, sockets, driver, node, files: containerd.files })).start();
  }
  return driver;
}

/** The sidecars of a driver's controller: each a process with an account of its own, or all with that of their pod, by whose name they are called then. */
export function csiSidecars(
  cluster: Cluster,
  {
    pod,
    ...config
  }: Parameters<typeof runExternalAttacher>[0]['config'] & { readonly pod?: { readonly name: string; readonly account: string } },
): Actor[] {
  return Object.entries(sidecarsOf(cluster).runners).map(([sidecar, run]) =>
    cluster.addProcess(pod ? `${pod.name}/${sidecar}` : sidecar, serviceAccountUser(pod?.account ?? sidecar), (actor, client) =>
      run({ actor, client, config }),
    ),
  );
}

/** What all sidecars together may do. */
export function csiSidecarRules(cluster: Cluster): PolicyRule[] {
  return Object.values(sidecarsOf(cluster).rules).flat();
}

/** The driver's registrar of that node ends, and comes back by starting its process anew. */
export function unregisterCsiDriver(cluster: Cluster, driver: CsiDriver, node: string): void {
  cluster.simulation.actors.get(`csi-node/${node}`)?.crash();
  cluster.machines.get(node)?.sockets.remove(registrationSocket(driver.options.name));
}

/** What an administrator creates for the driver: its CSIDriver, and a class that is the cluster's default. */
export async function installCsiObjects(client: Client, driver: string): Promise<void> {
  await client.resource(csidrivers).create({ metadata: { name: driver }, spec: { attachRequired: true, podInfoOnMount: false } });
  await client.resource(storageclasses).create({
    metadata: { name: 'csi', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: driver,
    reclaimPolicy: 'Delete',
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
  });
}
