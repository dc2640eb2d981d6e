const DEFAULT_COOLDOWN_SECONDS = 30;

/** An interface of the machine, and who has its addresses. */
interface Eni {
  readonly id: string;
  readonly primary: boolean;
  readonly addresses: Map<string, Address>;
}

interface Address {
  owner: string | undefined;
  /** Until then it is not given again. */
  coolUntil: number;
}

/** The addresses of a node and whose they are: pkg/ipamd/datastore DataStore. It is on the node's disk, so that it outlives ipamd. */
export class DataStore {
  readonly #enis = new Map<string, Eni>();
  readonly #now: () => number;
  readonly #cooldownMs: number;
  #bootId: string | undefined;

  /** @param ipCooldownPeriod how long an address rests after its pod has gone, in seconds */
  constructor(now: () => number, ipCooldownPeriod = DEFAULT_COOLDOWN_SECONDS) {
    this.#now = now;
    this.#cooldownMs = ipCooldownPeriod * 1000;
  }

  get enis(): readonly { readonly id: string; readonly primary: boolean; readonly size: number }[] {
    return [...this.#enis.values()].map(({ id, primary, addresses }) => ({ id, primary, size: addresses.size }));
  }

  get total(): number {
    return this.#addresses().length;
  }

  get assigned(): number {
    return this.#addresses().filter(({ owner }) => owner !== undefined).length;
  }

  /** Those that rest are counted: they come back. */
  get available(): number {
    return this.total - this.assigned;
  }

  /** Makes what is known of an interface what EC2 says. Addresses that pods have stay. */
  setEni(id: string, { primary, ips }: { readonly primary: boolean; readonly ips: readonly string[] }): void {
    const known = this.#enis.get(id)?.addresses ?? new Map<string, Address>();
    const addresses = new Map(ips.map((ip) => [ip, known.get(ip) ?? { owner: undefined, coolUntil: 0 }]));
    this.#enis.set(id, { id, primary, addresses });
  }

  removeEnis(present: ReadonlySet<string>): void {
    for (const id of this.#enis.keys()) if (!present.has(id)) this.#enis.delete(id);
  }

  /** Whoever had an address before the machine was started anew is gone. PruneStaleAllocations */
  pruneStaleAllocations(bootId: string): void {
    if (this.#bootId !== undefined && this.#bootId !== bootId) for (const address of this.#addresses()) address.owner = undefined;
    this.#bootId = bootId;
  }

  /** The address of a sandbox, or a free one; undefined when there is none. AssignPodIPv4Address */
  assign(owner: string): string | undefined {
    let free: { ip: string; address: Address } | undefined;
    for (const { addresses } of this.#enis.values()) {
      for (const [ip, address] of addresses) {
        if (address.owner === owner) return ip;
        if (!free && address.owner === undefined && address.coolUntil <= this.#now()) free = { ip, address };
      }
    }
    if (free) free.address.owner = owner;
    return free?.ip;
  }

  /** @returns the address that it had. UnassignPodIPAddress */
  unassign(owner: string): string | undefined {
    for (const { addresses } of this.#enis.values()) {
      for (const [ip, address] of addresses) {
        if (address.owner !== owner) continue;
        address.owner = undefined;
        address.coolUntil = this.#now() + this.#cooldownMs;
        return ip;
      }
    }
    return undefined;
  }

  /** Addresses of an interface that nobody has and that have rested. FindFreeableCidrs */
  freeable(id: string): string[] {
    return [...(this.#enis.get(id)?.addresses ?? [])].flatMap(([ip, { owner, coolUntil }]) =>
      owner === undefined && coolUntil <= this.#now() ? [ip] : [],
    );
  }

  /** An interface that is not needed: none of its addresses is in use. RemoveUnusedENIFromStore */
  unusedEni(): string | undefined {
    return [...this.#enis.values()].find(({ id, primary, addresses }) => !primary && this.freeable(id).length === addresses.size)?.id;
  }

  #addresses(): Address[] {
    return [...this.#enis.values()].flatMap(({ addresses }) => [...addresses.values()]);
  }
}
