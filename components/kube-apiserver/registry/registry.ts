import type { KubernetesObject } from '../../../src/api/object.ts';
import { groupResource, type Resource } from '../../../src/api/resource.ts';
import type { Strategy } from '../storage/strategy.ts';
import { validatingAdmissionPolicyBindingRules, validatingAdmissionPolicyRules } from './admissionregistration/policies.ts';
import { mutatingWebhookConfigurationRules, validatingWebhookConfigurationRules } from './admissionregistration/webhooks.ts';
import { customResourceDefinitionRules } from './apiextensions/custom-resource-definition.ts';
import { apiServiceRules } from './apiregistration/api-service.ts';
import { controllerRevisionRules } from './apps/controller-revision.ts';
import { daemonSetRules } from './apps/daemon-set.ts';
import { deploymentRules } from './apps/deployment.ts';
import { replicaSetRules } from './apps/replica-set.ts';
import { statefulSetRules } from './apps/stateful-set.ts';
import { horizontalPodAutoscalerRules } from './autoscaling/horizontal-pod-autoscaler.ts';
import { cronJobRules } from './batch/cron-job.ts';
import { jobRules } from './batch/job.ts';
import { certificateSigningRequestRules } from './certificates/certificate-signing-request.ts';
import { leaseRules } from './coordination/lease.ts';
import { configMapRules } from './core/config-map.ts';
import { endpointsRules } from './core/endpoints.ts';
import { eventRules } from './core/event.ts';
import { limitRangeRules } from './core/limit-range.ts';
import { namespaceRules } from './core/namespace.ts';
import { nodeRules } from './core/node.ts';
import { persistentVolumeRules } from './core/persistent-volume.ts';
import { persistentVolumeClaimRules } from './core/persistent-volume-claim.ts';
import { podRules } from './core/pod.ts';
import { podTemplateRules } from './core/pod-template.ts';
import { replicationControllerRules } from './core/replication-controller.ts';
import { resourceQuotaRules } from './core/resource-quota.ts';
import { secretRules } from './core/secret.ts';
import { serviceRules } from './core/service.ts';
import { endpointSliceRules } from './discovery/endpoint-slice.ts';
import { flowSchemaRules, priorityLevelConfigurationRules } from './flowcontrol/flow-control.ts';
import { type KindRules, kindStrategy } from './kind-strategy.ts';
import { ipAddressRules, serviceCIDRRules } from './networking/addresses.ts';
import { ingressRules } from './networking/ingress.ts';
import { ingressClassRules } from './networking/ingress-class.ts';
import { networkPolicyRules } from './networking/network-policy.ts';
import { runtimeClassRules } from './node/runtime-class.ts';
import { podDisruptionBudgetRules } from './policy/pod-disruption-budget.ts';
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './rbac/rules.ts';
import { deviceClassRules, resourceClaimRules, resourceClaimTemplateRules } from './resource/devices.ts';
import { resourceSliceRules } from './resource/resource-slice.ts';
import { priorityClassRules } from './scheduling/priority-class.ts';
import { csiDriverRules, csiNodeRules, csiStorageCapacityRules } from './storage/csi.ts';
import { storageClassRules, volumeAttachmentRules, volumeAttributesClassRules } from './storage/storage-class.ts';

// biome-ignore lint/suspicious/noExplicitAny: a table of kinds of all types; each entry is checked where it is made.
type AnyRules = KindRules<any>;

/** The rules of each built-in kind, by resource and group. */
const RULES: Readonly<Record<string, AnyRules>> = {
  pods: podRules,
  services: serviceRules,
  endpoints: endpointsRules,
  secrets: secretRules,
  namespaces: namespaceRules,
  nodes: nodeRules,
  replicationcontrollers: replicationControllerRules,
  podtemplates: podTemplateRules,
  persistentvolumes: persistentVolumeRules,
  persistentvolumeclaims: persistentVolumeClaimRules,
  limitranges: { ...limitRangeRules, metaTwiceOnUpdate: true },
  serviceaccounts: { metaTwiceOnUpdate: true },
  'controllerrevisions.apps': controllerRevisionRules,
  'deployments.apps': deploymentRules,
  'replicasets.apps': replicaSetRules,
  'statefulsets.apps': statefulSetRules,
  'daemonsets.apps': daemonSetRules,
  'jobs.batch': jobRules,
  'cronjobs.batch': cronJobRules,
  'networkpolicies.networking.k8s.io': networkPolicyRules,
  'ingressclasses.networking.k8s.io': ingressClassRules,
  'ingresses.networking.k8s.io': ingressRules,
  'endpointslices.discovery.k8s.io': endpointSliceRules,
  'horizontalpodautoscalers.autoscaling': horizontalPodAutoscalerRules,
  'poddisruptionbudgets.policy': podDisruptionBudgetRules,
  'roles.rbac.authorization.k8s.io': roleRules,
  'clusterroles.rbac.authorization.k8s.io': clusterRoleRules,
  'rolebindings.rbac.authorization.k8s.io': roleBindingRules,
  'clusterrolebindings.rbac.authorization.k8s.io': clusterRoleBindingRules,
  'priorityclasses.scheduling.k8s.io': priorityClassRules,
  'storageclasses.storage.k8s.io': storageClassRules,
  'csidrivers.storage.k8s.io': csiDriverRules,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': mutatingWebhookConfigurationRules,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': validatingWebhookConfigurationRules,
  'validatingadmissionpolicies.admissionregistration.k8s.io': validatingAdmissionPolicyRules,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': validatingAdmissionPolicyBindingRules,
  'flowschemas.flowcontrol.apiserver.k8s.io': flowSchemaRules,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': priorityLevelConfigurationRules,
  'apiservices.apiregistration.k8s.io': apiServiceRules,
  'resourceclaims.resource.k8s.io': resourceClaimRules,
  'resourceclaimtemplates.resource.k8s.io': resourceClaimTemplateRules,
  'customresourcedefinitions.apiextensions.k8s.io': customResourceDefinitionRules,
  configmaps: configMapRules,
  events: eventRules,
  'events.events.k8s.io': eventRules,
  resourcequotas: resourceQuotaRules,
  'leases.coordination.k8s.io': leaseRules,
  'ipaddresses.networking.k8s.io': ipAddressRules,
  'servicecidrs.networking.k8s.io': serviceCIDRRules,
  'volumeattributesclasses.storage.k8s.io': volumeAttributesClassRules,
  'volumeattachments.storage.k8s.io': volumeAttachmentRules,
  'csinodes.storage.k8s.io': csiNodeRules,
  'csistoragecapacities.storage.k8s.io': csiStorageCapacityRules,
  'runtimeclasses.node.k8s.io': runtimeClassRules,
  'certificatesigningrequests.certificates.k8s.io': certificateSigningRequestRules,
  'deviceclasses.resource.k8s.io': deviceClassRules,
  'resourceslices.resource.k8s.io': resourceSliceRules,
};

/** What a kind without rules of its own gets: decoding by schema, metadata rules, the usual treatment of status. */
export function registryStrategy(resource: Resource): Strategy<KubernetesObject> {
  const rules = RULES[groupResource(resource)] ?? { hasStatus: resource.subresources.some(({ name }) => name === 'status') };
  return kindStrategy(rules as KindRules<KubernetesObject>);
}
