import type { CloudProvider } from '../../src/api/cloud-provider.ts';

/** The flags of cloud-controller-manager that are of use here. Times are virtual milliseconds. */
export interface CloudControllerManagerConfiguration {
  /** `--cloud-provider`: what talks to the cloud. */
  readonly cloud: CloudProvider;
  /** `--controllers`. Default: all. */
  readonly controllers: readonly string[];
  /** `--node-monitor-period` */
  readonly nodeMonitorPeriodMs: number;
  /** `--node-status-update-frequency` */
  readonly nodeStatusUpdateFrequencyMs: number;
  /** `--concurrent-node-syncs` */
  readonly concurrentNodeSyncs: number;
  /** `--concurrent-service-syncs` */
  readonly concurrentServiceSyncs: number;
  /** `--configure-cloud-routes`, which takes effect together with `--allocate-node-cidrs`. */
  readonly configureCloudRoutes: boolean;
  /** `--route-reconciliation-period` */
  readonly routeReconciliationPeriodMs: number;
  /** `--cluster-cidr`: routes to addresses outside of it are not ours. */
  readonly clusterCIDR: string;
}

/** k8s.io/cloud-provider options: what the flags are when nobody sets them. */
export const DEFAULT_CLOUD_CONTROLLER_MANAGER_CONFIGURATION: Omit<CloudControllerManagerConfiguration, 'cloud' | 'clusterCIDR'> = {
  controllers: ['*'],
  nodeMonitorPeriodMs: 5_000,
  nodeStatusUpdateFrequencyMs: 300_000,
  concurrentNodeSyncs: 1,
  concurrentServiceSyncs: 1,
  configureCloudRoutes: true,
  routeReconciliationPeriodMs: 10_000,
};
