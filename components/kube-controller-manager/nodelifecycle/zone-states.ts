import type { Node } from '../../../src/api/kinds/core-v1.ts';

export type ZoneState = 'Initial' | 'Normal' | 'FullDisruption' | 'PartialDisruption';

const UNHEALTHY_ZONE_THRESHOLD = 0.55;
const LARGE_CLUSTER_SIZE_THRESHOLD = 50;
const EVICTION_QPS = 0.1;
const SECONDARY_EVICTION_QPS = 0.01;

/** Names the zone of a node by its region and zone labels. component-helpers node/topology GetZoneKey */
export function getZoneKey({ metadata: { labels = {} } }: Node): string {
  const region = labels['topology.kubernetes.io/region'] ?? labels['failure-domain.beta.kubernetes.io/region'] ?? '';
  const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? '';
  return region || zone ? `${region}:\0:${zone}` : '';
}

/** pkg/controller/nodelifecycle isNodeExcludedFromDisruptionChecks */
export function isNodeExcludedFromDisruptionChecks({ metadata }: Node): boolean {
  return metadata.labels?.['node.kubernetes.io/exclude-disruption'] !== undefined;
}

/** pkg/controller/nodelifecycle ComputeZoneState */
export function computeZoneState({ ready, notReady }: { ready: number; notReady: number }): ZoneState {
  if (ready === 0 && notReady > 0) return 'FullDisruption';
  return notReady > 2 && notReady / (ready + notReady) >= UNHEALTHY_ZONE_THRESHOLD ? 'PartialDisruption' : 'Normal';
}

/** How many nodes of a zone may be tainted NoExecute in a second. pkg/controller/nodelifecycle setLimiterInZone */
export function evictionRate(state: ZoneState, zoneSize: number): number {
  if (state !== 'PartialDisruption') return EVICTION_QPS;
  return zoneSize > LARGE_CLUSTER_SIZE_THRESHOLD ? SECONDARY_EVICTION_QPS : 0;
}
