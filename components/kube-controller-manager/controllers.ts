import { startCertificateSigningRequestApprovingController } from './certificates/approver/sarapprove.ts';
import { startCertificateSigningRequestCleanerController } from './certificates/cleaner/cleaner.ts';
import { startRootCACertificatePublisherController } from './certificates/rootcacertpublisher/publisher.ts';
import { startCertificateSigningRequestSigningController } from './certificates/signer/csr-signing-controller.ts';
import { startClusterRoleAggregationController } from './clusterroleaggregation/cluster-role-aggregation-controller.ts';
import type { StartController } from './controller-context.ts';
import { startCronJobController } from './cronjob/cronjob-controller.ts';
import { startDaemonSetController } from './daemon/daemon-controller.ts';
import { startDeploymentController } from './deployment/deployment-controller.ts';
import { startDisruptionController } from './disruption/disruption-controller.ts';
import { startEndpointsController } from './endpoint/endpoints-controller.ts';
import { startEndpointSliceController } from './endpointslice/endpointslice-controller.ts';
import { startEndpointSliceMirroringController } from './endpointslicemirroring/endpointslice-mirroring-controller.ts';
import { startGarbageCollectorController } from './garbagecollector/garbage-collector.ts';
import { startJobController } from './job/job-controller.ts';
import { startNamespaceController } from './namespace/namespace-controller.ts';
import { startNodeIpamController } from './nodeipam/node-ipam-controller.ts';
import { startNodeLifecycleController } from './nodelifecycle/node-lifecycle-controller.ts';
import { startHorizontalPodAutoscalerController } from './podautoscaler/horizontal-controller.ts';
import { startPodGarbageCollectorController } from './podgc/gc-controller.ts';
import { startReplicaSetController } from './replicaset/replica-set.ts';
import { startReplicationController } from './replicationcontroller/replication-controller.ts';
import { startResourceClaimController } from './resourceclaim/resource-claim-controller.ts';
import { startResourceQuotaController } from './resourcequota/resource-quota-controller.ts';
import { startLegacySATokenCleaner } from './serviceaccount/legacy-token-cleaner.ts';
import { startServiceAccountController } from './serviceaccount/serviceaccounts-controller.ts';
import { startServiceAccountTokenController } from './serviceaccount/tokens-controller.ts';
import { startServiceCIDRController } from './servicecidrs/service-cidr-controller.ts';
import { startStatefulSetController } from './statefulset/stateful-set.ts';
import { startTaintEvictionController } from './tainteviction/taint-eviction-controller.ts';
import { startTTLController } from './ttl/ttl-controller.ts';
import { startTTLAfterFinishedController } from './ttlafterfinished/ttlafterfinished-controller.ts';
import { startValidatingAdmissionPolicyStatusController } from './validatingadmissionpolicystatus/controller.ts';
import { startPersistentVolumeAttachDetachController } from './volume/attachdetach/attach-detach-controller.ts';
import { startEphemeralVolumeController } from './volume/ephemeral/ephemeral-controller.ts';
import { startVolumeExpandController } from './volume/expand/expand-controller.ts';
import { startPersistentVolumeBinderController } from './volume/persistentvolume/pv-controller.ts';
import { startPersistentVolumeClaimProtectionController } from './volume/pvcprotection/pvc-protection-controller.ts';
import { startPersistentVolumeProtectionController } from './volume/pvprotection/pv-protection-controller.ts';
import { startVolumeAttributesClassProtectionController } from './volume/vacprotection/vac-protection-controller.ts';

/**
 * Every controller by its upstream name, in the order in which they are started: cmd/kube-controller-manager/names.
 * To add one: export `start<Name>(context: ControllerContext)` from its folder and add a line.
 */
export const CONTROLLERS: ReadonlyMap<string, StartController> = new Map<string, StartController>([
  ['serviceaccount-token-controller', startServiceAccountTokenController],
  ['garbage-collector-controller', startGarbageCollectorController],
  ['job-controller', startJobController],
  ['cronjob-controller', startCronJobController],
  ['ttl-after-finished-controller', startTTLAfterFinishedController],
  ['deployment-controller', startDeploymentController],
  ['replicaset-controller', startReplicaSetController],
  ['replicationcontroller-controller', startReplicationController],
  ['daemonset-controller', startDaemonSetController],
  ['statefulset-controller', startStatefulSetController],
  ['endpoints-controller', startEndpointsController],
  ['endpointslice-controller', startEndpointSliceController],
  ['endpointslice-mirroring-controller', startEndpointSliceMirroringController],
  ['namespace-controller', startNamespaceController],
  ['root-ca-certificate-publisher-controller', startRootCACertificatePublisherController],
  ['serviceaccount-controller', startServiceAccountController],
  ['disruption-controller', startDisruptionController],
  ['pod-garbage-collector-controller', startPodGarbageCollectorController],
  ['ttl-controller', startTTLController],
  ['node-ipam-controller', startNodeIpamController],
  ['node-lifecycle-controller', startNodeLifecycleController],
  ['taint-eviction-controller', startTaintEvictionController],
  ['resourcequota-controller', startResourceQuotaController],
  ['certificatesigningrequest-signing-controller', startCertificateSigningRequestSigningController],
  ['certificatesigningrequest-approving-controller', startCertificateSigningRequestApprovingController],
  ['certificatesigningrequest-cleaner-controller', startCertificateSigningRequestCleanerController],
  ['horizontal-pod-autoscaler-controller', startHorizontalPodAutoscalerController],
  ['persistentvolume-binder-controller', startPersistentVolumeBinderController],
  ['persistentvolume-attach-detach-controller', startPersistentVolumeAttachDetachController],
  ['persistentvolume-expander-controller', startVolumeExpandController],
  ['persistentvolumeclaim-protection-controller', startPersistentVolumeClaimProtectionController],
  ['persistentvolume-protection-controller', startPersistentVolumeProtectionController],
  ['volumeattributesclass-protection-controller', startVolumeAttributesClassProtectionController],
  ['ephemeral-volume-controller', startEphemeralVolumeController],
  ['clusterrole-aggregation-controller', startClusterRoleAggregationController],
  ['resourceclaim-controller', startResourceClaimController],
  ['legacy-serviceaccount-token-cleaner-controller', startLegacySATokenCleaner],
  ['validatingadmissionpolicy-status-controller', startValidatingAdmissionPolicyStatusController],
  ['service-cidr-controller', startServiceCIDRController],
]);
