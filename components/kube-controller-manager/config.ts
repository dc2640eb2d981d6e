import { ROOT_CA, ROOT_CA_KEY } from './certificates/rootcacertpublisher/root-ca.ts';

/** Settings of the process: pkg/controller/apis/config KubeControllerManagerConfiguration, as far as they are modelled. */
export interface KubeControllerManagerConfiguration {
  /** Names of controllers to run; `*` stands for all that are on by default, `-name` turns one off. */
  readonly controllers: readonly string[];
  readonly leaderElect: boolean;
  /** How many keys of one kind are worked on at once. */
  readonly concurrentSyncs: number;
  /** Give each node a range of pod addresses out of `clusterCIDR`. Off, the network of the nodes is set up by other means. */
  readonly allocateNodeCIDRs: boolean;
  /** One range for each IP family, with a comma between. */
  readonly clusterCIDR: string;
  /** The authority that signs certificates: its own certificate (PEM), and its private number in hexadecimal. */
  readonly clusterSigningCert: string;
  readonly clusterSigningKey: string;
  /** How often an autoscaler is looked at. */
  readonly horizontalPodAutoscalerSyncPeriodMs: number;
  /** So long the highest recommendation holds against a lower one. */
  readonly horizontalPodAutoscalerDownscaleStabilizationMs: number;
  /** For so long after its start a pod may use cpu that says nothing of its load. */
  readonly horizontalPodAutoscalerCpuInitializationPeriodMs: number;
  /** A pod that became unready so soon after its start never was ready. */
  readonly horizontalPodAutoscalerInitialReadinessDelayMs: number;
  /** How far usage may be from the target without anything happening. */
  readonly horizontalPodAutoscalerTolerance: number;
}

/** pkg/controller/apis/config/v1alpha1 defaults */
export const DEFAULT_KUBE_CONTROLLER_MANAGER_CONFIGURATION: KubeControllerManagerConfiguration = {
  controllers: ['*'],
  leaderElect: true,
  concurrentSyncs: 5,
  allocateNodeCIDRs: false,
  clusterCIDR: '10.244.0.0/16',
  clusterSigningCert: ROOT_CA,
  clusterSigningKey: ROOT_CA_KEY,
  horizontalPodAutoscalerSyncPeriodMs: 15_000,
  horizontalPodAutoscalerDownscaleStabilizationMs: 300_000,
  horizontalPodAutoscalerCpuInitializationPeriodMs: 300_000,
  horizontalPodAutoscalerInitialReadinessDelayMs: 30_000,
  horizontalPodAutoscalerTolerance: 0.1,
};
