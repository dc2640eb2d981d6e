import type {
  ComponentStatus,
  ConfigMap,
  Endpoints,
  Event,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from '../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../src/api/kinds/discovery-v1.ts';
import { age, type Cell, labelsText, loadBalancerAddresses, NONE, nameOf, shortList, since, UNSET } from './cell.ts';

/** pkg/printers/internalversion.printService */
export function printService(object: Service, now: number): Cell[] {
  const { spec } = object;
  const address = spec?.clusterIPs?.[0] || spec?.clusterIP || NONE;
  const ports = (spec?.ports ?? []).map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? 'TCP'}`);
  return [
    nameOf(object),
    spec?.type ?? '',
    address,
    externalAddress(object),
    ports.join(',') || NONE,
    age(object, now),
    labelsText(spec?.selector),
  ];
}

function externalAddress({ spec, status }: Service): string {
  const external = spec?.externalIPs ?? [];
  if (spec?.type === 'ExternalName') return spec.externalName ?? '';
  if (spec?.type !== 'LoadBalancer') return external.join(',') || NONE;
  return [...loadBalancerAddresses(status?.loadBalancer?.ingress), ...external].join(',') || '<pending>';
}

/** pkg/printers/internalversion.printNode */
export function printNode(object: Node, now: number): Cell[] {
  const { spec, status } = object;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const states = [
    ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown',
    ...(spec?.unschedulable ? ['SchedulingDisabled'] : []),
  ];
  const address = (wanted: string): string => status?.addresses?.find(({ type }) => type === wanted)?.address || NONE;
  const info = status?.nodeInfo;
  return [
    nameOf(object),
    states.join(','),
    nodeRoles(object).join(',') || NONE,
    age(object, now),
    info?.kubeletVersion ?? '',
    address('InternalIP'),
    address('ExternalIP'),
    info?.osImage || '<unknown>',
    info?.kernelVersion || '<unknown>',
    info?.containerRuntimeVersion || '<unknown>',
  ];
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function nodeRoles({ metadata }: Node): string[] {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    if (key.startsWith(ROLE_PREFIX) && key.length > ROLE_PREFIX.length) roles.add(key.slice(ROLE_PREFIX.length));
    else if (key === 'kubernetes.io/role' && value !== '') roles.add(value);
  }
  return [...roles].sort();
}

export function printEndpoints(object: Endpoints, now: number): Cell[] {
  const all = (object.subsets ?? []).flatMap(({ addresses = [], ports }) =>
    ports?.length
      ? ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)))
      : addresses.map(({ ip }) => ip),
  );
  // Subsets in which nobody is ready show nothing.
  return [nameOf(object), shortList(all, object.subsets?.length ? '' : NONE), age(object, now)];
}

export function printEndpointSlice(object: EndpointSlice, now: number): Cell[] {
  const ports = (object.ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'));
  const addresses = (object.endpoints ?? []).flatMap((endpoint) => endpoint.addresses);
  return [nameOf(object), object.addressType, shortList(ports, UNSET), shortList(addresses, UNSET), age(object, now)];
}

/** pkg/printers/internalversion.printEvent */
export function printEvent(object: Event, now: number): Cell[] {
  const { involvedObject: about, source, series } = object;
  const first = since(object.firstTimestamp || object.eventTime, now);
  const last = series ? since(series.lastObservedTime, now) : object.lastTimestamp ? since(object.lastTimestamp, now) : first;
  const kind = (about.kind ?? '').toLowerCase();
  const [component, instance] = source?.component
    ? [source.component, source.host]
    : [object.reportingComponent ?? '', object.reportingInstance];
  return [
    last,
    object.type ?? '',
    object.reason ?? '',
    about.name ? `${kind}/${about.name}` : kind,
    about.fieldPath ?? '',
    instance ? `${component}, ${instance}` : component,
    (object.message ?? '').trim(),
    first,
    series?.count ?? (object.count || 1),
    nameOf(object),
  ];
}

export const printNamespace = (object: Namespace, now: number): Cell[] => [nameOf(object), object.status?.phase ?? '', age(object, now)];
export const printSecret = (object: Secret, now: number): Cell[] => [
  nameOf(object),
  object.type ?? '',
  size(object.data),
  age(object, now),
];
export const printServiceAccount = (object: ServiceAccount, now: number): Cell[] => [
  nameOf(object),
  object.secrets?.length ?? 0,
  age(object, now),
];
export const printConfigMap = (object: ConfigMap, now: number): Cell[] => [
  nameOf(object),
  size(object.data) + size(object.binaryData),
  age(object, now),
];

function size(map: object | undefined): number {
  return Object.keys(map ?? {}).length;
}

const ACCESS_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Each mode once, in the order of the list above. component-helpers storage GetAccessModesAsString */
function accessModes(modes: readonly string[] | undefined): string {
  return Object.keys(ACCESS_MODES)
    .flatMap((mode) => (modes?.includes(mode) ? [ACCESS_MODES[mode] ?? ''] : []))
    .join(',');
}

export function printPersistentVolume(object: PersistentVolume, now: number): Cell[] {
  const { metadata, spec, status } = object;
  const claim = spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '';
  return [
    nameOf(object),
    spec?.capacity?.['storage'] ?? '0',
    accessModes(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? '',
    metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    claim,
    metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '',
    spec?.volumeAttributesClassName ?? UNSET,
    status?.reason ?? '',
    age(object, now),
    spec?.volumeMode ?? UNSET,
  ];
}

export function printPersistentVolumeClaim(object: PersistentVolumeClaim, now: number): Cell[] {
  const { metadata, spec, status } = object;
  const bound = Boolean(spec?.volumeName);
  return [
    nameOf(object),
    metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    spec?.volumeName ?? '',
    bound ? (status?.capacity?.['storage'] ?? '0') : '',
    bound ? accessModes(status?.accessModes) : '',
    metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '',
    spec?.volumeAttributesClassName ?? UNSET,
    age(object, now),
    spec?.volumeMode ?? UNSET,
  ];
}

export function printResourceQuota(object: ResourceQuota, now: number): Cell[] {
  const { hard = {}, used = {} } = object.status ?? {};
  const lines = Object.keys(hard)
    .sort()
    .map((name) => ({ name, text: `${name}: ${used[name] ?? '0'}/${hard[name]}` }));
  const limits = lines.filter(({ name }) => name.startsWith('limits.')).map(({ text }) => text);
  const requests = lines.filter(({ name }) => !name.startsWith('limits.')).map(({ text }) => text);
  return [nameOf(object), requests.join(', '), limits.join(', '), age(object, now)];
}

/** pkg/printers/internalversion.printComponentStatus */
export function printComponentStatus(object: ComponentStatus): Cell[] {
  const healthy = object.conditions?.find(({ type }) => type === 'Healthy');
  const status = healthy ? (healthy.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown';
  return [nameOf(object), status, healthy?.message ?? '', healthy?.error ?? ''];
}
