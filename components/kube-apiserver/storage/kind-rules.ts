import type { Event, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { DeleteOptions } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { groupResource, type Resource } from '../../../src/api/resource.ts';
import type { Strategy } from './strategy.ts';

type Rules = Omit<Strategy, 'subresources' | 'prepareForCreate' | 'prepareForUpdate'>;

const CREATE_ON_UPDATE = new Set([
  'roles.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'leases.coordination.k8s.io',
  'limitranges',
  'events',
  'services',
  'endpoints',
  'runtimeclasses.node.k8s.io',
]);

const CONDITIONAL_UPDATE_ONLY = new Set([
  'leases.coordination.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'csistoragecapacities.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'apiservices.apiregistration.k8s.io',
]);

const RETURNS_DELETED_OBJECT = new Set([
  'pods',
  'namespaces',
  'persistentvolumes',
  'persistentvolumeclaims',
  'serviceaccounts',
  'services',
  'podtemplates',
  'resourcequotas',
  'storageclasses.storage.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourceslices.resource.k8s.io',
  'deviceclasses.resource.k8s.io',
]);

const ORPHANS_BY_DEFAULT = new Set(['jobs.batch', 'replicationcontrollers']);

/** How long Events are kept: kube-apiserver --event-ttl. */
const EVENT_TTL_MS = 3_600_000;

/** What storage does differently from kind to kind, apart from the contents of objects. pkg/registry/<group>/<kind>/storage and strategy */
export function kindRules(resource: Resource): Rules {
  const name = groupResource(resource);
  return {
    allowCreateOnUpdate: CREATE_ON_UPDATE.has(name),
    allowUnconditionalUpdate: !CONDITIONAL_UPDATE_ONLY.has(name),
    returnDeletedObject: RETURNS_DELETED_OBJECT.has(name),
    defaultGarbageCollection: name === 'events' ? 'Unsupported' : ORPHANS_BY_DEFAULT.has(name) ? 'Orphan' : 'Background',
    ...(name === 'events' ? { ttlMs: EVENT_TTL_MS } : {}),
    ...(name === 'pods'
      ? { gracePeriodSeconds: (pod: KubernetesObject, options: DeleteOptions) => podGracePeriod(pod as Pod, options) }
      : {}),
    selectableFields: SELECTABLE_FIELDS[name] ?? {},
  };
}

/** pkg/registry/core/pod.podStrategy.CheckGracefulDelete */
function podGracePeriod(pod: Pod, options: DeleteOptions): number {
  const { phase } = pod.status ?? {};
  if (!pod.spec?.nodeName || phase === 'Failed' || phase === 'Succeeded') return 0;
  return options.gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
}

/** Reads one field of any object; absent parts give ''. */
const at =
  (...path: readonly string[]) =>
  (object: KubernetesObject): string => {
    let value: unknown = object;
    for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key];
    return value === undefined || value === null ? '' : String(value);
  };

const flag = (...path: readonly string[]) => {
  const read = at(...path);
  return (object: KubernetesObject): string => read(object) || 'false';
};

const count = (...path: readonly string[]) => {
  const read = at(...path);
  return (object: KubernetesObject): string => read(object) || '0';
};

const eventSource = (object: KubernetesObject): string => {
  const { source, reportingComponent } = object as Event;
  return source?.component || reportingComponent || '';
};

const aboutObject = (prefix: string): Record<string, (object: KubernetesObject) => string> =>
  Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((key) => [
      `${prefix}.${key}`,
      at('involvedObject', key),
    ]),
  );

/** Field labels of each kind besides metadata.name and metadata.namespace. pkg/apis/<group>/<version>.addFieldLabelConversionsFor… */
const SELECTABLE_FIELDS: Readonly<Record<string, Readonly<Record<string, (object: KubernetesObject) => string>>>> = {
  pods: {
    'spec.nodeName': at('spec', 'nodeName'),
    'spec.host': at('spec', 'nodeName'),
    'spec.restartPolicy': at('spec', 'restartPolicy'),
    'spec.schedulerName': at('spec', 'schedulerName'),
    'spec.serviceAccountName': at('spec', 'serviceAccountName'),
    'spec.hostNetwork': flag('spec', 'hostNetwork'),
    'status.phase': at('status', 'phase'),
    'status.podIP': at('status', 'podIP'),
    'status.podIPs': at('status', 'podIP'),
    'status.nominatedNodeName': at('status', 'nominatedNodeName'),
  },
  nodes: { 'spec.unschedulable': flag('spec', 'unschedulable') },
  replicationcontrollers: { 'status.replicas': count('status', 'replicas') },
  events: {
    ...aboutObject('involvedObject'),
    reason: at('reason'),
    reportingComponent: at('reportingComponent'),
    source: eventSource,
    type: at('type'),
  },
  namespaces: { 'status.phase': at('status', 'phase') },
  secrets: { type: at('type') },
  services: { 'spec.clusterIP': at('spec', 'clusterIP'), 'spec.type': at('spec', 'type') },
  'jobs.batch': { 'status.successful': count('status', 'succeeded') },
  'certificatesigningrequests.certificates.k8s.io': { 'spec.signerName': at('spec', 'signerName') },
  'resourceslices.resource.k8s.io': { 'spec.nodeName': at('spec', 'nodeName'), 'spec.driver': at('spec', 'driver') },
};

/** Events of events.k8s.io are stored as those of the core group, and selected by names of their own. */
export const EVENT_V1_FIELDS: Readonly<Record<string, (object: KubernetesObject) => string>> = {
  ...aboutObject('regarding'),
  reason: at('reason'),
  reportingController: at('reportingComponent'),
  type: at('type'),
};

const WITHOUT_GENERATION = new Set([
  'nodes',
  'namespaces',
  'services',
  'persistentvolumes',
  'persistentvolumeclaims',
  'resourcequotas',
  'limitranges',
  'horizontalpodautoscalers.autoscaling',
  'certificatesigningrequests.certificates.k8s.io',
  'leases.coordination.k8s.io',
  'csinodes.storage.k8s.io',
  'csidrivers.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'servicecidrs.networking.k8s.io',
  'ipaddresses.networking.k8s.io',
]);

const WITH_SPEC = new Set([
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'ReplicationController',
  'Ingress',
  'IngressClass',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'FlowSchema',
  'PriorityLevelConfiguration',
  'ResourceSlice',
  'DeviceClass',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'CustomResourceDefinition',
  'PodTemplate',
  'EndpointSlice',
  'PriorityClass',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]);

/** Whether objects of the kind begin with generation 1. */
export function hasGeneration(resource: Resource): boolean {
  return WITH_SPEC.has(resource.kind) && !WITHOUT_GENERATION.has(groupResource(resource));
}
