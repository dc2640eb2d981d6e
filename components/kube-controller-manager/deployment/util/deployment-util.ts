import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import { getScaledValueFromIntOrPercent, type IntOrString } from '../../../../src/api/intstr.ts';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../../../../src/api/kinds/apps-v1.ts';
import type { PodTemplateSpec } from '../../../../src/api/kinds/core-v1.ts';
import { parseTime } from '../../../../src/api/time.ts';

/** pkg/apis/apps types.go DefaultDeploymentUniqueLabelKey */
export const POD_TEMPLATE_HASH = 'pod-template-hash';

/** pkg/controller/deployment/util/deployment_util.go RevisionAnnotation */
export const REVISION = 'deployment.kubernetes.io/revision';

const MAX_INT32 = 2_147_483_647;

/** The wanted number of pods; the API defaults it to 1. */
export function replicasOf(object: Deployment | ReplicaSet): number {
  return object.spec?.replicas ?? 1;
}

/** pkg/controller/deployment/util/deployment_util.go HasProgressDeadline */
export function hasProgressDeadline(d: Deployment): boolean {
  const deadline = d.spec?.progressDeadlineSeconds;
  return deadline !== undefined && deadline !== MAX_INT32;
}

/** pkg/controller/deployment/util/deployment_util.go HasRevisionHistoryLimit */
export function hasRevisionHistoryLimit(d: Deployment): boolean {
  const limit = d.spec?.revisionHistoryLimit;
  return limit !== undefined && limit !== MAX_INT32;
}

/** pkg/controller/deployment/util/deployment_util.go IsRollingUpdate */
export function isRollingUpdate(d: Deployment): boolean {
  return d.spec?.strategy?.type === 'RollingUpdate';
}

/** pkg/controller/deployment/util/deployment_util.go MaxUnavailable */
export function maxUnavailable(d: Deployment): number {
  const replicas = replicasOf(d);
  if (!isRollingUpdate(d) || replicas === 0) return 0;
  return Math.min(resolveFenceposts(d).maxUnavailable, replicas);
}

/** pkg/controller/deployment/util/deployment_util.go MinAvailable */
export function minAvailable(d: Deployment): number {
  return isRollingUpdate(d) ? replicasOf(d) - maxUnavailable(d) : 0;
}

/** pkg/controller/deployment/util/deployment_util.go MaxSurge */
export function maxSurge(d: Deployment): number {
  return isRollingUpdate(d) ? resolveFenceposts(d).maxSurge : 0;
}

/** pkg/controller/deployment/util/deployment_util.go ResolveFenceposts */
function resolveFenceposts(d: Deployment): { maxSurge: number; maxUnavailable: number } {
  const { maxSurge: surge, maxUnavailable: unavailable } = d.spec?.strategy?.rollingUpdate ?? {};
  const scaled = (value: IntOrString | undefined, roundUp: boolean): number =>
    getScaledValueFromIntOrPercent({ value: value ?? 0, total: replicasOf(d), roundUp }) ?? 0;
  const resolved = { maxSurge: scaled(surge, true), maxUnavailable: scaled(unavailable, false) };
  return resolved.maxSurge === 0 && resolved.maxUnavailable === 0 ? { maxSurge: 0, maxUnavailable: 1 } : resolved;
}

/** The wanted pods of all: pkg/controller/deployment/util/deployment_util.go GetReplicaCountForReplicaSets */
export function getReplicaCountForReplicaSets(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, rs) => sum + replicasOf(rs), 0);
}

/** pkg/controller/deployment/util/deployment_util.go GetActualReplicaCountForReplicaSets */
export function getActualReplicaCountForReplicaSets(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, rs) => sum + (rs.status?.replicas ?? 0), 0);
}

/** pkg/controller/deployment/util/deployment_util.go GetReadyReplicaCountForReplicaSets */
export function getReadyReplicaCountForReplicaSets(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, rs) => sum + (rs.status?.readyReplicas ?? 0), 0);
}

/** pkg/controller/deployment/util/deployment_util.go GetAvailableReplicaCountForReplicaSets */
export function getAvailableReplicaCountForReplicaSets(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, rs) => sum + (rs.status?.availableReplicas ?? 0), 0);
}

/** Those that want pods: pkg/controller/controller_utils.go FilterActiveReplicaSets */
export function filterActiveReplicaSets(sets: readonly ReplicaSet[]): ReplicaSet[] {
  return sets.filter((rs) => replicasOf(rs) > 0);
}

/** Old and new together; there may be no new one. */
export function allReplicaSets(oldRSs: readonly ReplicaSet[], newRS: ReplicaSet | undefined): readonly ReplicaSet[] {
  return newRS ? [...oldRSs, newRS] : oldRSs;
}

/**
 * Oldest first: pkg/controller/controller_utils.go ReplicaSetsByCreationTimestamp.
 * Differs: of sets of one second the one with the lower revision is the older; upstream goes by name at once. In virtual time a whole rollout fits into one
 * second, where it takes several on a real cluster.
 */
export function compareByCreation(a: ReplicaSet, b: ReplicaSet): number {
  return createdAt(a) - createdAt(b) || revisionNumber(a) - revisionNumber(b) || compareText(a.metadata.name ?? '', b.metadata.name ?? '');
}

/** Larger first, then older: pkg/controller/controller_utils.go ReplicaSetsBySizeOlder */
export function compareBySizeOlder(a: ReplicaSet, b: ReplicaSet): number {
  return replicasOf(b) - replicasOf(a) || compareByCreation(a, b);
}

/** Larger first, then newer: pkg/controller/controller_utils.go ReplicaSetsBySizeNewer */
export function compareBySizeNewer(a: ReplicaSet, b: ReplicaSet): number {
  return replicasOf(b) - replicasOf(a) || compareByCreation(b, a);
}

/** Whether two templates are the same but for their hash label: pkg/controller/deployment/util/deployment_util.go EqualIgnoreHash */
export function equalIgnoreHash(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  if (!semanticDeepEqual(a?.spec, b?.spec)) return false;
  return semanticDeepEqual(metadataWithoutHash(a), metadataWithoutHash(b));
}

/** The oldest of the sets that have the Deployment's template: pkg/controller/deployment/util/deployment_util.go FindNewReplicaSet */
export function findNewReplicaSet(d: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return [...sets].sort(compareByCreation).find((rs) => equalIgnoreHash(rs.spec?.template, d.spec?.template));
}

/** All others, also those without pods: pkg/controller/deployment/util/deployment_util.go FindOldReplicaSets */
export function findOldReplicaSets(d: Deployment, sets: readonly ReplicaSet[]): ReplicaSet[] {
  const newRS = findNewReplicaSet(d, sets);
  return sets.filter((rs) => rs.metadata.uid !== newRS?.metadata.uid);
}

/** The one set to scale when at most one has pods: pkg/controller/deployment/util/deployment_util.go FindActiveOrLatest */
export function findActiveOrLatest(newRS: ReplicaSet | undefined, oldRSs: readonly ReplicaSet[]): ReplicaSet | undefined {
  const newestFirst = [...oldRSs].sort((a, b) => compareByCreation(b, a));
  const active = filterActiveReplicaSets(allReplicaSets(newestFirst, newRS));
  if (active.length === 0) return newRS ?? newestFirst[0];
  return active.length === 1 ? active[0] : undefined;
}

/** How many pods the new set should have: pkg/controller/deployment/util/deployment_util.go NewRSNewReplicas */
export function newRSNewReplicas(d: Deployment, sets: readonly ReplicaSet[], newRS: ReplicaSet): number {
  if (!isRollingUpdate(d)) return replicasOf(d);
  const maxTotalPods = replicasOf(d) + maxSurge(d);
  const currentPods = getReplicaCountForReplicaSets(sets);
  if (currentPods >= maxTotalPods) return replicasOf(newRS);
  return replicasOf(newRS) + Math.min(maxTotalPods - currentPods, replicasOf(d) - replicasOf(newRS));
}

/** pkg/controller/deployment/util/deployment_util.go DeploymentComplete */
export function deploymentComplete(d: Deployment, status: DeploymentStatus | undefined): boolean {
  const wanted = replicasOf(d);
  return (
    (status?.updatedReplicas ?? 0) === wanted &&
    (status?.replicas ?? 0) === wanted &&
    (status?.availableReplicas ?? 0) === wanted &&
    (status?.observedGeneration ?? 0) >= (d.metadata.generation ?? 0)
  );
}

/** Whether the new status is a step forward from the stored one: pkg/controller/deployment/util/deployment_util.go DeploymentProgressing */
export function deploymentProgressing(d: Deployment, newStatus: DeploymentStatus): boolean {
  const count = (
    status: DeploymentStatus | undefined,
    field: 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas',
  ): number => status?.[field] ?? 0;
  const oldReplicas = (status: DeploymentStatus | undefined): number => count(status, 'replicas') - count(status, 'updatedReplicas');
  return (
    count(newStatus, 'updatedReplicas') > count(d.status, 'updatedReplicas') ||
    oldReplicas(newStatus) < oldReplicas(d.status) ||
    count(newStatus, 'readyReplicas') > count(d.status, 'readyReplicas') ||
    count(newStatus, 'availableReplicas') > count(d.status, 'availableReplicas')
  );
}

function createdAt(rs: ReplicaSet): number {
  return parseTime(rs.metadata.creationTimestamp) ?? 0;
}

function revisionNumber(rs: ReplicaSet): number {
  return Number(rs.metadata.annotations?.[REVISION]) || 0;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function metadataWithoutHash(template: PodTemplateSpec | undefined): unknown {
  const { labels, ...rest } = template?.metadata ?? {};
  const { [POD_TEMPLATE_HASH]: _, ...otherLabels } = labels ?? {};
  return { ...rest, labels: otherLabels };
}
