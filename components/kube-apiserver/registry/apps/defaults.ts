import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../../../src/api/kinds/apps-v1.ts';
import { setDefaultsPodTemplate } from '../core/pod-defaults.ts';
import { setDefaultsClaimSpec } from '../core/volume-defaults.ts';

/** kubernetes pkg/apis/apps/v1 SetDefaults_Deployment */
export function setDefaultsDeployment({ spec }: Deployment): void {
  if (!spec) return;
  spec.replicas ??= 1;
  spec.strategy ??= {};
  spec.strategy.type ??= 'RollingUpdate';
  if (spec.strategy.type === 'RollingUpdate') {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= '25%';
    spec.strategy.rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  setDefaultsPodTemplate(spec.template);
}

/** kubernetes pkg/apis/apps/v1 SetDefaults_ReplicaSet */
export function setDefaultsReplicaSet({ spec }: ReplicaSet): void {
  if (!spec) return;
  spec.replicas ??= 1;
  if (spec.template) setDefaultsPodTemplate(spec.template);
}

/** kubernetes pkg/apis/apps/v1 SetDefaults_DaemonSet */
export function setDefaultsDaemonSet({ spec }: DaemonSet): void {
  if (!spec) return;
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ??= 'RollingUpdate';
  if (spec.updateStrategy.type === 'RollingUpdate') {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setDefaultsPodTemplate(spec.template);
}

/** kubernetes pkg/apis/apps/v1 SetDefaults_StatefulSet */
export function setDefaultsStatefulSet({ spec }: StatefulSet): void {
  if (!spec) return;
  spec.podManagementPolicy ??= 'OrderedReady';
  spec.updateStrategy ??= {};
  if (!spec.updateStrategy.type) {
    spec.updateStrategy.type = 'RollingUpdate';
    spec.updateStrategy.rollingUpdate ??= {};
  }
  if (spec.updateStrategy.rollingUpdate) spec.updateStrategy.rollingUpdate.partition ??= 0;
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ??= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ??= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  setDefaultsPodTemplate(spec.template);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.kind ??= 'PersistentVolumeClaim';
    claim.apiVersion ??= 'v1';
    claim.spec ??= {};
    setDefaultsClaimSpec(claim.spec);
    claim.status ??= {};
    claim.status.phase ??= 'Pending';
  }
}
