import type { Deployment, ReplicaSet } from '../../../../src/api/kinds/apps-v1.ts';
import { maxSurge, REVISION, replicasOf } from './deployment-util.ts';

/** pkg/controller/deployment/util/deployment_util.go: the annotations of the controller. */
export const ANNOTATIONS = {
  revision: REVISION,
  revisionHistory: 'deployment.kubernetes.io/revision-history',
  desiredReplicas: 'deployment.kubernetes.io/desired-replicas',
  maxReplicas: 'deployment.kubernetes.io/max-replicas',
  rollbackTo: 'deprecated.deployment.rollback.to',
} as const;

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const NOT_COPIED: ReadonlySet<string> = new Set([LAST_APPLIED, ...Object.values(ANNOTATIONS)]);
/** pkg/controller/deployment/sync.go maxRevHistoryLengthInChars */
const MAX_REVISION_HISTORY_LENGTH = 2000;

type Annotations = Readonly<Record<string, string>>;

/** The revision of a set or a Deployment; 0 when it has none, undefined when it is no number: deployment_util.go Revision */
export function revisionOf(object: Deployment | ReplicaSet): number | undefined {
  const text = object.metadata.annotations?.[ANNOTATIONS.revision];
  return text === undefined ? 0 : parseInteger(text);
}

/** pkg/controller/deployment/util/deployment_util.go MaxRevision */
export function maxRevision(sets: readonly ReplicaSet[]): number {
  return sets.reduce((max, rs) => Math.max(max, revisionOf(rs) ?? 0), 0);
}

/** The second highest revision, 0 if there is none: pkg/controller/deployment/util/deployment_util.go LastRevision */
export function lastRevision(sets: readonly ReplicaSet[]): number {
  let highest = 0;
  let second = 0;
  for (const rs of sets) {
    const revision = revisionOf(rs) ?? 0;
    if (revision >= highest) [second, highest] = [highest, revision];
    else if (revision > second) second = revision;
  }
  return second;
}

/** pkg/controller/deployment/util/deployment_util.go GetDesiredReplicasAnnotation */
export function getDesiredReplicasAnnotation(rs: ReplicaSet): number | undefined {
  return parseInteger(rs.metadata.annotations?.[ANNOTATIONS.desiredReplicas]);
}

/** pkg/controller/deployment/util/deployment_util.go getMaxReplicasAnnotation */
export function getMaxReplicasAnnotation(rs: ReplicaSet): number | undefined {
  return parseInteger(rs.metadata.annotations?.[ANNOTATIONS.maxReplicas]);
}

/** pkg/controller/deployment/util/deployment_util.go SetReplicasAnnotations, ReplicasAnnotationsNeedUpdate */
export function withReplicasAnnotations(annotations: Annotations, d: Deployment): Annotations {
  const wanted = { [ANNOTATIONS.desiredReplicas]: String(replicasOf(d)), [ANNOTATIONS.maxReplicas]: String(replicasOf(d) + maxSurge(d)) };
  return withAnnotations(annotations, wanted);
}

/**
 * The annotations that the new set should have; the same object when nothing changes.
 * pkg/controller/deployment/util/deployment_util.go SetNewReplicaSetAnnotations
 */
export function newReplicaSetAnnotations(d: Deployment, rs: ReplicaSet, options: { newRevision: number; exists: boolean }): Annotations {
  const present = rs.metadata.annotations ?? {};
  const copied = withAnnotations(present, copyableAnnotations(d.metadata.annotations));
  const oldRevisionText = copied[ANNOTATIONS.revision];
  const oldRevision = parseInteger(oldRevisionText || '0');
  if (oldRevision === undefined) return present;
  let result = copied;
  if (oldRevision < options.newRevision) {
    result = withAnnotations(result, { [ANNOTATIONS.revision]: String(options.newRevision) });
    if (oldRevisionText !== undefined) result = withRevisionHistory(result, oldRevisionText);
  }
  return options.exists ? result : withReplicasAnnotations(result, d);
}

/** pkg/controller/deployment/util/deployment_util.go skipCopyAnnotation */
export function copyableAnnotations(annotations: Annotations | undefined): Annotations {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key)));
}

/** pkg/controller/deployment/util/deployment_util.go getSkippedAnnotations */
export function skippedAnnotations(annotations: Annotations | undefined): Annotations {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => NOT_COPIED.has(key)));
}

/** The Deployment with this revision; the same object when it has it: pkg/controller/deployment/util/deployment_util.go SetDeploymentRevision */
export function setDeploymentRevision(d: Deployment, revision: string | undefined): Deployment {
  const value = revision ?? '';
  if ((d.metadata.annotations?.[ANNOTATIONS.revision] ?? '') === value) return d;
  return { ...d, metadata: { ...d.metadata, annotations: { ...d.metadata.annotations, [ANNOTATIONS.revision]: value } } };
}

function withRevisionHistory(annotations: Annotations, oldRevision: string): Annotations {
  const text = annotations[ANNOTATIONS.revisionHistory] ?? '';
  if (text === '') return withAnnotations(annotations, { [ANNOTATIONS.revisionHistory]: oldRevision });
  const revisions = text.split(',');
  let length = text.length + oldRevision.length + 1;
  while (length > MAX_REVISION_HISTORY_LENGTH && revisions.length > 0) length -= (revisions.shift() ?? '').length + 1;
  return withAnnotations(annotations, { [ANNOTATIONS.revisionHistory]: [...revisions, oldRevision].join(',') });
}

function withAnnotations(annotations: Annotations, added: Annotations): Annotations {
  return Object.entries(added).every(([key, value]) => annotations[key] === value) ? annotations : { ...annotations, ...added };
}

function parseInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}
