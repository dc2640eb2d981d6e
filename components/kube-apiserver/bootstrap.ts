import { deepFreeze } from '../../src/api/freeze.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { apiVersionOf, type Resource } from '../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../src/api/resources.ts';
import { formatTime } from '../../src/api/time.ts';
import { BOOTSTRAP_OBJECTS } from './generated/bootstrap-objects.ts';
import type { ServerCore } from './server-core.ts';
import { hasGeneration } from './storage/kind-rules.ts';

export const SERVICE_CIDR = '10.96.0.0/16';
/** The address of the `kubernetes` Service: the first one of the range. */
export const KUBERNETES_SERVICE_IP = '10.96.0.1';
export const DEFAULT_ADVERTISED = '10.0.0.1:6443';

/**
 * Writes what a cluster has from its first moment, as far as it is not there: the system namespaces, the `kubernetes` Service, roles and bindings, priority
 * classes, flow schemas. It is not traced: it is how things are before anything happens. pkg/controlplane and its post-start hooks
 */
export function createBootstrapObjects(server: ServerCore, objects: readonly BootstrapObject[]): void {
  const now = formatTime(server.simulation.wallTime);
  for (const { object, resource } of objects) ensure(server, { storage: server.storage(resource), object, now });
}

export interface BootstrapObject {
  readonly object: KubernetesObject;
  readonly resource: Resource;
}

/** What a cluster has from its first moment. */
export function bootstrapObjects(server: ServerCore): BootstrapObject[] {
  const now = formatTime(server.simulation.wallTime);
  const resources = new Map(BUILT_IN_RESOURCES.map((resource) => [`${apiVersionOf(resource)}/${resource.kind}`, resource]));
  const recorded = JSON.parse(BOOTSTRAP_OBJECTS.replaceAll('<now>', now).replaceAll('<today>', now.slice(0, 10))) as KubernetesObject[];
  const objects = [...namespaceObjects(), ...recorded, ...serviceObjects(server.config.advertise ?? DEFAULT_ADVERTISED, now)];
  return objects.flatMap((object) => {
    const resource = resources.get(`${object.apiVersion}/${object.kind}`);
    return resource ? [{ object, resource }] : [];
  });
}

function ensure(server: ServerCore, write: { storage: ReturnType<ServerCore['storage']>; object: KubernetesObject; now: string }): void {
  const { storage, object, now } = write;
  const { namespace = '', name = '' } = object.metadata;
  if (storage.get(namespace, name)) return;
  const resourceVersion = String(server.etcd.revision + 1);
  const generation = hasGeneration(storage.resource) ? 1 : 0;
  const metadata = {
    ...object.metadata,
    uid: server.uids.uuid(),
    resourceVersion,
    ...(generation ? { generation } : {}),
    creationTimestamp: now,
  };
  storage.keyspace.put(storage.key(namespace, name), deepFreeze({ ...object, metadata }));
}

function namespaceObjects(): KubernetesObject[] {
  return ['kube-system', 'kube-public', 'kube-node-lease', 'default'].map((name) =>
    typed({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    }),
  );
}

/** The Service by which pods reach kube-apiserver, with everything that belongs to it. pkg/controlplane/controller/kubernetesservice */
function serviceObjects(advertise: string, now: string): KubernetesObject[] {
  const [address = '', port = '6443'] = advertise.split(':');
  const place = { name: 'kubernetes', namespace: 'default' };
  const https = { name: 'https', port: Number(port), protocol: 'TCP' };
  return [
    typed({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'kubernetes', finalizers: ['networking.k8s.io/service-cidr-finalizer'] },
      spec: { cidrs: [SERVICE_CIDR] },
      status: {
        conditions: [
          { lastTransitionTime: now, message: 'Kubernetes default Service CIDR is ready', reason: '', status: 'True', type: 'Ready' },
        ],
      },
    }),
    typed({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IPAddress',
      metadata: {
        name: KUBERNETES_SERVICE_IP,
        labels: { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' },
      },
      spec: { parentRef: { name: 'kubernetes', namespace: 'default', resource: 'services' } },
    }),
    typed({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...place, labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP: KUBERNETES_SERVICE_IP,
        clusterIPs: [KUBERNETES_SERVICE_IP],
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: Number(port) }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
      },
      status: { loadBalancer: {} },
    }),
    typed({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...place, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: address }], ports: [https] }],
    }),
    typed({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...place, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [https],
    }),
  ];
}

/** An object whose kind has fields that the general type does not name. */
function typed(object: KubernetesObject & Record<string, unknown>): KubernetesObject {
  return object;
}
