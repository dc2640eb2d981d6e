import type {
  Endpoints,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  ReplicationController,
  Secret,
  Service,
} from '../../../../src/api/kinds/core-v1.ts';
import { roundUp, setDefaultsPodTemplate } from './pod-defaults.ts';
import { defaultNetworkVolume, setDefaultsClaimSpec } from './volume-defaults.ts';

/** kubernetes pkg/apis/core/v1 SetDefaults_Service */
export function setDefaultsService(service: Service): void {
  service.spec ??= {};
  const { spec } = service;
  spec.sessionAffinity ??= 'None';
  if (spec.sessionAffinity === 'None' && spec.sessionAffinityConfig) delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP') {
    spec.sessionAffinityConfig ??= {};
    spec.sessionAffinityConfig.clientIP ??= {};
    spec.sessionAffinityConfig.clientIP.timeoutSeconds ??= 10_800;
  }
  spec.type ??= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ??= 'TCP';
    if (!port.targetPort) port.targetPort = port.port;
  }
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer' || (spec.externalIPs?.length ?? 0) > 0)
    spec.externalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer' || spec.type === 'ClusterIP') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
  if (spec.type === 'LoadBalancer')
    for (const ingress of service.status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}

/** kubernetes pkg/apis/core/v1 SetDefaults_Endpoints */
export function setDefaultsEndpoints({ subsets }: Endpoints): void {
  for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ??= 'TCP';
}

/** kubernetes pkg/apis/core/v1 SetDefaults_Secret, and the merge of stringData that conversion does. */
export function setDefaultsSecret(secret: Secret): void {
  secret.type ??= 'Opaque';
  if (!secret.stringData) return;
  const data = { ...secret.data };
  for (const [key, text] of Object.entries(secret.stringData)) data[key] = toBase64(text);
  secret.data = data;
  delete secret.stringData;
}

function toBase64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

const NAME_LABEL = 'kubernetes.io/metadata.name';

/** kubernetes pkg/apis/core/v1 SetDefaults_Namespace: the label with the name, and the phase. */
export function setDefaultsNamespace(namespace: Namespace): void {
  const { name, labels } = namespace.metadata;
  if (name && labels?.[NAME_LABEL] !== name) namespace.metadata.labels = { ...labels, [NAME_LABEL]: name };
  namespace.status ??= {};
  namespace.status.phase ??= 'Active';
}

/** kubernetes pkg/apis/core/v1 SetDefaults_NodeStatus */
export function setDefaultsNode({ spec, status }: Node): void {
  if (spec?.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  else if (spec?.podCIDRs?.[0] && !spec.podCIDR) spec.podCIDR = spec.podCIDRs[0];
  if (!status) return;
  if (status.capacity && !status.allocatable) status.allocatable = { ...status.capacity };
  roundUp(status.capacity);
  roundUp(status.allocatable);
}

/** kubernetes pkg/apis/core/v1 SetDefaults_ReplicationController */
export function setDefaultsReplicationController(controller: ReplicationController): void {
  const { spec } = controller;
  if (!spec) return;
  const labels = spec.template?.metadata?.labels;
  if (labels) {
    if (!spec.selector) spec.selector = { ...labels };
    if (!controller.metadata.labels) controller.metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  if (spec.template) setDefaultsPodTemplate(spec.template);
}

/** kubernetes pkg/apis/core/v1 SetDefaults_PersistentVolume */
export function setDefaultsPersistentVolume(volume: PersistentVolume): void {
  volume.status ??= {};
  volume.status.phase ??= 'Pending';
  volume.spec ??= {};
  volume.spec.persistentVolumeReclaimPolicy ??= 'Retain';
  volume.spec.volumeMode ??= 'Filesystem';
  if (volume.spec.hostPath) volume.spec.hostPath.type ??= '';
  defaultNetworkVolume(volume.spec);
  roundUp(volume.spec.capacity);
}

/** kubernetes pkg/apis/core/v1 SetDefaults_PersistentVolumeClaim */
export function setDefaultsPersistentVolumeClaim(claim: PersistentVolumeClaim): void {
  claim.status ??= {};
  claim.status.phase ??= 'Pending';
  claim.spec ??= {};
  setDefaultsClaimSpec(claim.spec);
  roundUp(claim.spec.resources?.requests);
  roundUp(claim.spec.resources?.limits);
  roundUp(claim.status.capacity);
}

/** kubernetes pkg/apis/core/v1 SetDefaults_LimitRangeItem */
export function setDefaultsLimitRange({ spec }: LimitRange): void {
  for (const item of spec?.limits ?? []) {
    for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) roundUp(list);
    if (item.type !== 'Container') continue;
    const limits = { ...item.max, ...item.default };
    const requests = { ...item.min, ...limits, ...item.defaultRequest };
    if (Object.keys(limits).length > size(item.default)) item.default = limits;
    if (Object.keys(requests).length > size(item.defaultRequest)) item.defaultRequest = requests;
  }
}

function size(list: object | undefined): number {
  return Object.keys(list ?? {}).length;
}
