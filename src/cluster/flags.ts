import type { CloudControllerManagerConfiguration } from '../../components/cloud-controller-manager/config.ts';
import type { KubeApiserverConfig } from '../../components/kube-apiserver/config.ts';
import type { KubeControllerManagerConfiguration } from '../../components/kube-controller-manager/config.ts';
import type { KubeletConfig } from '../../components/kubelet/config.ts';
import { newBadRequest } from '../api/status-error.ts';
import { parseDuration } from '../api/time.ts';

export { problemWithCloudControllers } from '../../components/cloud-controller-manager/server.ts';
export { problemWithControllers } from '../../components/kube-controller-manager/controller-names.ts';

/** Flags as on the command lines of the components; durations as `2s`. What is absent is as by default. */
export interface ComponentFlags {
  readonly 'kube-apiserver'?: {
    /** Services of APIServices are reached by their endpoints instead of their cluster IP. */
    readonly 'enable-aggregator-routing'?: boolean;
    readonly 'service-account-issuer'?: string;
  };
  readonly 'kube-controller-manager'?: {
    readonly 'horizontal-pod-autoscaler-sync-period'?: string;
    readonly 'horizontal-pod-autoscaler-downscale-stabilization'?: string;
    readonly 'horizontal-pod-autoscaler-cpu-initialization-period'?: string;
    readonly 'horizontal-pod-autoscaler-initial-readiness-delay'?: string;
    readonly 'horizontal-pod-autoscaler-tolerance'?: number;
  };
  readonly 'cloud-controller-manager'?: {
    readonly 'node-monitor-period'?: string;
    readonly 'node-status-update-frequency'?: string;
    readonly 'route-reconciliation-period'?: string;
    readonly 'cluster-cidr'?: string;
    readonly 'configure-cloud-routes'?: boolean;
    readonly controllers?: readonly string[];
  };
  readonly kubelet?: {
    readonly 'node-status-update-frequency'?: string;
  };
}

/** @throws ApiStatusError when a duration is none */
export function cloudControllerManagerFlags({
  'cloud-controller-manager': flags = {},
}: ComponentFlags): Partial<CloudControllerManagerConfiguration> {
  const { 'cluster-cidr': clusterCIDR, 'configure-cloud-routes': configureCloudRoutes, controllers } = flags;
  return {
    ...duration(flags, 'node-monitor-period', 'nodeMonitorPeriodMs'),
    ...duration(flags, 'node-status-update-frequency', 'nodeStatusUpdateFrequencyMs'),
    ...duration(flags, 'route-reconciliation-period', 'routeReconciliationPeriodMs'),
    ...(clusterCIDR === undefined ? {} : { clusterCIDR }),
    ...(configureCloudRoutes === undefined ? {} : { configureCloudRoutes }),
    ...(controllers === undefined ? {} : { controllers }),
  };
}

type DurationFlag<Flags> = { [Name in keyof Flags]-?: NonNullable<Flags[Name]> extends string ? Name : never }[keyof Flags];

export function kubeApiserverFlags({ 'kube-apiserver': flags = {} }: ComponentFlags): Partial<KubeApiserverConfig> {
  const { 'enable-aggregator-routing': routing, 'service-account-issuer': serviceAccountIssuer } = flags;
  return {
    ...(routing === undefined ? {} : { enableAggregatorRouting: routing }),
    ...(serviceAccountIssuer === undefined ? {} : { serviceAccountIssuer }),
  };
}

/** @throws ApiStatusError when a duration is none */
export function kubeControllerManagerFlags({
  'kube-controller-manager': flags = {},
}: ComponentFlags): Partial<KubeControllerManagerConfiguration> {
  const tolerance = flags['horizontal-pod-autoscaler-tolerance'];
  return {
    ...duration(flags, 'horizontal-pod-autoscaler-sync-period', 'horizontalPodAutoscalerSyncPeriodMs'),
    ...duration(flags, 'horizontal-pod-autoscaler-downscale-stabilization', 'horizontalPodAutoscalerDownscaleStabilizationMs'),
    ...duration(flags, 'horizontal-pod-autoscaler-cpu-initialization-period', 'horizontalPodAutoscalerCpuInitializationPeriodMs'),
    ...duration(flags, 'horizontal-pod-autoscaler-initial-readiness-delay', 'horizontalPodAutoscalerInitialReadinessDelayMs'),
    ...(tolerance === undefined ? {} : { horizontalPodAutoscalerTolerance: tolerance }),
  };
}

/** @throws ApiStatusError when a duration is none */
export function kubeletFlags({ kubelet: flags = {} }: ComponentFlags): Partial<KubeletConfig> {
  return duration(flags, 'node-status-update-frequency', 'nodeStatusUpdateFrequencyMs');
}

function duration<Flags extends object, Field extends string>(
  flags: Flags,
  name: DurationFlag<Flags> & string,
  field: Field,
): Partial<Record<Field, number>> {
  const text = (flags as Readonly<Record<string, string | undefined>>)[name];
  if (text === undefined) return {};
  const ms = parseDuration(text);
  if (ms === undefined) throw newBadRequest(`invalid argument "${text}" for "--${name}" flag: time: invalid duration "${text}"`);
  return { [field]: ms } as Partial<Record<Field, number>>;
}
