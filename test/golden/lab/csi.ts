// The storage driver of recordings, with its sidecars.
import type { CsiCall, CsiDriver } from '../../../components/csi-driver/driver.ts';
import type { StorageClass } from '../../../src/api/kinds/storage-v1.ts';
import { csidrivers, storageclasses } from '../../../src/api/resources.ts';
import { RPC_CODES } from '../../../src/api/rpc-error.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { addCsiDriver, unregisterCsiDriver } from '../../../src/cluster/csi.ts';
import type { LabSystem } from './system.ts';

const NODE = 'n1';

const common = { provisioner: 'example.csi.k8s.io', parameters: { type: 'ssd' }, reclaimPolicy: 'Delete', allowVolumeExpansion: true };

const CLASSES: readonly StorageClass[] = [
  { ...common, metadata: { name: 'example-csi' }, volumeBindingMode: 'Immediate' },
  { ...common, metadata: { name: 'example-csi-wait' }, volumeBindingMode: 'WaitForFirstConsumer' },
  { metadata: { name: 'example-csi-retain' }, provisioner: common.provisioner, reclaimPolicy: 'Retain', volumeBindingMode: 'Immediate' },
];

interface Lab {
  readonly driver: CsiDriver;
  calls: CsiCall[];
}

const labs = new WeakMap<Cluster, Lab>();

function labOf(cluster: Cluster): Lab {
  const lab = labs.get(cluster);
  if (!lab) throw new Error('this cluster has no storage driver');
  return lab;
}

export const CSI_LAB: LabSystem = {
  clusterFor: ({ needs }) => (needs?.includes('CSI') ? { flags: { kubelet: { 'node-status-update-frequency': '1s' } } } : {}),
  prepare: async (cluster, { needs }) => {
    if (!needs?.includes('CSI')) return;
    const lab: Lab = { driver: addCsiDriver(cluster), calls: [] };
    labs.set(cluster, lab);
    lab.driver.onCall((call) => lab.calls.push(call));
    await cluster.call(async (client) => {
      const spec = { attachRequired: true, podInfoOnMount: false, volumeLifecycleModes: ['Persistent'], fsGroupPolicy: 'None' };
      await client.resource(csidrivers).create({ metadata: { name: lab.driver.options.name }, spec });
      for (const storageClass of CLASSES) await client.resource(storageclasses).create(storageClass);
    });
    await cluster.settle();
    await cluster.advance(3_000);
  },
  routes: {
    '/lab/csi/calls': ({ cluster, query }) => {
      const lab = labOf(cluster);
      const about = query.get('about') ?? '';
      const told = lab.calls.filter((call) => JSON.stringify(call).includes(about));
      lab.calls = [];
      return told;
    },
    '/lab/csi/fail': ({ cluster, body }) => {
      const { method, code, message = '' } = body as { method: string; code: number; message?: string };
      const { failures } = labOf(cluster).driver;
      const name = RPC_CODES[code];
      if (code === 0 || !name) failures.delete(method);
      else failures.set(method, { code: name, message });
    },
    '/lab/csi/limit': ({ cluster, body }) => void (labOf(cluster).driver.maxVolumesPerNode = (body as { max: number }).max),
    '/lab/csi/unregister': ({ cluster }) => unregisterCsiDriver(cluster, labOf(cluster).driver, NODE),
    '/lab/csi/register': ({ cluster }) => cluster.simulation.actors.get(`csi-node/${NODE}`)?.start(),
  },
};
