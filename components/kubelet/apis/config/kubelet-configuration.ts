/** KubeletConfiguration (kubelet.config.k8s.io/v1beta1), as far as it is modelled: what a node's kubelet is told otherwise than by default. Durations as `30s`. */
export interface KubeletConfiguration {
  /** How long a shutdown of the node waits for its pods in all. Default 0: it does not. */
  readonly shutdownGracePeriod?: string;
  /** The part of it that is kept for critical pods. */
  readonly shutdownGracePeriodCriticalPods?: string;
  /** Instead of both: how long each range of priorities has, from the lowest on. */
  readonly shutdownGracePeriodByPodPriority?: readonly { readonly priority: number; readonly shutdownGracePeriodSeconds: number }[];
  /** By signal, e.g. `{ nodefs.available: 10% }`. Signals that are not named have no threshold, as in the real one; all absent: the defaults. */
  readonly evictionHard?: Readonly<Record<string, string>>;
  readonly evictionSoft?: Readonly<Record<string, string>>;
  readonly evictionSoftGracePeriod?: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly evictionMaxPodGracePeriod?: number;
  readonly evictionPressureTransitionPeriod?: string;
  /** By signal: how much more than the threshold is reclaimed once it is met. */
  readonly evictionMinimumReclaim?: Readonly<Record<string, string>>;
  readonly imageGCHighThresholdPercent?: number;
  readonly imageGCLowThresholdPercent?: number;
  readonly imageMinimumGCAge?: string;
  /** Kernel parameters that pods may set besides the safe ones; `*` at the end stands for anything. */
  readonly allowedUnsafeSysctls?: readonly string[];
}

/** Their names, for readers of files. */
export const KUBELET_CONFIGURATION_FIELDS: readonly (keyof KubeletConfiguration)[] = [
  'shutdownGracePeriod',
  'shutdownGracePeriodCriticalPods',
  'shutdownGracePeriodByPodPriority',
  'evictionHard',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'evictionMaxPodGracePeriod',
  'evictionPressureTransitionPeriod',
  'evictionMinimumReclaim',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'imageMinimumGCAge',
  'allowedUnsafeSysctls',
];
