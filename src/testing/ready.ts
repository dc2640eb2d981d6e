import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../api/kinds/apps-v1.ts';
import type { PersistentVolumeClaim } from '../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../api/object.ts';

interface WithConditions {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

type Check = (object: KubernetesObject) => boolean;

/** The condition that says that an object of the kind does what it is for. */
const CONDITION: Readonly<Record<string, string>> = { Job: 'Complete', CustomResourceDefinition: 'Established', APIService: 'Available' };

const CHECKS: Readonly<Record<string, Check>> = {
  Deployment: (object) => isDeploymentReady(object as Deployment),
  ReplicaSet: (object) => isReplicaSetReady(object as ReplicaSet),
  ReplicationController: (object) => isReplicaSetReady(object as ReplicaSet),
  StatefulSet: (object) => isStatefulSetReady(object as StatefulSet),
  DaemonSet: (object) => isDaemonSetReady(object as DaemonSet),
  PersistentVolumeClaim: (object) => (object as PersistentVolumeClaim).status?.phase === 'Bound',
};

/**
 * Whether an object is in the state that it is meant to be in: all pods of a workload are new and ready, a Pod is Ready, a Job complete, a claim bound, and so on.
 * An object of another kind is ready when its condition `Ready` says so, or when it has no such condition.
 */
export function isReady(object: KubernetesObject): boolean {
  const check = CHECKS[object.kind ?? ''];
  if (check) return check(object);
  const { conditions = [] } = (object as WithConditions).status ?? {};
  const required = object.kind === 'Pod' || object.kind === 'Node' ? 'Ready' : CONDITION[object.kind ?? ''];
  const condition = conditions.find(({ type }) => type === (required ?? 'Ready'));
  return condition ? condition.status === 'True' : required === undefined;
}

function isObserved(object: {
  readonly metadata: { readonly generation?: number };
  readonly status?: { readonly observedGeneration?: number };
}): boolean {
  return (object.status?.observedGeneration ?? 0) >= (object.metadata.generation ?? 0);
}

function isDeploymentReady(deployment: Deployment): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = deployment.status ?? {};
  const wanted = deployment.spec?.replicas ?? 1;
  return isObserved(deployment) && updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted;
}

function isReplicaSetReady(set: ReplicaSet): boolean {
  const { replicas = 0, readyReplicas = 0 } = set.status ?? {};
  const wanted = set.spec?.replicas ?? 1;
  return isObserved(set) && replicas === wanted && readyReplicas === wanted;
}

function isStatefulSetReady(set: StatefulSet): boolean {
  const { replicas = 0, readyReplicas = 0, currentRevision, updateRevision } = set.status ?? {};
  const wanted = set.spec?.replicas ?? 1;
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  const isNew = currentRevision === updateRevision || partition > 0 || set.spec?.updateStrategy?.type === 'OnDelete';
  return isObserved(set) && replicas === wanted && readyReplicas === wanted && isNew;
}

function isDaemonSetReady(set: DaemonSet): boolean {
  const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = set.status ?? {};
  return isObserved(set) && updatedNumberScheduled === desiredNumberScheduled && numberAvailable === desiredNumberScheduled;
}
