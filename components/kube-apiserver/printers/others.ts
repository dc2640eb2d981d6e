import { formatSelector } from '../../../src/api/format-selector.ts';
import { humanDuration } from '../../../src/api/human-duration.ts';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../../../src/api/kinds/admissionregistration-v1.ts';
import type { APIService } from '../../../src/api/kinds/apiregistration-v1.ts';
import type { Scale } from '../../../src/api/kinds/autoscaling-v1.ts';
import type { CertificateSigningRequest } from '../../../src/api/kinds/certificates-v1.ts';
import type { Lease } from '../../../src/api/kinds/coordination-v1.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../../../src/api/kinds/flowcontrol-v1.ts';
import type { Ingress, IngressClass, IPAddress, NetworkPolicy, ServiceCIDR } from '../../../src/api/kinds/networking-v1.ts';
import type { RuntimeClass } from '../../../src/api/kinds/node-v1.ts';
import type { ClusterRoleBinding, RoleBinding } from '../../../src/api/kinds/rbac-v1.ts';
import type { ResourceClaim, ResourceSlice } from '../../../src/api/kinds/resource-v1.ts';
import type { PriorityClass } from '../../../src/api/kinds/scheduling-v1.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '../../../src/api/kinds/storage-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { age, type Cell, loadBalancerAddresses, NONE, nameOf, selectorText, UNSET } from './cell.ts';

export const printNameAndAge = (object: KubernetesObject, now: number): Cell[] => [nameOf(object), age(object, now)];
/** Kinds that nobody has thought of columns for. */
export const printCreatedAt = (object: KubernetesObject): Cell[] => [nameOf(object), object.metadata.creationTimestamp ?? null];

export function printIngress(object: Ingress, now: number): Cell[] {
  const { spec, status } = object;
  return [
    nameOf(object),
    spec?.ingressClassName ?? NONE,
    hostsText((spec?.rules ?? []).map(({ host }) => host ?? '')),
    loadBalancerAddresses(status?.loadBalancer?.ingress).join(','),
    spec?.tls?.length ? '80, 443' : '80',
    age(object, now),
  ];
}

/** pkg/printers/internalversion formatHosts: what comes after the third host is counted by rules. */
function hostsText(rules: readonly string[]): string {
  const hosts = rules.filter(Boolean);
  if (hosts.length < 3) return hosts.join(',') || '*';
  const third = rules.flatMap((host, index) => (host ? [index] : []))[2] ?? 0;
  return hosts.slice(0, 3).join(',') + (third < rules.length - 1 ? ` + ${rules.length - 3} more...` : '');
}

export function printIngressClass(object: IngressClass, now: number): Cell[] {
  const { parameters } = object.spec ?? {};
  const text = parameters ? `${parameters.kind}${parameters.apiGroup ? `.${parameters.apiGroup}` : ''}/${parameters.name}` : NONE;
  return [nameOf(object), object.spec?.controller ?? '', text, age(object, now)];
}

export const printNetworkPolicy = (object: NetworkPolicy, now: number): Cell[] => [
  nameOf(object),
  selectorText(object.spec?.podSelector ?? {}),
  age(object, now),
];

export function printRoleBinding(object: RoleBinding | ClusterRoleBinding, now: number): Cell[] {
  const subjects = object.subjects ?? [];
  const of = (wanted: string): string =>
    subjects
      .flatMap(({ kind, name, namespace }) => (kind === wanted ? [wanted === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name] : []))
      .join(', ');
  return [nameOf(object), `${object.roleRef.kind}/${object.roleRef.name}`, age(object, now), of('User'), of('Group'), of('ServiceAccount')];
}

export function printCertificateSigningRequest(object: CertificateSigningRequest, now: number): Cell[] {
  const { spec, status } = object;
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) ?? false;
  const states = [
    has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending',
    ...(has('Failed') ? ['Failed'] : []),
    ...(status?.certificate ? ['Issued'] : []),
  ];
  const duration = spec.expirationSeconds === undefined ? NONE : humanDuration(spec.expirationSeconds * 1000);
  return [nameOf(object), age(object, now), spec.signerName, spec.username ?? '', duration, states.join(',')];
}

export const printLease = (object: Lease, now: number): Cell[] => [nameOf(object), object.spec?.holderIdentity ?? '', age(object, now)];
export const printPriorityClass = (object: PriorityClass, now: number): Cell[] => [
  nameOf(object),
  object.value,
  object.globalDefault ?? false,
  age(object, now),
  object.preemptionPolicy ?? '',
];
export const printRuntimeClass = (object: RuntimeClass, now: number): Cell[] => [nameOf(object), object.handler, age(object, now)];

export function printStorageClass(object: StorageClass, now: number): Cell[] {
  const { annotations } = object.metadata;
  const isDefault = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'].some(
    (key) => annotations?.[key] === 'true',
  );
  const name = `${nameOf(object)}${isDefault ? ' (default)' : ''}`;
  return [
    name,
    object.provisioner,
    object.reclaimPolicy ?? 'Delete',
    object.volumeBindingMode ?? 'Immediate',
    object.allowVolumeExpansion ?? false,
    age(object, now),
  ];
}

export const printVolumeAttachment = (object: VolumeAttachment, now: number): Cell[] => [
  nameOf(object),
  object.spec.attacher,
  object.spec.source.persistentVolumeName ?? '',
  object.spec.nodeName,
  object.status?.attached ?? false,
  age(object, now),
];
export const printVolumeAttributesClass = (object: VolumeAttributesClass, now: number): Cell[] => [
  nameOf(object),
  object.driverName,
  age(object, now),
];
export const printCSINode = (object: CSINode, now: number): Cell[] => [nameOf(object), object.spec.drivers?.length ?? 0, age(object, now)];
export const printCSIStorageCapacity = (object: CSIStorageCapacity): Cell[] => [
  nameOf(object),
  object.storageClassName,
  object.capacity ?? UNSET,
];

export function printCSIDriver(object: CSIDriver, now: number): Cell[] {
  const { spec } = object;
  const tokens = spec.tokenRequests?.length ? spec.tokenRequests.map(({ audience }) => audience).join(',') : UNSET;
  const modes = spec.volumeLifecycleModes?.join(',') || NONE;
  const flags = [spec.attachRequired ?? true, spec.podInfoOnMount ?? false, spec.storageCapacity ?? false];
  return [nameOf(object), ...flags, tokens, spec.requiresRepublish ?? false, modes, age(object, now)];
}

export const printWebhookConfiguration = (object: ValidatingWebhookConfiguration, now: number): Cell[] => [
  nameOf(object),
  object.webhooks?.length ?? 0,
  age(object, now),
];

export function printValidatingAdmissionPolicy(object: ValidatingAdmissionPolicy, now: number): Cell[] {
  const { validations, paramKind } = object.spec ?? {};
  return [nameOf(object), validations?.length ?? 0, paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : UNSET, age(object, now)];
}

export function printValidatingAdmissionPolicyBinding(object: ValidatingAdmissionPolicyBinding, now: number): Cell[] {
  const { policyName = '', paramRef } = object.spec ?? {};
  const param = paramRef?.name
    ? `${paramRef.namespace ?? '*'}/${paramRef.name}`
    : paramRef?.selector
      ? formatSelector(paramRef.selector)
      : UNSET;
  return [nameOf(object), policyName, param, age(object, now)];
}

export function printFlowSchema(object: FlowSchema, now: number): Cell[] {
  const { spec, status } = object;
  const dangling = status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?';
  return [
    nameOf(object),
    spec?.priorityLevelConfiguration.name ?? '',
    spec?.matchingPrecedence ?? 0,
    spec?.distinguisherMethod?.type ?? NONE,
    age(object, now),
    dangling,
  ];
}

export function printPriorityLevelConfiguration(object: PriorityLevelConfiguration, now: number): Cell[] {
  const { type = '', limited, exempt } = object.spec ?? {};
  const queuing = limited?.limitResponse?.queuing;
  const shares = limited?.nominalConcurrencyShares ?? exempt?.nominalConcurrencyShares ?? NONE;
  return [
    nameOf(object),
    type,
    shares,
    queuing?.queues ?? NONE,
    queuing?.handSize ?? NONE,
    queuing?.queueLengthLimit ?? NONE,
    age(object, now),
  ];
}

export const printServiceCIDR = (object: ServiceCIDR, now: number): Cell[] => [
  nameOf(object),
  object.spec?.cidrs?.join(',') ?? '',
  age(object, now),
];

export function printIPAddress(object: IPAddress, now: number): Cell[] {
  const { group, resource = '', namespace, name = '' } = object.spec?.parentRef ?? {};
  const parent = `${resource}${group ? `.${group}` : ''}/${namespace ? `${namespace}/` : ''}${name}`;
  return [nameOf(object), parent, age(object, now)];
}

export function printResourceClaim(object: ResourceClaim, now: number): Cell[] {
  const { status, metadata } = object;
  const states = [
    ...(metadata.deletionTimestamp ? ['deleted'] : []),
    status?.allocation ? 'allocated' : metadata.deletionTimestamp ? '' : 'pending',
    ...(status?.reservedFor?.length ? ['reserved'] : []),
  ];
  return [nameOf(object), states.filter(Boolean).join(','), age(object, now)];
}

export const printResourceSlice = (object: ResourceSlice, now: number): Cell[] => [
  nameOf(object),
  object.spec.nodeName ?? '',
  object.spec.driver,
  object.spec.pool.name,
  age(object, now),
];

export function printAPIService(object: APIService, now: number): Cell[] {
  const { service } = object.spec ?? {};
  const available = object.status?.conditions?.find(({ type }) => type === 'Available');
  const state = available ? (available.status === 'True' ? 'True' : `${available.status} (${available.reason})`) : 'Unknown';
  return [nameOf(object), service ? `${service.namespace}/${service.name}` : 'Local', state, age(object, now)];
}

export const printScale = (object: Scale, now: number): Cell[] => [
  nameOf(object as KubernetesObject),
  object.spec?.replicas ?? 0,
  object.status?.replicas ?? 0,
  age(object as KubernetesObject, now),
];
