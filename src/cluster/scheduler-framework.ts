// What the author of a plugin needs: `import { framework } from 'bottleship'`, named as k8s.io/kube-scheduler/framework names it.
export type {
  KubeSchedulerConfiguration,
  KubeSchedulerProfile,
  PluginSet,
} from '../../components/kube-scheduler/apis/config/kube-scheduler-configuration.ts';
export type { Snapshot } from '../../components/kube-scheduler/backend/cache/snapshot.ts';
export type { SchedulingDecision } from '../../components/kube-scheduler/explain.ts';
export { CycleState, type StateData, StateKey } from '../../components/kube-scheduler/framework/cycle-state.ts';
export {
  ActionType,
  type ClusterEvent,
  type ClusterEventWithHint,
  type EventResource,
} from '../../components/kube-scheduler/framework/events.ts';
export {
  type Handle,
  MAX_NODE_SCORE,
  type NodeScore,
  type NodeToStatus,
  type Plugin,
  type PluginFactory,
  type PostFilterResult,
  type PreFilterResult,
  type QueuedPod,
} from '../../components/kube-scheduler/framework/interface.ts';
export type { Lister, Listers } from '../../components/kube-scheduler/framework/listers.ts';
export type { NodeInfo, Resource } from '../../components/kube-scheduler/framework/node-info.ts';
export type { PodInfo } from '../../components/kube-scheduler/framework/pod-info.ts';
export type { WaitingPod, WaitingPods } from '../../components/kube-scheduler/framework/runtime/waiting-pods-map.ts';
export { type Code, Status } from '../../components/kube-scheduler/framework/status.ts';
export { defaultNormalizeScore } from '../../components/kube-scheduler/plugins/helper/normalize-score.ts';
