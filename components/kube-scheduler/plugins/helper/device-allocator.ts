import type { Node } from '../../../../src/api/kinds/core-v1.ts';
import type {
  AllocationResult,
  Device,
  DeviceClass,
  DeviceRequestAllocationResult,
  ResourceClaim,
  ResourceSlice,
} from '../../../../src/api/kinds/resource-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { selectorsMatch } from './device-selector.ts';
import { nodeSelectorMatcher } from './node-affinity.ts';

/** Names a device: `driver/pool/device`. */
export function deviceId({ driver, pool, device }: Pick<DeviceRequestAllocationResult, 'driver' | 'pool' | 'device'>): string {
  return `${driver}/${pool}/${device}`;
}

/** The search for devices that fit together ends after so many looks, as the real one ends after ten seconds. */
const MAX_STEPS = 100_000;

interface Slot {
  readonly claim: string;
  readonly request: string;
  readonly selectors: NonNullable<DeviceClass['spec']['selectors']>;
}

interface Offer {
  readonly slice: ResourceSlice;
  readonly device: Device;
  readonly id: string;
}

interface Inventory {
  readonly slices: readonly ResourceSlice[];
  readonly classOf: (name: string) => DeviceClass | undefined;
  /** Devices that are not free. */
  readonly taken: ReadonlySet<string>;
}

/** Why a claim asks for what is not modelled; absent when it does not. */
export function unsupported({ spec }: ResourceClaim): string | undefined {
  if (spec.devices?.constraints?.length) return 'constraints between devices are not modelled in this simulation';
  for (const { name, exactly } of spec.devices?.requests ?? []) {
    if (!exactly) return `request ${name}: alternatives are not modelled in this simulation`;
    if (exactly.adminAccess || exactly.capacity || (exactly.allocationMode ?? 'ExactCount') !== 'ExactCount')
      return `request ${name}: only a count of devices is modelled in this simulation`;
  }
  return undefined;
}

/**
 * Devices for claims on one node, by claim; undefined when there are not enough, a text when a selector cannot be evaluated.
 * k8s.io/dynamic-resource-allocation/structured Allocator.Allocate, for whole devices in a number
 */
export function allocate(
  claims: readonly ResourceClaim[],
  node: Node,
  inventory: Inventory,
): Map<string, AllocationResult> | string | undefined {
  const slots = claims.flatMap((claim) => slotsOf(claim, inventory.classOf));
  const offers = inventory.slices.filter((slice) => isOnNode(slice, node)).flatMap(offersOf);
  const used = new Set(inventory.taken);
  const chosen: Offer[] = [];
  let problem = '';
  let steps = 0;
  const fill = (index: number, start: number): boolean => {
    const slot = slots[index];
    if (!slot) return true;
    for (let at = start; at < offers.length && steps++ < MAX_STEPS; at++) {
      const offer = offers[at] as Offer;
      if (used.has(offer.id)) continue;
      const fits = selectorsMatch(slot.selectors, offer.slice.spec.driver, offer.device);
      if (typeof fits === 'string') problem = `claim ${slot.claim}: ${fits}`;
      if (problem) return false;
      if (!fits) continue;
      used.add(offer.id);
      chosen.push(offer);
      // Devices of one request are interchangeable: no order is tried twice.
      const next = slots[index + 1];
      if (fill(index + 1, next?.claim === slot.claim && next.request === slot.request ? at + 1 : 0)) return true;
      used.delete(offer.id);
      chosen.pop();
    }
    return false;
  };
  const complete = fill(0, 0);
  if (problem) return problem;
  return complete ? new Map(claims.map((claim) => [keyOf(claim), resultOf(keyOf(claim), slots, { chosen, node })])) : undefined;
}

function slotsOf(claim: ResourceClaim, classOf: Inventory['classOf']): Slot[] {
  return (claim.spec.devices?.requests ?? []).flatMap(({ name, exactly }) => {
    const selectors = [...(classOf(exactly?.deviceClassName ?? '')?.spec.selectors ?? []), ...(exactly?.selectors ?? [])];
    return Array.from({ length: exactly?.count ?? 1 }, () => ({ claim: keyOf(claim), request: name, selectors }));
  });
}

function isOnNode({ spec }: ResourceSlice, node: Node): boolean {
  if (spec.nodeName) return spec.nodeName === node.metadata.name;
  return spec.allNodes === true || (spec.nodeSelector !== undefined && nodeSelectorMatcher(spec.nodeSelector.nodeSelectorTerms)(node));
}

function offersOf(slice: ResourceSlice): Offer[] {
  const { driver, pool, devices = [] } = slice.spec;
  return devices.map((device) => ({ slice, device, id: deviceId({ driver, pool: pool.name, device: device.name }) }));
}

function resultOf(claim: string, slots: readonly Slot[], { chosen, node }: { chosen: readonly Offer[]; node: Node }): AllocationResult {
  const mine = chosen.flatMap((offer, index) => (slots[index]?.claim === claim ? [{ ...offer, request: slots[index].request }] : []));
  const results = mine.map(({ slice, device, request }) => ({
    request,
    driver: slice.spec.driver,
    pool: slice.spec.pool.name,
    device: device.name,
  }));
  const local = mine.some(({ slice }) => slice.spec.allNodes !== true);
  const here = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node.metadata.name ?? ''] }] };
  return { devices: { results }, ...(local ? { nodeSelector: { nodeSelectorTerms: [here] } } : {}) };
}
