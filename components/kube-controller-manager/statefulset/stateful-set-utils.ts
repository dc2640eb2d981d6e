import type { ControllerRevision, StatefulSet } from '../../../src/api/kinds/apps-v1.ts';
import type { PersistentVolumeClaim, Pod, Volume } from '../../../src/api/kinds/core-v1.ts';
import { newControllerRef } from '../../../src/api/meta.ts';
import { isPodAvailable, isPodReady } from '../controller/controller-utils.ts';
import { getPodFromTemplate } from '../controller/pod-control.ts';
import { templateOf } from '../history/controller-history.ts';

/** pkg/controller/statefulset/stateful_set.go controllerKind */
export const STATEFUL_SET = { apiVersion: 'apps/v1', kind: 'StatefulSet' };

const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX_LABEL = 'apps.kubernetes.io/pod-index';
const REVISION_LABEL = 'controller-revision-hash';

interface ParentAndOrdinal {
  readonly parent: string;
  readonly ordinal: number;
}

/** Pods do not change, so what was read of a name holds for as long as the pod lives. */
const parsedNames = new WeakMap<Pod, ParentAndOrdinal>();

/** pkg/controller/statefulset/stateful_set_utils.go getParentNameAndOrdinal; the ordinal is -1 when the name has none. */
export function getParentNameAndOrdinal(pod: Pod): ParentAndOrdinal {
  let parsed = parsedNames.get(pod);
  if (!parsed) {
    const match = /^(.*)-(\d+)$/.exec(pod.metadata.name ?? '');
    parsed = match ? { parent: match[1] ?? '', ordinal: Number(match[2]) } : { parent: '', ordinal: -1 };
    parsedNames.set(pod, parsed);
  }
  return parsed;
}

/** pkg/controller/statefulset/stateful_set_utils.go getOrdinal */
export function getOrdinal(pod: Pod): number {
  return getParentNameAndOrdinal(pod).ordinal;
}

/** pkg/controller/statefulset/stateful_set_utils.go isMemberOf */
export function isMemberOf(set: StatefulSet, pod: Pod): boolean {
  return getParentNameAndOrdinal(pod).parent === set.metadata.name;
}

/** pkg/controller/statefulset/stateful_set_utils.go getStartOrdinal */
export function getStartOrdinal(set: StatefulSet): number {
  return set.spec?.ordinals?.start ?? 0;
}

/** The wanted number of pods; the API defaults it to 1. */
export function replicasOf(set: StatefulSet): number {
  return set.spec?.replicas ?? 1;
}

export function minReadySecondsOf(set: StatefulSet): number {
  return set.spec?.minReadySeconds ?? 0;
}

/** pkg/controller/statefulset/stateful_set_utils.go podInOrdinalRange */
export function podInOrdinalRange(pod: Pod, set: StatefulSet): boolean {
  const ordinal = getOrdinal(pod);
  const start = getStartOrdinal(set);
  return ordinal >= start && ordinal < start + replicasOf(set);
}

/** Pods may be created and deleted all at once: pkg/controller/statefulset/stateful_set_utils.go allowsBurst */
export function allowsBurst(set: StatefulSet): boolean {
  return set.spec?.podManagementPolicy === 'Parallel';
}

/** Stored in the API, in contrast to a draft of this sync: pkg/controller/statefulset/stateful_set_utils.go isCreated */
export function isCreated(pod: Pod): boolean {
  return Boolean(pod.status?.phase);
}

/** pkg/controller/statefulset/stateful_set_utils.go isTerminating */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** pkg/controller/statefulset/stateful_set_utils.go isRunningAndReady */
export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isPodReady(pod);
}

/** pkg/controller/statefulset/stateful_set_utils.go isRunningAndAvailable */
export function isRunningAndAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return pod.status?.phase === 'Running' && isPodAvailable(pod, minReadySeconds, now);
}

/** pkg/controller/statefulset/stateful_set_utils.go isUnavailable */
export function isUnavailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return !isPodAvailable(pod, minReadySeconds, now) || isTerminating(pod);
}

/** pkg/controller/statefulset/stateful_set_utils.go getPodRevision */
export function getPodRevision(pod: Pod): string {
  return pod.metadata.labels?.[REVISION_LABEL] ?? '';
}

/** pkg/controller/statefulset/stateful_set_utils.go identityMatches */
export function identityMatches(set: StatefulSet, pod: Pod): boolean {
  return getOrdinal(pod) >= 0 && isMemberOf(set, pod) && pod.metadata.labels?.[POD_NAME_LABEL] === pod.metadata.name;
}

/** pkg/controller/statefulset/stateful_set_utils.go updateIdentity */
export function updateIdentity(pod: Pod): Pod {
  const { name = '', labels } = pod.metadata;
  const identity = { [POD_NAME_LABEL]: name, [POD_INDEX_LABEL]: String(getOrdinal(pod)) };
  return { ...pod, metadata: { ...pod.metadata, labels: { ...labels, ...identity } } };
}

/** pkg/controller/statefulset/stateful_set_utils.go getPersistentVolumeClaimName */
export function getPersistentVolumeClaimName(set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

/** The claims of a pod by the name of their volume: pkg/controller/statefulset/stateful_set_utils.go getPersistentVolumeClaims */
export function getPersistentVolumeClaims(set: StatefulSet, pod: Pod): ReadonlyMap<string, PersistentVolumeClaim> {
  const ordinal = getOrdinal(pod);
  const claims = (set.spec?.volumeClaimTemplates ?? []).map((template): [string, PersistentVolumeClaim] => {
    const { name: _, namespace: __, labels, ...metadata } = template.metadata;
    const name = getPersistentVolumeClaimName(set, template, ordinal);
    const { namespace = '' } = set.metadata;
    const merged = { ...labels, ...set.spec?.selector.matchLabels };
    return [template.metadata.name ?? '', { ...template, metadata: { ...metadata, name, namespace, labels: merged } }];
  });
  return new Map(claims);
}

/** pkg/controller/statefulset/stateful_set_utils.go storageMatches */
export function storageMatches(set: StatefulSet, pod: Pod): boolean {
  if (!set.spec?.volumeClaimTemplates?.length) return getOrdinal(pod) >= 0;
  const ordinal = getOrdinal(pod);
  if (ordinal < 0) return false;
  const volumes = new Map((pod.spec?.volumes ?? []).map((volume) => [volume.name, volume]));
  return set.spec.volumeClaimTemplates.every((template) => {
    const volume = volumes.get(template.metadata.name ?? '');
    return volume?.persistentVolumeClaim?.claimName === getPersistentVolumeClaimName(set, template, ordinal);
  });
}

/** Volumes of claims come first and take the place of others with their name: pkg/controller/statefulset/stateful_set_utils.go updateStorage */
export function updateStorage(set: StatefulSet, pod: Pod): Pod {
  const claims = getPersistentVolumeClaims(set, pod);
  if (claims.size === 0) return pod;
  const others = (pod.spec?.volumes ?? []).filter(({ name }) => !claims.has(name));
  const claimed = [...claims].map(([name, claim]): Volume => ({ name, persistentVolumeClaim: { claimName: claim.metadata.name ?? '' } }));
  return { ...pod, spec: { containers: [], ...pod.spec, volumes: [...claimed, ...others] } };
}

/** What a sync makes of a set: as it was with the current revision, and as it is to be. */
export interface Revisions {
  readonly currentRevision: ControllerRevision;
  readonly updateRevision: ControllerRevision;
  readonly collisionCount: number;
}

/** The set with the template that a revision keeps: pkg/controller/statefulset/stateful_set_utils.go ApplyRevision */
export function applyRevision(set: StatefulSet, revision: ControllerRevision): StatefulSet {
  return { ...set, spec: { selector: {}, ...set.spec, template: templateOf(revision) } };
}

/** A draft of the pod with this ordinal: pkg/controller/statefulset/stateful_set_utils.go newVersionedStatefulSetPod */
export function newVersionedStatefulSetPod(set: StatefulSet, { currentRevision, updateRevision }: Revisions, ordinal: number): Pod {
  const revision = isCurrentRevisionNeeded(set, ordinal) ? currentRevision : updateRevision;
  const pod = newStatefulSetPod(applyRevision(set, revision), ordinal);
  const labels = { ...pod.metadata.labels, [REVISION_LABEL]: revision.metadata.name ?? '' };
  return { ...pod, metadata: { ...pod.metadata, labels } };
}

/** pkg/controller/statefulset/stateful_set_utils.go isCurrentRevisionNeeded */
function isCurrentRevisionNeeded(set: StatefulSet, ordinal: number): boolean {
  const strategy = set.spec?.updateStrategy;
  if (strategy?.type !== 'RollingUpdate') return false;
  const kept = strategy.rollingUpdate ? (strategy.rollingUpdate.partition ?? 0) : (set.status?.currentReplicas ?? 0);
  return ordinal < getStartOrdinal(set) + kept;
}

/** pkg/controller/statefulset/stateful_set_utils.go newStatefulSetPod */
function newStatefulSetPod(set: StatefulSet, ordinal: number): Pod {
  const { name: setName, namespace = '' } = set.metadata;
  const template = set.spec?.template ?? {};
  const drafted = getPodFromTemplate({ namespace, template, controller: set, controllerRef: newControllerRef(set, STATEFUL_SET) });
  const name = `${setName}-${ordinal}`;
  const subdomain = set.spec?.serviceName;
  const spec = { containers: [], ...drafted.spec, hostname: name, ...(subdomain ? { subdomain } : {}) };
  return updateStorage(set, updateIdentity({ ...drafted, metadata: { ...drafted.metadata, name }, spec }));
}
