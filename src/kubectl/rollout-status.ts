import type { DaemonSet, Deployment, StatefulSet } from '../api/kinds/apps-v1.ts';
import { KubectlError } from './kubectl-error.ts';

/** How far a rollout is, in one line. */
export interface RolloutStatus {
  readonly text: string;
  readonly done: boolean;
}

const waiting = (text: string): RolloutStatus => ({ text, done: false });

/** kubectl polymorphichelpers DeploymentStatusViewer.Status. @throws KubectlError when the deadline has passed */
export function deploymentStatus(deployment: Deployment): RolloutStatus {
  const { name, generation = 0 } = deployment.metadata;
  const { observedGeneration = 0, updatedReplicas = 0, replicas = 0, availableReplicas = 0, conditions = [] } = deployment.status ?? {};
  const wanted = deployment.spec?.replicas ?? 1;
  const unfinished = (rest: string): RolloutStatus => waiting(`Waiting for deployment "${name}" rollout to finish: ${rest}`);
  if (generation > observedGeneration) return waiting('Waiting for deployment spec update to be observed...');
  if (conditions.some((condition) => condition.type === 'Progressing' && condition.reason === 'ProgressDeadlineExceeded')) {
    throw new KubectlError(`error: deployment "${name}" exceeded its progress deadline`);
  }
  if (updatedReplicas < wanted) return unfinished(`${updatedReplicas} out of ${wanted} new replicas have been updated...`);
  if (replicas > updatedReplicas) return unfinished(`${replicas - updatedReplicas} old replicas are pending termination...`);
  if (availableReplicas < updatedReplicas)
    return unfinished(`${availableReplicas} of ${updatedReplicas} updated replicas are available...`);
  return { text: `deployment "${name}" successfully rolled out`, done: true };
}

/** kubectl polymorphichelpers DaemonSetStatusViewer.Status. @throws KubectlError for other strategies than RollingUpdate */
export function daemonSetStatus(daemonSet: DaemonSet): RolloutStatus {
  requireRollingUpdate(daemonSet.spec?.updateStrategy?.type);
  const { name, generation = 0 } = daemonSet.metadata;
  const { observedGeneration = 0, updatedNumberScheduled = 0, desiredNumberScheduled = 0, numberAvailable = 0 } = daemonSet.status ?? {};
  const unfinished = (rest: string): RolloutStatus => waiting(`Waiting for daemon set "${name}" rollout to finish: ${rest}`);
  if (generation > observedGeneration) return waiting('Waiting for daemon set spec update to be observed...');
  if (updatedNumberScheduled < desiredNumberScheduled)
    return unfinished(`${updatedNumberScheduled} out of ${desiredNumberScheduled} new pods have been updated...`);
  if (numberAvailable < desiredNumberScheduled)
    return unfinished(`${numberAvailable} of ${desiredNumberScheduled} updated pods are available...`);
  return { text: `daemon set "${name}" successfully rolled out`, done: true };
}

/** kubectl polymorphichelpers StatefulSetStatusViewer.Status. @throws KubectlError for other strategies than RollingUpdate */
export function statefulSetStatus(statefulSet: StatefulSet): RolloutStatus {
  requireRollingUpdate(statefulSet.spec?.updateStrategy?.type);
  const { generation = 0 } = statefulSet.metadata;
  const {
    observedGeneration = 0,
    readyReplicas = 0,
    updatedReplicas = 0,
    updateRevision,
    currentRevision,
    currentReplicas = 0,
  } = statefulSet.status ?? {};
  const wanted = statefulSet.spec?.replicas ?? 1;
  const partition = statefulSet.spec?.updateStrategy?.rollingUpdate?.partition;
  if (observedGeneration === 0 || generation > observedGeneration) return waiting('Waiting for statefulset spec update to be observed...');
  if (readyReplicas < wanted) return waiting(`Waiting for ${wanted - readyReplicas} pods to be ready...`);
  if (partition !== undefined) {
    const share = wanted - partition;
    if (updatedReplicas < share)
      return waiting(`Waiting for partitioned roll out to finish: ${updatedReplicas} out of ${share} new pods have been updated...`);
    return { text: `partitioned roll out complete: ${updatedReplicas} new pods have been updated...`, done: true };
  }
  if (updateRevision !== currentRevision)
    return waiting(`waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${updateRevision}...`);
  return { text: `statefulset rolling update complete ${currentReplicas} pods at revision ${currentRevision}...`, done: true };
}

function requireRollingUpdate(type: string | undefined): void {
  if (type !== undefined && type !== 'RollingUpdate')
    throw new KubectlError('error: rollout status is only available for RollingUpdate strategy type');
}
