/** Labels of nodes that say in which zone they are: the well-known one, and the driver's own from before. pkg/driver WellKnownZoneTopologyKey, ZoneTopologyKey */
export const ZONE_KEYS = ['topology.kubernetes.io/zone', 'topology.ebs.csi.aws.com/zone'] as const;

/** Where a node is. */
export function segmentsOf(zone: string): Readonly<Record<string, string>> {
  return { 'kubernetes.io/os': 'linux', ...Object.fromEntries(ZONE_KEYS.map((key) => [key, zone])) };
}
