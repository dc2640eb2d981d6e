import type { Node } from '../../../../src/api/kinds/core-v1.ts';
import type { AllocationResult, Device, DeviceClass, ResourceClaim, ResourceSlice } from '../../../../src/api/kinds/resource-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { AllocationError } from './allocation-error.ts';
import { allocationResultOf, type Choice } from './allocation-result.ts';
import { MatchAttributeConstraint } from './constraints.ts';
import { selectorsMatch } from './device-selector.ts';
import { type Offer, type Pool, Slices } from './pools.ts';
import { type Alternative, type Request, requestsOf } from './requests.ts';

/** The search on a node ends after so many looks, as the real one ends after ten seconds. */
const MAX_STEPS = 100_000;
/** resource.k8s.io AllocationResultsMaxSize */
const MAX_RESULTS = 32;

/** Finds devices for claims: k8s.io/dynamic-resource-allocation/structured Allocator. Made once for a pod, asked for each node. */
export class Allocator {
  readonly claims: readonly ResourceClaim[];
  readonly #requests: readonly Request[];
  readonly #slices: Slices;
  readonly #taken: ReadonlySet<string>;
  readonly #selectable = new Map<Alternative, Map<Device, boolean>>();

  constructor(
    claims: readonly ResourceClaim[],
    inventory: {
      readonly slices: readonly ResourceSlice[];
      readonly classOf: (name: string) => DeviceClass | undefined;
      /** Devices that are not free. */
      readonly taken: ReadonlySet<string>;
    },
  ) {
    this.claims = claims;
    this.#requests = claims.flatMap((claim) => requestsOf(claim, inventory.classOf));
    this.#slices = new Slices(inventory.slices);
    this.#taken = inventory.taken;
  }

  /**
   * Devices for all claims on one node, by claim; undefined when there are not enough, `timeout` when it would take too long to find out.
   * @throws AllocationError
   */
  allocate(node: Node): Map<string, AllocationResult> | 'timeout' | undefined {
    const search = new Search({
      requests: this.#requests,
      pools: this.#slices.gatherPools(node),
      taken: this.#taken,
      constraints: new Map(
        this.claims.map((claim) => [keyOf(claim), (claim.spec.devices?.constraints ?? []).map((one) => new MatchAttributeConstraint(one))]),
      ),
      isSelectable: (request, alternative, offer) => this.#isSelectable(request, alternative, offer),
    });
    if (!search.run()) return search.isExhausted ? 'timeout' : undefined;
    return new Map(
      this.claims.map((claim) => {
        const key = keyOf(claim);
        const chosen = search.alternatives.filter((_, i) => this.#requests[i]?.claim === key);
        return [
          key,
          allocationResultOf(
            claim,
            search.choices.filter((one) => one.claim === key),
            chosen,
          ),
        ];
      }),
    );
  }

  /** allocator.isSelectable; remembered, since nodes share devices and the search comes back to them. */
  #isSelectable(request: Request, alternative: Alternative, { slice, device }: Offer): boolean {
    const known = this.#selectable.get(alternative) ?? new Map<Device, boolean>();
    this.#selectable.set(alternative, known);
    let selectable = known.get(device);
    if (selectable === undefined) {
      const of = { driver: slice.spec.driver, device };
      selectable =
        selectorsMatch(`class ${alternative.class?.metadata.name}`, alternative.class?.spec.selectors ?? [], of) &&
        selectorsMatch(`claim ${request.claim}`, alternative.selectors, of);
      known.set(device, selectable);
    }
    return selectable;
  }
}

interface SearchOptions {
  readonly requests: readonly Request[];
  readonly pools: readonly Pool[];
  readonly taken: ReadonlySet<string>;
  /** By claim. */
  readonly constraints: ReadonlyMap<string, readonly MatchAttributeConstraint[]>;
  readonly isSelectable: (request: Request, alternative: Alternative, offer: Offer) => boolean;
}

/** One depth-first search: allocator.allocateOne. */
class Search {
  readonly choices: Choice[] = [];
  /** Along the requests. */
  readonly alternatives: Alternative[] = [];
  readonly #options: SearchOptions;
  readonly #offers: readonly { readonly pool: Pool; readonly offer: Offer }[];
  readonly #allocating = new Set<string>();
  #steps = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#offers = options.pools.flatMap((pool) => pool.offers.map((offer) => ({ pool, offer })));
  }

  get isExhausted(): boolean {
    return this.#steps >= MAX_STEPS;
  }

  run(): boolean {
    return this.#fulfil(0);
  }

  /** This request and all after it. */
  #fulfil(index: number): boolean {
    const request = this.#options.requests[index];
    if (!request) return true;
    const next = (): boolean => this.#fulfil(index + 1);
    for (const alternative of request.alternatives) {
      this.alternatives[index] = alternative;
      const done =
        alternative.count === 'All'
          ? this.#takeAll(request, alternative, next)
          : this.#take(request, alternative, { left: alternative.count, from: 0, next });
      if (done) return true;
    }
    return false;
  }

  /** Devices of one request are interchangeable: those before `from` were tried. */
  #take(
    request: Request,
    alternative: Alternative,
    todo: { readonly left: number; readonly from: number; readonly next: () => boolean },
  ): boolean {
    const { left, from, next } = todo;
    if (left === 0) return next();
    for (let at = from; at < this.#offers.length && this.#steps++ < MAX_STEPS; at++) {
      const { pool, offer } = this.#offers[at] as { pool: Pool; offer: Offer };
      if (pool.invalidReason) throw new AllocationError(`pool ${pool.id} is invalid: ${pool.invalidReason}`);
      if (!this.#options.isSelectable(request, alternative, offer) || !this.#add(request, alternative, offer)) continue;
      if (this.#take(request, alternative, { left: left - 1, from: at + 1, next })) return true;
      this.#removeLast();
    }
    return false;
  }

  /** Every device that matches, or none. */
  #takeAll(request: Request, alternative: Alternative, next: () => boolean): boolean {
    const label = `claim ${request.claim}, request ${alternative.name}: asks for all devices, but resource pool`;
    const before = this.choices.length;
    for (const pool of this.#options.pools) {
      if (pool.isIncomplete) throw new AllocationError(`${label} ${pool.id} is currently being updated`);
      if (pool.invalidReason) throw new AllocationError(`${label} ${pool.id} is currently invalid`);
    }
    const matching = this.#offers.filter(({ offer }) => this.#options.isSelectable(request, alternative, offer));
    const all = matching.length > 0 && matching.every(({ offer }) => this.#add(request, alternative, offer));
    if (all && next()) return true;
    while (this.choices.length > before) this.#removeLast();
    return false;
  }

  /** allocator.allocateDevice: says whether the device is free and goes with the others. */
  #add({ claim }: Request, alternative: Alternative, offer: Offer): boolean {
    const { taken, constraints } = this.#options;
    if (this.choices.filter((one) => one.claim === claim).length >= MAX_RESULTS) return false;
    if (alternative.adminAccess) {
      if (this.choices.some((one) => one.claim === claim && one.offer.id === offer.id)) return false;
    } else if (taken.has(offer.id) || this.#allocating.has(offer.id)) return false;
    const all = constraints.get(claim) ?? [];
    const refusing = all.findIndex((constraint) => !constraint.add(alternative.name, offer));
    if (refusing >= 0) {
      for (const constraint of all.slice(0, refusing)) constraint.remove(alternative.name);
      return false;
    }
    if (!alternative.adminAccess) this.#allocating.add(offer.id);
    this.choices.push({ claim, alternative, offer });
    return true;
  }

  #removeLast(): void {
    const last = this.choices.pop();
    if (!last) return;
    const { claim, alternative, offer } = last;
    if (!alternative.adminAccess) this.#allocating.delete(offer.id);
    for (const constraint of this.#options.constraints.get(claim) ?? []) constraint.remove(alternative.name);
  }
}
