import type { Node } from '../../../../src/api/kinds/core-v1.ts';
import type { Device, DeviceRequestAllocationResult, ResourceSlice } from '../../../../src/api/kinds/resource-v1.ts';
import { nodeSelectorMatcher } from '../helper/node-affinity.ts';

/** Names a device: `driver/pool/device`. structured.DeviceID */
export function deviceId({ driver, pool, device }: Pick<DeviceRequestAllocationResult, 'driver' | 'pool' | 'device'>): string {
  return `${driver}/${pool}/${device}`;
}

/** A device that a node can reach. */
export interface Offer {
  readonly slice: ResourceSlice;
  readonly device: Device;
  readonly id: string;
}

/** The devices of one driver that are managed together: structured.Pool. */
export interface Pool {
  /** `driver/pool` */
  readonly id: string;
  readonly offers: readonly Offer[];
  /** Some of its slices have not come yet. */
  readonly isIncomplete: boolean;
  /** Two devices have one name. */
  readonly invalidReason: string | undefined;
}

/** All slices of the newest generation of their pools, by the node that has them. */
export class Slices {
  readonly #byNode = new Map<string, ResourceSlice[]>();
  /** Those that more than one node may reach. */
  readonly #shared: ResourceSlice[] = [];

  constructor(slices: readonly ResourceSlice[]) {
    const newest = new Map<string, number>();
    for (const slice of slices) newest.set(poolId(slice), Math.max(newest.get(poolId(slice)) ?? 0, slice.spec.pool.generation));
    for (const slice of slices) {
      const { nodeName, pool } = slice.spec;
      if (pool.generation !== newest.get(poolId(slice))) continue;
      if (!nodeName) this.#shared.push(slice);
      else if (this.#byNode.has(nodeName)) this.#byNode.get(nodeName)?.push(slice);
      else this.#byNode.set(nodeName, [slice]);
    }
  }

  /** structured GatherPools: what the node can reach. */
  gatherPools(node: Node): Pool[] {
    const slices = [...(this.#byNode.get(node.metadata.name ?? '') ?? []), ...this.#shared.filter((slice) => reaches(slice, node))];
    const ids = new Set(slices.map(poolId));
    return [...ids].map((id) => {
      const own = slices.filter((slice) => poolId(slice) === id);
      const offers = own.flatMap(offersOf);
      const twice = offers.find((offer, i) => offers.findIndex((other) => other.id === offer.id) < i);
      return {
        id,
        offers,
        isIncomplete: own.length !== own[0]?.spec.pool.resourceSliceCount,
        invalidReason: twice && `duplicate device name ${twice.device.name}`,
      };
    });
  }
}

function poolId({ spec }: ResourceSlice): string {
  return `${spec.driver}/${spec.pool.name}`;
}

function reaches({ spec }: ResourceSlice, node: Node): boolean {
  return spec.allNodes === true || (spec.nodeSelector !== undefined && nodeSelectorMatcher(spec.nodeSelector.nodeSelectorTerms)(node));
}

function offersOf(slice: ResourceSlice): Offer[] {
  const { driver, pool, devices = [] } = slice.spec;
  return devices.map((device) => ({ slice, device, id: deviceId({ driver, pool: pool.name, device: device.name }) }));
}
