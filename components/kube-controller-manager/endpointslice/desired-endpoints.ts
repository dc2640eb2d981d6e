import type { Node, Pod, Service } from '../../../src/api/kinds/core-v1.ts';
import type { Endpoint, EndpointPort } from '../../../src/api/kinds/discovery-v1.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { SyncError } from '../controller/sync-error.ts';
import { getEndpointPorts } from './endpoint-ports.ts';
import { endpointIdentity, podToEndpoint } from './pod-to-endpoint.ts';
import type { DesiredGroup } from './port-mapping.ts';
import { shouldPodBeInEndpoints } from './util/pod-changes.ts';
import { newPortMapKey } from './util/port-map-key.ts';

const LABEL_ZONE = 'topology.kubernetes.io/zone';

/** What a pod is to a Service, in one address type. */
interface Entry {
  readonly service: Service;
  readonly addressType: string;
  readonly zone: string | undefined;
  readonly portKey: string;
  readonly ports: EndpointPort[];
  readonly endpoint: Endpoint;
  readonly identity: string;
}

/** Works out which endpoints a Service should have; what was found of a pod is kept for as long as pod and Service stay as they are. */
export class DesiredEndpoints {
  readonly #nodes: Indexer<Node>;
  readonly #entries = new WeakMap<Pod, Entry>();

  constructor(nodes: Indexer<Node>) {
    this.#nodes = nodes;
  }

  /** The endpoints by the ports at which they serve, and pods that have no place for want of a node. endpointslice reconciler.go reconcileByAddressType, first part */
  groups(service: Service, pods: readonly Pod[], addressType: string): { groups: Map<string, DesiredGroup>; errors: SyncError[] } {
    const groups = new Map<string, DesiredGroup>();
    const errors: SyncError[] = [];
    for (const pod of pods) {
      if (!shouldPodBeInEndpoints(pod, true)) continue;
      const nodeName = pod.spec?.nodeName ?? '';
      const node = this.#nodes.get(nodeName);
      const { portKey, ports, endpoint, identity } = this.#entry(pod, node, { service, addressType });
      const group = groups.get(portKey) ?? { ports, endpoints: new Map() };
      groups.set(portKey, group);
      if (!node && !service.spec?.publishNotReadyAddresses) {
        const { namespace, name } = service.metadata;
        errors.push(new SyncError(`skipping Pod ${pod.metadata.name} for Service ${namespace}/${name}: Node ${nodeName} Not Found`));
      } else if (endpoint.addresses.length > 0) group.endpoints.set(identity, endpoint);
    }
    return { groups, errors };
  }

  #entry(pod: Pod, node: Node | undefined, { service, addressType }: { service: Service; addressType: string }): Entry {
    const zone = node?.metadata.labels?.[LABEL_ZONE];
    const known = this.#entries.get(pod);
    if (known && known.service === service && known.zone === zone && known.addressType === addressType) return known;
    const ports = getEndpointPorts(service, pod);
    const portKey = newPortMapKey(ports);
    const endpoint = podToEndpoint(pod, { node, service, addressType });
    const entry = { service, addressType, zone, portKey, ports, endpoint, identity: endpointIdentity(endpoint) };
    this.#entries.set(pod, entry);
    return entry;
  }
}
