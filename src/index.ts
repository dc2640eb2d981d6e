import type * as AdmissionregistrationV1 from './api/kinds/admissionregistration-v1.ts';
import type * as ApiextensionsV1 from './api/kinds/apiextensions-v1.ts';
import type * as AppsV1 from './api/kinds/apps-v1.ts';
import type * as AutoscalingV1 from './api/kinds/autoscaling-v1.ts';
import type * as AutoscalingV2 from './api/kinds/autoscaling-v2.ts';
import type * as BatchV1 from './api/kinds/batch-v1.ts';
import type * as CertificatesV1 from './api/kinds/certificates-v1.ts';
import type * as CoordinationV1 from './api/kinds/coordination-v1.ts';
import type * as CoreV1 from './api/kinds/core-v1.ts';
import type * as DiscoveryV1 from './api/kinds/discovery-v1.ts';
import type * as EventsV1 from './api/kinds/events-v1.ts';
import type * as MetaV1 from './api/kinds/meta-v1.ts';
import type * as NetworkingV1 from './api/kinds/networking-v1.ts';
import type * as NodeV1 from './api/kinds/node-v1.ts';
import type * as PolicyV1 from './api/kinds/policy-v1.ts';
import type * as RbacV1 from './api/kinds/rbac-v1.ts';
import type * as ResourceV1 from './api/kinds/resource-v1.ts';
import type * as SchedulingV1 from './api/kinds/scheduling-v1.ts';
import type * as StorageV1 from './api/kinds/storage-v1.ts';
import * as resources from './api/resources.ts';
import * as framework from './cluster/scheduler-framework.ts';

// Objects of the API
export { setStatusCondition } from './api/conditions.ts';
export type { HttpAnswer, HttpCall } from './api/cri.ts';
export type { KubernetesList, KubernetesObject, NamespacedName } from './api/object.ts';
// Client
export type { Outbound, OutboundAnswer, OutboundRequest } from './api/outbound.ts';
export type { ApiRequest, ApiResponse, UserInfo, WatchEvent, WatchSink } from './api/request.ts';
export type { Resource, Subresource } from './api/resource.ts';
// Errors of the API
export {
  ApiStatusError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNamespaceTerminating,
  isNotFound,
  isTooManyRequests,
} from './api/status-error.ts';
// Controllers, in the manner of controller-runtime
export { type CachedListOptions, CachedReader } from './client/cached-reader.ts';
export type {
  Client,
  ListOptions,
  PatchOptions,
  PatchType,
  RequestOptions,
  ResourceClient,
  WatchOptions,
  WriteOptions,
} from './client/client.ts';
// Controllers, in the manner of client-go
export { runWorkers, type WorkersOptions } from './client/controller.ts';
export { setControllerReference } from './client/controller-reference.ts';
export {
  type Controller,
  type ControllerDefinition,
  type ControllerHost,
  defineController,
  type OwnedDefinition,
  owning,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
  type UserController,
  type WatchDefinition,
  watching,
} from './client/controller-runtime.ts';
export { createOrUpdate, type OperationResult } from './client/create-or-update.ts';
export { customResource } from './client/custom-resource.ts';
export { type EventOptions, EventRecorder, type EventRecorderOptions, type EventType } from './client/event-recorder.ts';
export { ControllerExpectations, UIDTrackingControllerExpectations } from './client/expectations.ts';
export { addFinalizer, containsFinalizer, removeFinalizer } from './client/finalizers.ts';
export type { Indexer, IndexFunction } from './client/indexer.ts';
export { type EventHandler, SharedInformer, type SharedInformerOptions } from './client/informer.ts';
export { SharedInformerFactory } from './client/informer-factory.ts';
export { LeaderElector, type LeaderElectorOptions } from './client/leader-election.ts';
export { defineManager, type LeaderElectionConfig, type ManagerDefinition } from './client/manager.ts';
export { type Change, observe } from './client/observe.ts';
export { annotationsChanged, anyOf, generationChanged, labelsChanged, type Predicate } from './client/predicates.ts';
export {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  MaxOfRateLimiter,
  type RateLimiter,
} from './client/rate-limiters.ts';
export { DEFAULT_BACKOFF, DEFAULT_RETRY, type RetryOptions, type RetrySteps, retryOnConflict } from './client/retry.ts';
export { TerminalError } from './client/terminal-error.ts';
export type { WatchHandle } from './client/transport.ts';
export { RateLimitingQueue, type RateLimitingQueueOptions } from './client/workqueue.ts';
// Cluster
export { type Cluster, createCluster, type KubectlInput } from './cluster/cluster.ts';
export type {
  ClusterConfig,
  ComponentName,
  CreateClusterOptions,
  NodeConfig,
  ObservationConfig,
  SchedulerConfig,
} from './cluster/config.ts';
export type { Fault } from './cluster/faults.ts';
export { objectAt, objectsAt } from './cluster/history.ts';
export type { HttpInput } from './cluster/http-entrance.ts';
export type { Load } from './cluster/load.ts';
export type { Visit, VisitResult } from './cluster/service-network.ts';
export { KUBERNETES_ADMIN } from './cluster/users.ts';
export type { KubectlResult } from './kubectl/kubectl.ts';
// Simulation
export type { Actor, Priority, Timer } from './sim/actor.ts';
export { ActorUnavailable } from './sim/actor-unavailable.ts';
export { BoundExceeded } from './sim/bound-exceeded.ts';
export type { InputRecord } from './sim/inputs.ts';
export { type Bounds, Simulation, type SimulationOptions } from './sim/simulation.ts';
export type { ObjectReference, Trace, TraceEntry, TraceEvent, TraceLevel } from './sim/trace.ts';
export type {
  AdmissionregistrationV1,
  ApiextensionsV1,
  AppsV1,
  AutoscalingV1,
  AutoscalingV2,
  BatchV1,
  CertificatesV1,
  CoordinationV1,
  CoreV1,
  DiscoveryV1,
  EventsV1,
  MetaV1,
  NetworkingV1,
  NodeV1,
  PolicyV1,
  RbacV1,
  ResourceV1,
  SchedulingV1,
  StorageV1,
};
// Objects of the API: descriptors of all built-in resources, and the types of their kinds by group and version
// Scheduler plugins: kube-scheduler's framework, and the configuration that enables them
export { framework, resources };
