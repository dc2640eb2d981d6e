import { computeZoneState, evictionRate, type ZoneState } from './zone-states.ts';

/** How many nodes of a zone are ready, and how many are not. */
export interface ZoneReadiness {
  ready: number;
  notReady: number;
}

interface Reactions {
  /** How many nodes of the zone may be tainted in a second from now on. */
  setRate(zone: string, qps: number): void;
  /** No node of the cluster is ready: the fault is likely on this side of the network. Nobody is to be evicted. */
  enter(): Promise<unknown>;
  /** Some node is ready again: all have their grace period anew. */
  leave(): void;
}

/**
 * Slows tainting down where so many nodes fail at once that the nodes themselves are hardly to blame.
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go handleDisruption
 */
export class DisruptionWatch {
  readonly #reactions: Reactions;
  #states = new Map<string, ZoneState>();

  constructor(reactions: Reactions) {
    this.#reactions = reactions;
  }

  /** No node of the cluster is ready. */
  get isFull(): boolean {
    return this.#states.size > 0 && [...this.#states.values()].every((state) => state === 'FullDisruption');
  }

  async handle(zones: ReadonlyMap<string, ZoneReadiness>): Promise<void> {
    const wasFull = this.isFull;
    const before = this.#states;
    this.#states = new Map([...zones].map(([zone, readiness]) => [zone, computeZoneState(readiness)]));
    const isFull = this.isFull;
    if (wasFull && isFull) return;
    if (isFull) {
      await this.#reactions.enter();
      for (const zone of zones.keys()) this.#reactions.setRate(zone, 0);
      return;
    }
    if (wasFull) this.#reactions.leave();
    for (const [zone, state] of this.#states) {
      const { ready = 0, notReady = 0 } = zones.get(zone) ?? {};
      if (wasFull || before.get(zone) !== state) this.#reactions.setRate(zone, evictionRate(state, ready + notReady));
    }
  }
}
