/** plugins/ipam/host-local/backend/disk Store: which addresses of a network are given, to whom. It is on the node's disk, so that it outlives a restart. */
export class Store {
  readonly #owners = new Map<bigint, string>();
  readonly #byOwner = new Map<string, Set<bigint>>();
  readonly #last = new Map<number, bigint>();

  /** The address that a range gave last. */
  lastReserved(range: number): bigint | undefined {
    return this.#last.get(range);
  }

  /** @returns whether the address was free */
  reserve(ip: bigint, owner: string, range: number): boolean {
    if (this.#owners.has(ip)) return false;
    this.#owners.set(ip, owner);
    const own = this.#byOwner.get(owner);
    if (own) own.add(ip);
    else this.#byOwner.set(owner, new Set([ip]));
    this.#last.set(range, ip);
    return true;
  }

  ownedBy(owner: string): ReadonlySet<bigint> | undefined {
    return this.#byOwner.get(owner);
  }

  releaseBy(owner: string): void {
    for (const ip of this.#byOwner.get(owner) ?? []) this.#owners.delete(ip);
    this.#byOwner.delete(owner);
  }
}
