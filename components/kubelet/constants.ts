/** Times and limits of the kubelet, in virtual milliseconds unless said otherwise. Each line names the upstream constant or its default. */

/** pkg/kubelet/kubelet.go plegRelistPeriod (generic PLEG) */
export const PLEG_RELIST_MS = 1_000;
/** pkg/kubelet/kubelet.go genericPlegRelistThreshold, maxWaitForContainerRuntime: after so long without an answer of the runtime the node is not ready */
export const PLEG_RELIST_THRESHOLD_MS = 180_000;
export const RUNTIME_SYNC_THRESHOLD_MS = 30_000;
/** How long a report of the node waits for a runtime that stands still. The real one asks it apart from its reports. */
export const RUNTIME_ANSWER_MS = 1_000;
/** pkg/kubelet/kubelet.go syncLoop's ticker */
export const SYNC_TICK_MS = 1_000;
/** pkg/kubelet/pod_workers.go: a failed sync comes again after backOffPeriod, jittered by workerBackOffPeriodJitterFactor */
export const BACK_OFF_PERIOD_MS = 10_000;
export const WORKER_BACK_OFF_PERIOD_JITTER_FACTOR = 0.5;
/** pkg/kubelet/pod_workers.go: the same while the network is not ready */
export const NETWORK_BACK_OFF_PERIOD_MS = 1_000;

/** KubeletConfiguration clusterDNS and clusterDomain, as kubeadm writes them; the name server of the machine itself */
export const CLUSTER_DNS = '10.96.0.10';
export const CLUSTER_DOMAIN = 'cluster.local';
export const NODE_DNS = '192.168.100.1';

/** KubeletConfiguration fileCheckFrequency */
export const FILE_CHECK_MS = 20_000;
/** After so long a mirror pod that could not be written is tried again: stands for the next sync of its static pod. */
export const MIRROR_RETRY_MS = 60_000;

/** pkg/kubelet/kubelet.go ContainerGCPeriod */
export const CONTAINER_GC_MS = 60_000;
/** pkg/kubelet/status/status_manager.go syncPeriod */
export const STATUS_SYNC_PERIOD_MS = 10_000;

/** pkg/kubelet/kubelet.go MaxCrashLoopBackOff and initial back-off of containers */
export const CONTAINER_BACK_OFF_MS = 10_000;
export const CONTAINER_BACK_OFF_MAX_MS = 300_000;
/** pkg/kubelet/kubelet.go imageBackOffPeriod, MaxImageBackOff */
export const IMAGE_BACK_OFF_MS = 10_000;
export const IMAGE_BACK_OFF_MAX_MS = 300_000;

/** pkg/kubelet/kuberuntime/kuberuntime_container.go minimumGracePeriodInSeconds */
export const MINIMUM_GRACE_PERIOD_SECONDS = 2;

/** pkg/kubelet/volumemanager/volume_manager.go podAttachAndMountTimeout, podAttachAndMountRetryInterval */
export const VOLUME_MOUNT_TIMEOUT_MS = 123_000;
export const VOLUME_WAIT_POLL_MS = 300;
/** pkg/volume/util/... exponential back-off of a failed mount */
export const VOLUME_RETRY_MS = 500;
export const VOLUME_RETRY_MAX_MS = 122_000;

/** KubeletConfiguration syncFrequency: how often the files of mounted ConfigMaps, Secrets and downward API fields are brought up to date */
export const VOLUME_REFRESH_MS = 60_000;

/** KubeletConfiguration nodeStatusUpdateFrequency, nodeStatusReportFrequency; jitter of component-helpers */
export const NODE_STATUS_UPDATE_MS = 10_000;
export const NODE_STATUS_REPORT_MS = 300_000;
export const NODE_STATUS_JITTER = 0.04;
/** KubeletConfiguration nodeLeaseDurationSeconds; renewed at a quarter of it */
export const NODE_LEASE_DURATION_SECONDS = 40;
export const NODE_LEASE_RENEW_MS = 10_000;
/** pkg/kubelet/kubelet_node_status.go: first try of registering, then doubled up to 7 s */
export const REGISTER_RETRY_MS = 100;
export const REGISTER_RETRY_MAX_MS = 7_000;

/** pkg/kubelet/eviction monitoringInterval; KubeletConfiguration evictionPressureTransitionPeriod; default hard threshold memory.available<100Mi */
export const EVICTION_MONITORING_MS = 10_000;
export const EVICTION_PRESSURE_TRANSITION_MS = 300_000;
/** pkg/kubelet/allocation retryDelay: how long a resize waits for room until it is tried again unasked */
export const RESIZE_RETRY_MS = 180_000;
/** pkg/kubelet/kubelet.go ImageGCPeriod */
export const IMAGE_GC_MS = 300_000;

/** pkg/kubelet/prober/prober.go maxProbeRetries */
export const MAX_PROBE_RETRIES = 3;
/** pkg/probe/exec maxReadLength */
export const PROBE_OUTPUT_MAX = 10 * 1024;

/** pkg/kubelet/kuberuntime/kuberuntime_container.go: termination messages */
export const TERMINATION_MESSAGE_MAX = 4096;
export const TERMINATION_LOG_LINES_MAX = 80;
export const TERMINATION_LOG_BYTES_MAX = 2048;

/**
 * How many failed syncs of a pod in a row still count as something that a person waits for. Later ones are background to the simulation: a pod that waits
 * for a ConfigMap that nobody creates must not keep a cluster unsettled for ever. No upstream counterpart.
 */
export const WORK_RETRIES = 4;
/** The same for a probe that has not succeeded yet. */
export const WORK_PROBE_MS = 120_000;
