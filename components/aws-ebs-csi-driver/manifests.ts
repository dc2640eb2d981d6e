import { csidrivers, storageclasses } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { unlessThere } from '../../src/client/install.ts';

export const DRIVER_NAME = 'ebs.csi.aws.com';
/** The pod of the controller with its account, and the one on each node. */
export const EBS_CONTROLLER = { name: 'ebs-csi-controller', account: 'ebs-csi-controller-sa' };
export const EBS_NODE = 'ebs-csi-node';

/** What the EKS add-on creates, with `defaultStorageClass` switched on. What is there already stays. */
export async function installEbsCsiDriver(client: Client): Promise<void> {
  const driver = { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: 'ReadWriteOnceWithFSType' };
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const creations = [
    () => client.resource(csidrivers).create({ metadata: { name: DRIVER_NAME }, spec: driver }),
    () =>
      client.resource(storageclasses).create({
        metadata: { name: 'ebs-csi-default-sc', annotations: isDefault },
        provisioner: DRIVER_NAME,
        reclaimPolicy: 'Delete',
        allowVolumeExpansion: true,
        volumeBindingMode: 'WaitForFirstConsumer',
      }),
  ];
  for (const create of creations) await unlessThere(create());
}
