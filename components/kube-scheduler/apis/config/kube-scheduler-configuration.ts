/** kubescheduler.config.k8s.io/v1 PluginSet */
export interface PluginSet {
  readonly enabled?: readonly { readonly name: string; readonly weight?: number }[];
  readonly disabled?: readonly { readonly name: string }[];
}

/** kubescheduler.config.k8s.io/v1 Plugins: what runs at each extension point. */
interface Plugins {
  readonly multiPoint?: PluginSet;
  readonly preEnqueue?: PluginSet;
  readonly queueSort?: PluginSet;
  readonly preFilter?: PluginSet;
  readonly filter?: PluginSet;
  readonly postFilter?: PluginSet;
  readonly preScore?: PluginSet;
  readonly score?: PluginSet;
  readonly reserve?: PluginSet;
  readonly permit?: PluginSet;
  readonly preBind?: PluginSet;
  readonly bind?: PluginSet;
  readonly postBind?: PluginSet;
}

/** kubescheduler.config.k8s.io/v1 KubeSchedulerProfile */
export interface KubeSchedulerProfile {
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: Plugins;
  readonly pluginConfig?: readonly { readonly name: string; readonly args?: unknown }[];
}

/** kubescheduler.config.k8s.io/v1 Extender */
export interface ExtenderConfiguration {
  readonly urlPrefix: string;
  readonly filterVerb?: string;
  readonly preemptVerb?: string;
  readonly prioritizeVerb?: string;
  readonly weight?: number;
  readonly bindVerb?: string;
  readonly enableHTTPS?: boolean;
  readonly tlsConfig?: { readonly insecure?: boolean; readonly caData?: string };
  /** Default `5s`. */
  readonly httpTimeout?: string;
  /** It knows the nodes: names are enough. */
  readonly nodeCacheCapable?: boolean;
  readonly managedResources?: readonly { readonly name: string; readonly ignoredByScheduler?: boolean }[];
  /** Scheduling goes on when it does not answer. */
  readonly ignorable?: boolean;
}

interface LeaderElectionConfiguration {
  readonly leaderElect?: boolean;
  readonly leaseDuration?: string;
  readonly renewDeadline?: string;
  readonly retryPeriod?: string;
  readonly resourceName?: string;
  readonly resourceNamespace?: string;
}

/** kubescheduler.config.k8s.io/v1 KubeSchedulerConfiguration, as far as it means something here. */
export interface KubeSchedulerConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  /** Checked, and of no effect: nothing runs in parallel here. */
  readonly parallelism?: number;
  readonly percentageOfNodesToScore?: number;
  readonly podInitialBackoffSeconds?: number;
  readonly podMaxBackoffSeconds?: number;
  readonly profiles?: readonly KubeSchedulerProfile[];
  readonly extenders?: readonly ExtenderConfiguration[];
  readonly leaderElection?: LeaderElectionConfiguration;
}

/** The configuration with every default filled in (SetDefaults_KubeSchedulerConfiguration). */
export interface CompletedConfiguration {
  readonly parallelism: number;
  readonly percentageOfNodesToScore: number;
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  readonly profiles: readonly (KubeSchedulerProfile & { readonly schedulerName: string })[];
  readonly extenders: readonly ExtenderConfiguration[];
  readonly leaderElection: Required<LeaderElectionConfiguration>;
}

const DEFAULT_SCHEDULER_NAME = 'default-scheduler';

/** pkg/scheduler/apis/config/v1 SetDefaults_KubeSchedulerConfiguration */
export function completeConfiguration(config: KubeSchedulerConfiguration = {}): CompletedConfiguration {
  const extenders = config.extenders ?? [];
  const ignored = extenders.flatMap(({ managedResources = [] }) =>
    managedResources.flatMap((one) => (one.ignoredByScheduler ? one.name : [])),
  );
  const profiles = config.profiles?.length ? config.profiles : [{}];
  return {
    parallelism: config.parallelism ?? 16,
    percentageOfNodesToScore: config.percentageOfNodesToScore ?? 0,
    podInitialBackoffSeconds: config.podInitialBackoffSeconds ?? 1,
    podMaxBackoffSeconds: config.podMaxBackoffSeconds ?? 10,
    profiles: profiles.map((profile) => ignoring(ignored, { ...profile, schedulerName: profile.schedulerName ?? DEFAULT_SCHEDULER_NAME })),
    extenders,
    leaderElection: {
      leaderElect: config.leaderElection?.leaderElect ?? true,
      leaseDuration: config.leaderElection?.leaseDuration ?? '15s',
      renewDeadline: config.leaderElection?.renewDeadline ?? '10s',
      retryPeriod: config.leaderElection?.retryPeriod ?? '2s',
      resourceName: config.leaderElection?.resourceName ?? 'kube-scheduler',
      resourceNamespace: config.leaderElection?.resourceNamespace ?? 'kube-system',
    },
  };
}

/** Resources that extenders account for: scheduler.go New gives them to NodeResourcesFit of every profile. */
function ignoring<T extends KubeSchedulerProfile>(names: readonly string[], profile: T): T {
  if (names.length === 0) return profile;
  const { pluginConfig = [] } = profile;
  const fit = pluginConfig.find(({ name }) => name === 'NodeResourcesFit');
  const args = (fit?.args ?? {}) as { readonly ignoredResources?: readonly string[] };
  const changed = { name: 'NodeResourcesFit', args: { ...args, ignoredResources: [...(args.ignoredResources ?? []), ...names] } };
  return { ...profile, pluginConfig: [...pluginConfig.filter((one) => one !== fit), changed] };
}
