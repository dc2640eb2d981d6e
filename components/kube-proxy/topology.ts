import { type EndpointInfo, isServingTerminating } from './endpoint.ts';
import { type ServicePortInfo, usesClusterEndpoints, usesLocalEndpoints } from './service-port.ts';

/** Which endpoints of a Service's port are used on this node: pkg/proxy/topology.go CategorizeEndpoints. */
export interface CategorizedEndpoints {
  /** For traffic policy Cluster. */
  readonly cluster: readonly EndpointInfo[];
  /** For traffic policy Local. */
  readonly local: readonly EndpointInfo[];
  /** Those that some rule leads to. */
  readonly reachable: readonly EndpointInfo[];
  /** There are usable endpoints, here or elsewhere. */
  readonly hasAny: boolean;
}

/** Where the proxy stands. */
export interface Place {
  readonly node: string;
  readonly zone: string;
}

export function categorizeEndpoints(endpoints: readonly EndpointInfo[], info: ServicePortInfo, place: Place): CategorizedEndpoints {
  const cluster = usesClusterEndpoints(info) ? clusterEndpoints(endpoints, place) : [];
  let hasAny = cluster.length > 0;
  if (!usesLocalEndpoints(info)) return { cluster, local: [], reachable: cluster, hasAny };
  const localReady = endpoints.filter((endpoint) => endpoint.ready && endpoint.isLocal);
  const local = localReady.length > 0 ? localReady : endpoints.filter((endpoint) => endpoint.isLocal && isServingTerminating(endpoint));
  hasAny ||= endpoints.some((endpoint) => endpoint.ready || isServingTerminating(endpoint));
  const listed = new Set(cluster.map(({ address }) => address));
  return { cluster, local, reachable: [...cluster, ...local.filter(({ address }) => !listed.has(address))], hasAny };
}

/** Ready ones that are near enough; if there is none, those that are on their way out and still serve. */
function clusterEndpoints(endpoints: readonly EndpointInfo[], place: Place): readonly EndpointInfo[] {
  const filter = topologyFilter(endpoints, place);
  const near = endpoints.filter((endpoint) => endpoint.ready && filter(endpoint));
  return near.length > 0 ? near : endpoints.filter(isServingTerminating);
}

/** pkg/proxy/topology.go topologyModeFromHints: hints count only if every ready endpoint has them and one is meant for this place. */
function topologyFilter(endpoints: readonly EndpointInfo[], { node, zone }: Place): (endpoint: EndpointInfo) => boolean {
  const ready = endpoints.filter((endpoint) => endpoint.ready);
  const forNode = ({ nodeHints }: EndpointInfo): boolean => nodeHints.includes(node);
  if (ready.length > 0 && ready.every(({ nodeHints }) => nodeHints.length > 0) && ready.some(forNode)) return forNode;
  const forZone = ({ zoneHints }: EndpointInfo): boolean => zoneHints.includes(zone);
  if (zone && ready.length > 0 && ready.every(({ zoneHints }) => zoneHints.length > 0) && ready.some(forZone)) return forZone;
  return () => true;
}
