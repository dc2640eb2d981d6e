import type { Deployment, ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { getAllReplicaSetsAndSyncRevision } from './sync.ts';
import { ANNOTATIONS, copyableAnnotations, lastRevision, revisionOf, skippedAnnotations } from './util/annotations.ts';
import { allReplicaSets, equalIgnoreHash, POD_TEMPLATE_HASH } from './util/deployment-util.ts';

const REVISION_NOT_FOUND = 'DeploymentRollbackRevisionNotFound';

/** The revision that the deprecated annotation asks for; 0 means the last but one: pkg/controller/deployment/rollback.go getRollbackTo */
export function getRollbackTo(d: Deployment): number | undefined {
  const text = d.metadata.annotations?.[ANNOTATIONS.rollbackTo];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

/** Puts back the template of an earlier revision: pkg/controller/deployment/rollback.go rollback */
export async function rollback(sync: DeploymentSync): Promise<void> {
  const { newRS, oldRSs } = await getAllReplicaSetsAndSyncRevision(sync, true);
  const sets = allReplicaSets(oldRSs, newRS);
  const revision = getRollbackTo(sync.d) || lastRevision(sets);
  if (revision === 0) {
    sync.event('Warning', REVISION_NOT_FOUND, 'Unable to find last revision.');
    return updateDeploymentAndClearRollbackTo(sync);
  }
  const target = sets.find((rs) => revisionOf(rs) === revision);
  if (target) return rollbackToTemplate(sync, target, revision);
  sync.event('Warning', REVISION_NOT_FOUND, 'Unable to find the revision to rollback to.');
  return updateDeploymentAndClearRollbackTo(sync);
}

/** pkg/controller/deployment/rollback.go rollbackToTemplate */
async function rollbackToTemplate(sync: DeploymentSync, rs: ReplicaSet, revision: number): Promise<void> {
  const { d } = sync;
  if (equalIgnoreHash(d.spec?.template, rs.spec?.template)) {
    const message = `The rollback revision contains the same template as current deployment "${d.metadata.name}"`;
    sync.event('Warning', 'DeploymentRollbackTemplateUnchanged', message);
    return updateDeploymentAndClearRollbackTo(sync);
  }
  sync.d = withTemplateOf(d, rs);
  await updateDeploymentAndClearRollbackTo(sync);
  sync.event('Normal', 'DeploymentRollback', `Rolled back deployment "${d.metadata.name}" to revision ${revision}`);
}

/** pkg/controller/deployment/util/deployment_util.go SetFromReplicaSetTemplate, SetDeploymentAnnotationsTo */
function withTemplateOf(d: Deployment, rs: ReplicaSet): Deployment {
  const { labels, ...metadata } = rs.spec?.template?.metadata ?? {};
  const { [POD_TEMPLATE_HASH]: _, ...otherLabels } = labels ?? {};
  const template = { ...rs.spec?.template, metadata: { ...metadata, labels: otherLabels } };
  const annotations = { ...skippedAnnotations(d.metadata.annotations), ...copyableAnnotations(rs.metadata.annotations) };
  return { ...d, metadata: { ...d.metadata, annotations }, spec: { selector: {}, ...d.spec, template } };
}

/** pkg/controller/deployment/rollback.go updateDeploymentAndClearRollbackTo */
async function updateDeploymentAndClearRollbackTo(sync: DeploymentSync): Promise<void> {
  const { [ANNOTATIONS.rollbackTo]: _, ...annotations } = sync.d.metadata.annotations ?? {};
  sync.d = { ...sync.d, metadata: { ...sync.d.metadata, annotations } };
  await sync.services.deployments.update(sync.d);
}
