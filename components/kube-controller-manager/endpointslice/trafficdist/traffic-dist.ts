import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { Endpoint, EndpointHints, EndpointSlice } from '../../../../src/api/kinds/discovery-v1.ts';
import type { SlicePlan } from '../port-mapping.ts';

/** The hints that a traffic distribution wants on an endpoint that is ready; undefined for none. */
type Heuristic = (endpoint: Endpoint) => EndpointHints | undefined;

/** endpointslice trafficdist/trafficdist.go heuristics */
const HEURISTICS: Readonly<Record<string, Heuristic>> = {
  PreferClose: sameZone,
  PreferSameZone: sameZone,
  PreferSameNode: sameNode,
};

/**
 * Puts the hints that `spec.trafficDistribution` asks for on the endpoints of a plan; slices that would not change otherwise are updated for their hints.
 * endpointslice trafficdist/trafficdist.go ReconcileHints
 */
export function reconcileHints(trafficDistribution: string | undefined, plan: SlicePlan, unchanged: readonly EndpointSlice[]): void {
  const heuristic = HEURISTICS[trafficDistribution ?? ''];
  if (!heuristic) {
    removeHints(plan, unchanged);
    return;
  }
  for (const slice of [...plan.create, ...plan.update]) slice.endpoints = slice.endpoints.map((endpoint) => withHints(endpoint, heuristic));
  for (const slice of unchanged) {
    const endpoints = (slice.endpoints ?? []).map((endpoint) => withHints(endpoint, heuristic));
    if (endpoints.some((endpoint, index) => endpoint !== slice.endpoints[index])) plan.update.push({ ...slice, endpoints });
  }
}

/** endpointslice topologycache/utils.go RemoveHintsFromSlices */
export function removeHints(plan: SlicePlan, unchanged: readonly EndpointSlice[]): void {
  for (const slice of [...plan.create, ...plan.update]) slice.endpoints = slice.endpoints.map(withoutHints);
  for (const slice of unchanged) {
    if (slice.endpoints?.some(({ hints }) => hints !== undefined))
      plan.update.push({ ...slice, endpoints: slice.endpoints.map(withoutHints) });
  }
}

function sameZone({ zone }: Endpoint): EndpointHints | undefined {
  return zone ? { forZones: [{ name: zone }] } : undefined;
}

function sameNode(endpoint: Endpoint): EndpointHints | undefined {
  const { nodeName } = endpoint;
  return nodeName ? { ...sameZone(endpoint), forNodes: [{ name: nodeName }] } : sameZone(endpoint);
}

/** An endpoint that is not ready keeps the hints that it has. */
function withHints(endpoint: Endpoint, heuristic: Heuristic): Endpoint {
  if (endpoint.conditions?.ready === false) return endpoint;
  const hints = heuristic(endpoint);
  if (deepEqual(hints, endpoint.hints)) return endpoint;
  return hints ? { ...endpoint, hints } : withoutHints(endpoint);
}

function withoutHints(endpoint: Endpoint): Endpoint {
  if (endpoint.hints === undefined) return endpoint;
  const { hints: _, ...rest } = endpoint;
  return rest;
}
