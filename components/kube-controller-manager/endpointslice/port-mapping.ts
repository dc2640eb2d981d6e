import type { Service } from '../../../src/api/kinds/core-v1.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../../src/api/kinds/discovery-v1.ts';
import { endpointSliceLabels, labelsChanged, newEndpointSlice } from './new-endpoint-slice.ts';
import { endpointIdentity, endpointsEqualBeyondHash } from './pod-to-endpoint.ts';

/** --max-endpoints-per-slice */
const MAX_ENDPOINTS_PER_SLICE = 100;

/** What has to be written. */
export interface SlicePlan {
  create: EndpointSlice[];
  update: EndpointSlice[];
  delete: EndpointSlice[];
}

/** The endpoints that should be behind one list of ports, by identity. */
export interface DesiredGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * Fits the desired endpoints of one list of ports into the slices that are there with as few writes as possible: those that changed anyway are filled
 * first, then one that has room for all the rest, then new ones. Takes the endpoints that it has placed out of `desired`.
 * endpointslice reconciler.go reconcileByPortMapping
 */
export function reconcileByPortMapping(options: {
  service: Service;
  addressType: string;
  existing: readonly EndpointSlice[];
  desired: DesiredGroup;
}): SlicePlan {
  const { service, addressType, existing, desired } = options;
  const plan: SlicePlan = { create: [], update: [], delete: [] };
  const unchanged = keepDesired(service, existing, { desired: desired.endpoints, plan });
  const rest = desired.endpoints;
  for (const slice of [...plan.update].sort((a, b) => b.endpoints.length - a.endpoints.length)) fill(slice, rest);
  while (rest.size > 0) {
    const room = rest.size < MAX_ENDPOINTS_PER_SLICE ? getSliceToFill(unchanged, rest.size) : undefined;
    const slice = room
      ? { ...room, endpoints: [...(room.endpoints ?? [])] }
      : newEndpointSlice(service, { ports: desired.ports, addressType });
    fill(slice, rest);
    if (!room) {
      plan.create.push(slice);
      continue;
    }
    plan.update.push(slice);
    unchanged.splice(unchanged.indexOf(room), 1);
  }
  return plan;
}

/** Sorts existing slices into those to update, to delete and the unchanged ones (returned); what they hold already is no longer desired of others. */
function keepDesired(
  service: Service,
  existing: readonly EndpointSlice[],
  { desired, plan }: { desired: Map<string, Endpoint>; plan: SlicePlan },
): EndpointSlice[] {
  const unchanged: EndpointSlice[] = [];
  for (const slice of existing) {
    const before = slice.endpoints ?? [];
    const endpoints: Endpoint[] = [];
    let updated = false;
    for (const endpoint of before) {
      const identity = endpointIdentity(endpoint);
      const wanted = desired.get(identity);
      if (!wanted) continue;
      desired.delete(identity);
      const equal = endpointsEqualBeyondHash(wanted, endpoint);
      if (!equal) updated = true;
      endpoints.push(equal && endpoint.hints === undefined ? endpoint : wanted);
    }
    if (updated || endpoints.length !== before.length) {
      if (endpoints.length === 0) plan.delete.push(slice);
      else plan.update.push(withLabels(slice, service, endpoints));
    } else if (labelsChanged(slice, service)) plan.update.push(withLabels(slice, service, [...before]));
    else unchanged.push(slice);
  }
  return unchanged;
}

function withLabels(slice: EndpointSlice, service: Service, endpoints: Endpoint[]): EndpointSlice {
  return { ...slice, metadata: { ...slice.metadata, labels: endpointSliceLabels(service) }, endpoints };
}

function fill(slice: EndpointSlice, rest: Map<string, Endpoint>): void {
  for (const [identity, endpoint] of rest) {
    if (slice.endpoints.length >= MAX_ENDPOINTS_PER_SLICE) return;
    slice.endpoints.push(endpoint);
    rest.delete(identity);
  }
}

/** The slice that would be closest to full with `count` more. endpointslice utils.go getSliceToFill */
function getSliceToFill(slices: readonly EndpointSlice[], count: number): EndpointSlice | undefined {
  let best: { slice: EndpointSlice; size: number } | undefined;
  for (const slice of slices) {
    const size = slice.endpoints?.length ?? 0;
    if (size + count <= MAX_ENDPOINTS_PER_SLICE && size > (best?.size ?? -1)) best = { slice, size };
  }
  return best?.slice;
}
