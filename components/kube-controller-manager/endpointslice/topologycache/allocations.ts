/** How far an endpoint may be busier than an even share. */
const OVERLOAD_THRESHOLD = 0.2;

/** How many endpoints a zone should be hinted for. endpointslice topologycache/sliceinfo.go allocation */
export interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

/** The share of each zone, or why there is none. endpointslice topologycache/topologycache.go getAllocations */
export function getAllocations(
  cpuRatios: ReadonlyMap<string, number> | undefined,
  endpoints: number,
): { readonly allocations: ReadonlyMap<string, Allocation> } | { readonly refused: string } {
  if (!cpuRatios) return { refused: 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes' };
  if (cpuRatios.size < 2) return { refused: 'Nodes only ready in one zone' };
  const count = `(${endpoints} endpoints, ${cpuRatios.size} zones)`;
  if (cpuRatios.size > endpoints) return { refused: `Insufficient number of endpoints ${count}` };
  const minima = [...cpuRatios].map(([zone, ratio]) => ({ zone, desired: ratio * endpoints, minimum: minimumOf(ratio * endpoints) }));
  const total = minima.reduce((sum, { minimum }) => sum + minimum, 0);
  if (total > endpoints) {
    return { refused: `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${count}` };
  }
  const allocations = minima.map(({ zone, desired, minimum }): [string, Allocation] => [
    zone,
    { minimum, maximum: minimum + endpoints - total, desired: Math.max(desired, minimum) },
  ]);
  return { allocations: new Map(allocations) };
}

/** Whether some zone is hinted for fewer endpoints than it must have. endpointslice topologycache/utils.go serviceOverloaded */
export function isOverloaded(hinted: ReadonlyMap<string, number>, cpuRatios: ReadonlyMap<string, number> | undefined): boolean {
  if (hinted.size === 0) return false;
  if (!cpuRatios) return true;
  const total = [...hinted.values()].reduce((sum, count) => sum + count, 0);
  return [...cpuRatios].some(([zone, ratio]) => (hinted.get(zone) ?? 0) < minimumOf(ratio * total));
}

/** How many endpoints zones give away and get. endpointslice topologycache/utils.go getGivingAndReceivingZones */
export function getGivingAndReceivingZones(
  allocations: ReadonlyMap<string, Allocation>,
  hinted: ReadonlyMap<string, number>,
): { giving: Map<string, number>; receiving: Map<string, number> } {
  const surplus = new Map<string, number>();
  const need = new Map<string, number>();
  for (const [zone, { desired }] of allocations) {
    const difference = (hinted.get(zone) ?? 0) - desired;
    if (difference > 0) surplus.set(zone, difference);
    else if (difference < 0) need.set(zone, -difference);
  }
  const giving = new Map<string, number>();
  const receiving = new Map<string, number>();
  for (;;) {
    const from = most(surplus);
    const to = most(need);
    if (!from || !to || (from.count < 1 && to.count < 1) || from.count < 0.5 || to.count < 0.5) return { giving, receiving };
    add(giving, from.zone, 1);
    add(surplus, from.zone, -1);
    add(receiving, to.zone, 1);
    add(need, to.zone, -1);
  }
}

export function add(counts: Map<string, number>, zone: string, count: number): void {
  counts.set(zone, (counts.get(zone) ?? 0) + count);
}

function minimumOf(desired: number): number {
  return Math.ceil(desired * (1 / (1 + OVERLOAD_THRESHOLD)));
}

function most(counts: ReadonlyMap<string, number>): { zone: string; count: number } | undefined {
  let best: { zone: string; count: number } | undefined;
  for (const [zone, count] of counts) if (!best || count > best.count) best = { zone, count };
  return best;
}
