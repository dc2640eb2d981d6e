import type { KubernetesObject } from '../../../src/api/object.ts';
import { isValidPathSegmentName } from '../../../src/api/validation/content.ts';
import { groupResource, type Resource } from '../../../src/api/resource.ts';
import type { Strategy } from '../storage/strategy.ts';
import {
  setDefaultsMutatingWebhookConfiguration,
  setDefaultsValidatingAdmissionPolicy,
  setDefaultsValidatingAdmissionPolicyBinding,
  setDefaultsValidatingWebhookConfiguration,
} from './admissionregistration/defaults.ts';
import { setDefaultsCustomResourceDefinition } from './apiextensions/defaults.ts';
import { setDefaultsAPIService } from './apiregistration/defaults.ts';
import { controllerRevisionRules } from './apps/controller-revision.ts';
import { daemonSetRules } from './apps/daemon-set.ts';
import { deploymentRules } from './apps/deployment.ts';
import { replicaSetRules } from './apps/replica-set.ts';
import { statefulSetRules } from './apps/stateful-set.ts';
import { setDefaultsHorizontalPodAutoscaler } from './autoscaling/defaults.ts';
import { setDefaultsCronJob, setDefaultsJob } from './batch/defaults.ts';
import { configMapRules } from './core/config-map.ts';
import { setDefaultsLimitRange, setDefaultsPersistentVolume, setDefaultsPersistentVolumeClaim } from './core/defaults.ts';
import { endpointsRules } from './core/endpoints.ts';
import { eventRules } from './core/event.ts';
import { namespaceRules } from './core/namespace.ts';
import { nodeRules } from './core/node.ts';
import { podRules } from './core/pod.ts';
import { podTemplateRules } from './core/pod-template.ts';
import { replicationControllerRules } from './core/replication-controller.ts';
import { secretRules } from './core/secret.ts';
import { serviceRules } from './core/service.ts';
import { setDefaultsEndpointSlice } from './discovery/defaults.ts';
import { endpointSliceChanges } from './discovery/endpoint-slice-changes.ts';
import { setDefaultsFlowSchema, setDefaultsPriorityLevelConfiguration } from './flowcontrol/defaults.ts';
import { type KindRules, kindStrategy } from './kind-strategy.ts';
import { setDefaultsIngressClass, setDefaultsNetworkPolicy } from './networking/defaults.ts';
import { setDefaultsBinding } from './rbac/defaults.ts';
import { setDefaultsResourceClaim, setDefaultsResourceClaimTemplate } from './resource/defaults.ts';
import { setDefaultsPriorityClass } from './scheduling/defaults.ts';
import { setDefaultsCSIDriver, setDefaultsStorageClass } from './storage/defaults.ts';

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
  persistentvolumes: { defaults: setDefaultsPersistentVolume, hasStatus: true },
  persistentvolumeclaims: { defaults: setDefaultsPersistentVolumeClaim, hasStatus: true },
  limitranges: { defaults: setDefaultsLimitRange },
  'controllerrevisions.apps': controllerRevisionRules,
  'deployments.apps': deploymentRules,
  'replicasets.apps': replicaSetRules,
  'statefulsets.apps': statefulSetRules,
  'daemonsets.apps': daemonSetRules,
  'jobs.batch': { defaults: setDefaultsJob, hasStatus: true, generation: true },
  'cronjobs.batch': { defaults: setDefaultsCronJob, hasStatus: true, generation: true },
  'networkpolicies.networking.k8s.io': { defaults: setDefaultsNetworkPolicy, generation: true },
  'ingressclasses.networking.k8s.io': { defaults: setDefaultsIngressClass, generation: true },
  'ingresses.networking.k8s.io': { hasStatus: true, generation: true },
  'endpointslices.discovery.k8s.io': { defaults: setDefaultsEndpointSlice, generation: true, changes: endpointSliceChanges },
  'horizontalpodautoscalers.autoscaling': { defaults: setDefaultsHorizontalPodAutoscaler, hasStatus: true },
  'poddisruptionbudgets.policy': { hasStatus: true, generation: true },
  'roles.rbac.authorization.k8s.io': { validateName: isValidPathSegmentName },
  'clusterroles.rbac.authorization.k8s.io': { validateName: isValidPathSegmentName },
  'rolebindings.rbac.authorization.k8s.io': { validateName: isValidPathSegmentName, defaults: setDefaultsBinding },
  'clusterrolebindings.rbac.authorization.k8s.io': { validateName: isValidPathSegmentName, defaults: setDefaultsBinding },
  'priorityclasses.scheduling.k8s.io': { defaults: setDefaultsPriorityClass, generation: true },
  'storageclasses.storage.k8s.io': { defaults: setDefaultsStorageClass },
  'csidrivers.storage.k8s.io': { defaults: setDefaultsCSIDriver },
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': { defaults: setDefaultsMutatingWebhookConfiguration, generation: true },
  'validatingwebhookconfigurations.admissionregistration.k8s.io': { defaults: setDefaultsValidatingWebhookConfiguration, generation: true },
  'validatingadmissionpolicies.admissionregistration.k8s.io': {
    defaults: setDefaultsValidatingAdmissionPolicy,
    hasStatus: true,
    generation: true,
  },
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': {
    defaults: setDefaultsValidatingAdmissionPolicyBinding,
    generation: true,
  },
  'flowschemas.flowcontrol.apiserver.k8s.io': { defaults: setDefaultsFlowSchema, hasStatus: true, generation: true },
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': {
    defaults: setDefaultsPriorityLevelConfiguration,
    hasStatus: true,
    generation: true,
  },
  'apiservices.apiregistration.k8s.io': { defaults: setDefaultsAPIService, hasStatus: true },
  'resourceclaims.resource.k8s.io': { defaults: setDefaultsResourceClaim, hasStatus: true },
  'resourceclaimtemplates.resource.k8s.io': { defaults: setDefaultsResourceClaimTemplate },
  'customresourcedefinitions.apiextensions.k8s.io': { defaults: setDefaultsCustomResourceDefinition, hasStatus: true, generation: true },
  configmaps: configMapRules,
  events: eventRules,
  'events.events.k8s.io': eventRules,
};

/** What a kind without rules of its own gets: decoding by schema, metadata rules, the usual treatment of status. */
export function registryStrategy(resource: Resource): Strategy<KubernetesObject> {
  const rules = RULES[groupResource(resource)] ?? { hasStatus: resource.subresources.some(({ name }) => name === 'status') };
  return kindStrategy(rules as KindRules<KubernetesObject>);
}
