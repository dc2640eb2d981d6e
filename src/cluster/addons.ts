import type { VpcCniConfig } from '../../components/amazon-vpc-cni/config.ts';
import { installDatabaseOperator, SERVICE_ACCOUNT } from '../../components/database-operator/manifests.ts';
import { runDatabaseOperator } from '../../components/database-operator/server.ts';
import { installDefaultSnapshotClass, installSnapshotController } from '../../components/external-snapshotter/manifests.ts';
import { installMetacontroller } from '../../components/metacontroller/manifests.ts';
import { installMetricsAdapter } from '../../components/metrics-adapter/manifests.ts';
import { installMetricsServer } from '../../components/metrics-server/manifests.ts';
import type { Client } from '../client/client.ts';
import type { Actor } from '../sim/actor.ts';
import type { AwsConfig } from './aws.ts';
import type { Cluster } from './cluster.ts';
import { addCsiDriver, type CsiDriverConfig, DEFAULT_DRIVER, installCsiObjects } from './csi.ts';
import { addEks } from './eks.ts';
import { KUBERNETES_ADMIN, serviceAccountUser } from './users.ts';

/** Programs that people install into a cluster. Nothing of them is there unless it is named here. */
export interface Addons {
  /** The operator of Databases and Backups, an example: its definitions are installed with it. */
  readonly 'database-operator'?: {
    /** Processes `database-operator-1`, `database-operator-2`, …; of several, one leads. Default 1. */
    readonly replicas?: number;
  };
  /** A storage driver in memory with its sidecars (provisioner, attacher, resizer), and a default StorageClass for it. */
  readonly 'csi-driver'?: CsiDriverConfig;
  /** Snapshots of volumes: external-snapshotter, with a sidecar for each driver, and a default class for the one in memory. */
  readonly 'snapshot-controller'?: Readonly<Record<string, never>>;
  /** Controllers that are written as hooks: CompositeController and DecoratorController. It runs in a pod of a StatefulSet in the namespace metacontroller. */
  readonly metacontroller?: Readonly<Record<string, never>>;
  /** metrics-server, for `kubectl top` and autoscalers: it runs in a pod in kube-system, as its manifest says. */
  readonly 'metrics-server'?: Readonly<Record<string, never>>;
  /** Custom and external metrics for autoscalers: the load on pods, and values in ConfigMaps. */
  readonly 'metrics-adapter'?: Readonly<Record<string, never>>;
  /** The cluster runs in an account of AWS: with any of the following it does. */
  readonly aws?: AwsConfig;
  /** Amazon EKS: all of the following. */
  readonly eks?: Readonly<Record<string, never>>;
  /** Pods have addresses of the VPC, as many as the type of their machine allows. */
  readonly 'amazon-vpc-cni'?: VpcCniConfig;
  /** Volumes of Amazon EBS, each in one zone. */
  readonly 'aws-ebs-csi-driver'?: Readonly<Record<string, never>>;
  /** Load balancers for Ingresses and Services. */
  readonly 'aws-load-balancer-controller'?: Readonly<Record<string, never>>;
  /** Buckets of S3 as objects of the cluster. */
  readonly 'ack-s3-controller'?: Readonly<Record<string, never>>;
  /** IAM roles for service accounts. */
  readonly 'amazon-eks-pod-identity-webhook'?: Readonly<Record<string, never>>;
}

export const ADDON_NAMES = [
  'csi-driver',
  'snapshot-controller',
  'database-operator',
  'metacontroller',
  'metrics-server',
  'metrics-adapter',
  'aws',
  'eks',
  'amazon-vpc-cni',
  'aws-ebs-csi-driver',
  'aws-load-balancer-controller',
  'ack-s3-controller',
  'amazon-eks-pod-identity-webhook',
] as const satisfies readonly (keyof Addons)[];

/** Installs the addons that the config names, as an administrator would, and starts them. */
export function addAddons(cluster: Cluster): void {
  const { addons = {} } = cluster.config;
  const databaseOperator = addons['database-operator'];
  if (databaseOperator) addDatabaseOperator(cluster, databaseOperator.replicas ?? 1);
  if (addons.metacontroller) install(cluster, { name: 'metacontroller', install: installMetacontroller, processes: [] });
  const csiDriver = addons['csi-driver'];
  if (csiDriver) {
    const { options } = addCsiDriver(cluster, csiDriver);
    install(cluster, { name: 'storage classes', install: (client) => installCsiObjects(client, options.name), processes: [] });
  }
  if (addons['snapshot-controller']) addSnapshotController(cluster);
  if (addons['metrics-server']) install(cluster, { name: 'metrics-server', install: installMetricsServer, processes: [] });
  if (addons['metrics-adapter']) install(cluster, { name: 'metrics-adapter', install: installMetricsAdapter, processes: [] });
  if (cluster.aws) addEks(cluster, cluster.aws);
}

function addDatabaseOperator(cluster: Cluster, replicas: number): void {
  const { namespace, name } = SERVICE_ACCOUNT;
  const leaderElection = { namespace, releaseOnCancel: true };
  const processes = Array.from({ length: replicas }, (_, index) =>
    cluster.addProcess(`${name}-${index + 1}`, serviceAccountUser(name, namespace), (actor, client) =>
      runDatabaseOperator({ actor, client, config: replicas > 1 ? { leaderElection } : {} }),
    ),
  );
  install(cluster, { name, install: installDatabaseOperator, processes });
}

/** With a default class for the driver in memory, as that has a default StorageClass. */
function addSnapshotController(cluster: Cluster): void {
  const { 'csi-driver': csiDriver } = cluster.config.addons ?? {};
  const installAll = async (client: Client): Promise<void> => {
    await installSnapshotController(client);
    if (csiDriver) await installDefaultSnapshotClass(client, { name: 'csi', driver: csiDriver.name ?? DEFAULT_DRIVER });
  };
  install(cluster, { name: 'snapshot-controller', install: installAll, processes: [] });
}

/** Its processes start when everything that they need is there. */
function install(
  cluster: Cluster,
  addon: { readonly name: string; readonly install: (client: Client) => Promise<void>; readonly processes: readonly Actor[] },
): void {
  const installer = cluster.addProcess(`install-${addon.name}`, KUBERNETES_ADMIN, async (_, client) => {
    await addon.install(client);
    for (const process of addon.processes) process.start();
  });
  installer.start();
}
