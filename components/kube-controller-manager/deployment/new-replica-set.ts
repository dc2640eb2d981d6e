import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { Deployment, ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { PodTemplateSpec } from '../../../src/api/kinds/core-v1.ts';
import type { LabelSelector } from '../../../src/api/kinds/meta-v1.ts';
import { getControllerOf, newControllerRef } from '../../../src/api/meta.ts';
import { keyOf } from '../../../src/api/object.ts';
import { isAlreadyExists, isNamespaceTerminating, newNotFound } from '../../../src/api/status-error.ts';
import { computeHash } from '../controller/pod-template-hash.ts';
import { messageOf } from '../controller/sync-error.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { ANNOTATIONS, maxRevision, newReplicaSetAnnotations, setDeploymentRevision } from './util/annotations.ts';
import { getDeploymentCondition, newDeploymentCondition, REASONS, setDeploymentCondition } from './util/conditions.ts';
import {
  equalIgnoreHash,
  findNewReplicaSet,
  hasProgressDeadline,
  newRSNewReplicas,
  POD_TEMPLATE_HASH,
  replicasOf,
} from './util/deployment-util.ts';

const MAX_NAME_LENGTH = 253;
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' };

/**
 * The ReplicaSet with the Deployment's template, brought up to date or, when asked, created.
 * pkg/controller/deployment/sync.go getNewReplicaSet
 */
export async function getNewReplicaSet(
  sync: DeploymentSync,
  oldRSs: readonly ReplicaSet[],
  createIfNotExisted: boolean,
): Promise<ReplicaSet | undefined> {
  const existing = findNewReplicaSet(sync.d, sync.rsList);
  const newRevision = maxRevision(oldRSs) + 1;
  if (existing) return updateNewReplicaSet(sync, existing, newRevision);
  return createIfNotExisted ? createNewReplicaSet(sync, oldRSs, newRevision) : undefined;
}

async function updateNewReplicaSet(sync: DeploymentSync, existing: ReplicaSet, newRevision: number): Promise<ReplicaSet> {
  const { d } = sync;
  const annotations = newReplicaSetAnnotations(d, existing, { newRevision, exists: true });
  const minReadySeconds = d.spec?.minReadySeconds ?? 0;
  if (!semanticDeepEqual(annotations, existing.metadata.annotations) || minReadySeconds !== (existing.spec?.minReadySeconds ?? 0)) {
    const { minReadySeconds: _, ...spec } = existing.spec ?? { selector: {} };
    return sync.services.replicaSets.update({
      ...existing,
      metadata: { ...existing.metadata, annotations: { ...annotations } },
      spec: { ...spec, ...(minReadySeconds ? { minReadySeconds } : {}) },
    });
  }
  const revised = setDeploymentRevision(d, existing.metadata.annotations?.[ANNOTATIONS.revision]);
  const isUnknown = hasProgressDeadline(d) && !getDeploymentCondition(d.status, 'Progressing');
  sync.d = revised;
  if (isUnknown)
    setProgressing(sync, {
      status: 'True',
      reason: REASONS.foundNewReplicaSet,
      message: `Found new replica set "${existing.metadata.name}"`,
    });
  if (revised !== d || isUnknown) await sync.updateStatus();
  return existing;
}

async function createNewReplicaSet(sync: DeploymentSync, oldRSs: readonly ReplicaSet[], newRevision: number): Promise<ReplicaSet> {
  const newRS = makeReplicaSet(sync.d, oldRSs, newRevision);
  const replicas = replicasOf(newRS);
  sync.decide(
    `no ReplicaSet has the template of revision ${newRevision}: create ${newRS.metadata.name} with ${replicas} of ${replicasOf(sync.d)} pods`,
  );
  const { created, alreadyExists } = await create(sync, newRS);
  if (!alreadyExists && replicas > 0)
    sync.event('Normal', 'ScalingReplicaSet', `Scaled up replica set ${created.metadata.name} from 0 to ${replicas}`);
  const { d } = sync;
  sync.d = setDeploymentRevision(d, String(newRevision));
  const hasNews = !alreadyExists && hasProgressDeadline(d);
  if (hasNews)
    setProgressing(sync, { status: 'True', reason: REASONS.newReplicaSet, message: `Created new replica set "${created.metadata.name}"` });
  if (sync.d !== d) await sync.updateStatus();
  return created;
}

async function create(sync: DeploymentSync, newRS: ReplicaSet): Promise<{ created: ReplicaSet; alreadyExists: boolean }> {
  try {
    return { created: await sync.services.replicaSets.create(newRS), alreadyExists: false };
  } catch (error) {
    if (isAlreadyExists(error)) return { created: await resolveHashCollision(sync, newRS, error), alreadyExists: true };
    if (isNamespaceTerminating(error)) throw error;
    await reportFailedCreate(sync, newRS, error);
    throw error;
  }
}

/** A set of that name is there: it is ours (the cache was late), or another template has the same hash, and the next try uses another. */
async function resolveHashCollision(sync: DeploymentSync, newRS: ReplicaSet, error: unknown): Promise<ReplicaSet> {
  const rs = sync.services.rsLister.get(keyOf(newRS));
  if (!rs) throw newNotFound({ group: 'apps', resource: 'replicaset' }, newRS.metadata.name ?? '');
  const isOurs = getControllerOf(rs)?.uid === sync.d.metadata.uid;
  if (isOurs && equalIgnoreHash(sync.d.spec?.template, rs.spec?.template)) return rs;
  const collisionCount = (sync.status.collisionCount ?? 0) + 1;
  sync.decide(`${newRS.metadata.name} is taken by another template: try with collision count ${collisionCount}`);
  sync.setStatus({ ...sync.status, collisionCount });
  await ignoreErrors(sync.updateStatus());
  throw error;
}

async function reportFailedCreate(sync: DeploymentSync, newRS: ReplicaSet, error: unknown): Promise<void> {
  const message = `Failed to create new replica set "${newRS.metadata.name}": ${messageOf(error)}`;
  if (hasProgressDeadline(sync.d)) {
    setProgressing(sync, { status: 'False', reason: REASONS.failedReplicaSetCreate, message });
    await ignoreErrors(sync.updateStatus());
  }
  sync.event('Warning', REASONS.failedReplicaSetCreate, message);
}

function makeReplicaSet(d: Deployment, oldRSs: readonly ReplicaSet[], newRevision: number): ReplicaSet {
  const { name = '', namespace = '' } = d.metadata;
  const template: PodTemplateSpec = d.spec?.template ?? {};
  const hash = computeHash(template, d.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
  const minReadySeconds = d.spec?.minReadySeconds;
  const empty: ReplicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: generateReplicaSetName(name, hash), namespace, labels, ownerReferences: [newControllerRef(d, DEPLOYMENT)] },
    spec: {
      replicas: 0,
      ...(minReadySeconds ? { minReadySeconds } : {}),
      selector: cloneSelectorAndAddLabel(d.spec?.selector ?? {}, hash),
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
  const replicas = newRSNewReplicas(d, [...oldRSs, empty], empty);
  const annotations = { ...newReplicaSetAnnotations(d, empty, { newRevision, exists: false }) };
  return {
    ...empty,
    metadata: { ...empty.metadata, annotations },
    spec: { ...empty.spec, selector: empty.spec?.selector ?? {}, replicas },
  };
}

/** pkg/controller/deployment/sync.go generateReplicaSetName */
function generateReplicaSetName(deploymentName: string, hash: string): string {
  return `${deploymentName.slice(0, MAX_NAME_LENGTH - hash.length - 1)}-${hash}`;
}

/** pkg/util/labels CloneSelectorAndAddLabel */
function cloneSelectorAndAddLabel(selector: LabelSelector, hash: string): LabelSelector {
  return { ...selector, matchLabels: { ...selector.matchLabels, [POD_TEMPLATE_HASH]: hash } };
}

function setProgressing(sync: DeploymentSync, condition: { status: string; reason: string; message: string }): void {
  sync.setStatus(setDeploymentCondition(sync.status, newDeploymentCondition(sync.now, { type: 'Progressing', ...condition })));
}

/** The sync fails anyway, for another reason. */
async function ignoreErrors(promise: Promise<void>): Promise<void> {
  await promise.catch(() => undefined);
}
