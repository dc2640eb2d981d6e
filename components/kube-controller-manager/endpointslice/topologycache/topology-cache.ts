import { isConditionTrue } from '../../../../src/api/conditions.ts';
import type { Node, Service } from '../../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../../src/api/kinds/discovery-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { Indexer } from '../../../../src/client/indexer.ts';
import type { SlicePlan } from '../port-mapping.ts';
import { removeHints } from '../trafficdist/traffic-dist.ts';
import { type Allocation, add, getAllocations, getGivingAndReceivingZones, isOverloaded } from './allocations.ts';

const LABEL_ZONE = 'topology.kubernetes.io/zone';
const CONTROL_PLANE_LABELS = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** An event that the recorder should tell of a Service. */
interface TopologyEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

interface SliceInfo {
  readonly service: Service;
  readonly addressType: string;
  readonly plan: SlicePlan;
  readonly unchanged: readonly EndpointSlice[];
}

/** Whether annotations ask for topology aware hints. endpointslice reconciler.go hintsEnabled */
export function hintsEnabled(annotations: Readonly<Record<string, string>> = {}): boolean {
  const value = annotations['service.kubernetes.io/topology-aware-hints'] ?? annotations['service.kubernetes.io/topology-mode'];
  return value === 'Auto' || value === 'auto';
}

/**
 * Hints by zone for Services with the annotation `service.kubernetes.io/topology-mode: Auto`: each zone gets endpoints in proportion to its CPU.
 * endpointslice topologycache/topologycache.go TopologyCache
 */
export class TopologyCache {
  readonly #nodes: Indexer<Node>;
  /** Each zone's share of CPU; undefined when it is not known of each node. Worked out when somebody asks. */
  #cpuRatios: ReadonlyMap<string, number> | undefined;
  #stale = true;
  /** By Service and address type: how many endpoints are hinted for each zone. */
  readonly #hinted = new Map<string, Map<string, ReadonlyMap<string, number>>>();

  constructor(nodes: Indexer<Node>) {
    this.#nodes = nodes;
  }

  /** A node came, went, or changed its readiness or its zone. */
  nodesChanged(): void {
    this.#stale = true;
  }

  /** Adds, changes or removes hints of a plan; returns what to tell about it. */
  reconcile(info: SliceInfo): TopologyEvent[] {
    const key = keyOf(info.service);
    if (hintsEnabled(info.service.metadata.annotations)) return this.#addHints(info, key);
    const had = this.#hinted.has(key);
    this.#forget(key, info.addressType);
    return had ? [disabled('Topology Aware Hints has been disabled', info.addressType)] : [];
  }

  deleteService(key: string): void {
    this.#hinted.delete(key);
  }

  /** Services whose hints no longer fit the nodes. endpointslice topologycache/topologycache.go GetOverloadedServices */
  getOverloadedServices(): string[] {
    return [...this.#hinted]
      .filter(([, types]) => [...types.values()].some((zones) => isOverloaded(zones, this.#ratios())))
      .map(([key]) => key);
  }

  /** endpointslice topologycache/topologycache.go AddHints */
  #addHints(info: SliceInfo, key: string): TopologyEvent[] {
    const { plan, addressType, unchanged } = info;
    const refuse = (why: string): TopologyEvent[] => {
      this.#forget(key, addressType);
      removeHints(plan, unchanged);
      return [disabled(why, addressType)];
    };
    const ready = [...plan.create, ...plan.update, ...unchanged].flatMap(({ endpoints }) => (endpoints ?? []).filter(isReady)).length;
    const share = getAllocations(this.#ratios(), ready);
    if ('refused' in share) return refuse(share.refused);
    const hinted = keepHints(info, share.allocations);
    const slices = [...plan.create, ...plan.update];
    if (!hintOwnZones(slices, hinted)) return refuse('One or more endpoints do not have a zone specified');
    redistribute(slices, getGivingAndReceivingZones(share.allocations, hinted), hinted);
    if (hinted.size === 0) return refuse('No hints allocated for zones');
    const known = this.#hinted.has(key);
    const types = this.#hinted.get(key) ?? new Map<string, ReadonlyMap<string, number>>();
    this.#hinted.set(key, types.set(addressType, hinted));
    if (known) return [];
    return [
      {
        type: 'Normal',
        reason: 'TopologyAwareHintsEnabled',
        message: `Topology Aware Hints has been enabled, addressType: ${addressType}`,
      },
    ];
  }

  #ratios(): ReadonlyMap<string, number> | undefined {
    if (this.#stale) this.#cpuRatios = cpuRatiosByZone(this.#nodes.list());
    this.#stale = false;
    return this.#cpuRatios;
  }

  #forget(key: string, addressType: string): void {
    const types = this.#hinted.get(key);
    types?.delete(addressType);
    if (types?.size === 0) this.#hinted.delete(key);
  }
}

/** Each zone's share of the CPU of ready nodes that run pods. endpointslice topologycache/topologycache.go SetNodes */
function cpuRatiosByZone(nodes: readonly Node[]): ReadonlyMap<string, number> | undefined {
  const cpu = new Map<string, number>();
  let total = 0;
  for (const { metadata, status } of nodes) {
    if (CONTROL_PLANE_LABELS.some((label) => metadata.labels?.[label] !== undefined)) continue;
    if (!isConditionTrue(status?.conditions, 'Ready')) continue;
    const zone = metadata.labels?.[LABEL_ZONE];
    const milli = parseQuantity(status?.allocatable?.cpu ?? '0').milliValue();
    if (!zone || milli === 0) return undefined;
    add(cpu, zone, milli);
    total += milli;
  }
  return total > 0 ? new Map([...cpu].map(([zone, milli]) => [zone, milli / total])) : undefined;
}

function disabled(why: string, addressType: string): TopologyEvent {
  return { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: `${why}, addressType: ${addressType}` };
}

function isReady({ conditions }: { conditions?: { ready?: boolean } }): boolean {
  return conditions?.ready !== false;
}

/** Counts the hints of slices that stay; those whose hints are missing or too many are updated. endpointslice topologycache/sliceinfo.go getAllocatedHintsByZone */
function keepHints({ plan, unchanged }: SliceInfo, allocations: ReadonlyMap<string, Allocation>): Map<string, number> {
  const hinted = new Map<string, number>();
  for (const slice of unchanged) {
    const zones = hintsByZone(slice);
    const fits = zones && [...zones].every(([zone, count]) => (hinted.get(zone) ?? 0) + count <= (allocations.get(zone)?.maximum ?? -1));
    if (!fits) plan.update.push({ ...slice, endpoints: [...(slice.endpoints ?? [])] });
    else for (const [zone, count] of zones) add(hinted, zone, count);
  }
  return hinted;
}

function hintsByZone({ endpoints }: EndpointSlice): Map<string, number> | undefined {
  const zones = new Map<string, number>();
  for (const endpoint of endpoints ?? []) {
    if (!isReady(endpoint)) continue;
    if (!endpoint.hints?.forZones?.length) return undefined;
    for (const { name } of endpoint.hints.forZones) add(zones, name, 1);
  }
  return zones;
}

/** Hints each endpoint for its own zone; false when one has none. */
function hintOwnZones(slices: readonly EndpointSlice[], hinted: Map<string, number>): boolean {
  for (const slice of slices) {
    for (const [index, { hints: _, ...endpoint }] of slice.endpoints.entries()) {
      if (!isReady(endpoint)) continue;
      if (!endpoint.zone) return false;
      add(hinted, endpoint.zone, 1);
      slice.endpoints[index] = { ...endpoint, hints: { forZones: [{ name: endpoint.zone }] } };
    }
  }
  return true;
}

/** endpointslice topologycache/utils.go redistributeHints */
function redistribute(
  slices: readonly EndpointSlice[],
  { giving, receiving }: { giving: Map<string, number>; receiving: Map<string, number> },
  hinted: Map<string, number>,
): void {
  for (const slice of slices) {
    for (const [index, endpoint] of slice.endpoints.entries()) {
      const from = endpoint.zone ?? '';
      const to = [...receiving].find(([, count]) => count > 0)?.[0];
      if (to === undefined) return;
      if (!isReady(endpoint) || (giving.get(from) ?? 0) < 1) continue;
      slice.endpoints[index] = { ...endpoint, hints: { forZones: [{ name: to }] } };
      add(giving, from, -1);
      add(receiving, to, -1);
      add(hinted, from, -1);
      add(hinted, to, 1);
    }
  }
}
