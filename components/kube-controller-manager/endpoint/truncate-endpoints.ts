import type { EndpointSubset } from '../../../src/api/kinds/core-v1.ts';

/** How many addresses an Endpoints object holds at most. */
const MAX_CAPACITY = 1_000;
export const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';

/**
 * Cuts subsets to what an Endpoints object may hold: ready addresses first, of each subset in proportion. Undefined when nothing has to be cut.
 * pkg/controller/endpoint/endpoints_controller.go truncateEndpoints
 */
export function truncateEndpoints(subsets: readonly EndpointSubset[]): EndpointSubset[] | undefined {
  const ready = count(subsets, 'addresses');
  const notReady = count(subsets, 'notReadyAddresses');
  if (ready + notReady <= MAX_CAPACITY) return undefined;
  const field = ready > MAX_CAPACITY ? 'addresses' : 'notReadyAddresses';
  const room = field === 'addresses' ? MAX_CAPACITY : MAX_CAPACITY - ready;
  const total = field === 'addresses' ? ready : notReady;
  let left = room;
  return subsets.map((subset) => {
    const all = subset[field] ?? [];
    const kept = all.slice(0, Math.min(left, Math.ceil((all.length / total) * room)));
    left -= kept.length;
    // Where ready addresses are cut already, those that are not ready have no place.
    const { addresses, notReadyAddresses: _, ...rest } = subset;
    const others = field === 'notReadyAddresses' && addresses ? { addresses, ...rest } : rest;
    return kept.length > 0 ? { ...others, [field]: kept } : others;
  });
}

/** pkg/controller/endpoint/endpoints_controller.go capacityAnnotationSetCorrectly */
export function capacityAnnotationSetCorrectly(
  annotations: Readonly<Record<string, string>> = {},
  subsets: readonly EndpointSubset[] = [],
): boolean {
  const size = count(subsets, 'addresses') + count(subsets, 'notReadyAddresses');
  if (size > MAX_CAPACITY) return false;
  return size === MAX_CAPACITY || annotations[OVER_CAPACITY] === undefined;
}

function count(subsets: readonly EndpointSubset[], field: 'addresses' | 'notReadyAddresses'): number {
  return subsets.reduce((sum, subset) => sum + (subset[field]?.length ?? 0), 0);
}
