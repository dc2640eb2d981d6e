import type { Node } from '../../../src/api/kinds/core-v1.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { Timer } from '../../../src/sim/actor.ts';
import { rethrowPanic } from '../controller/sync-error.ts';
import { NOT_READY_TAINT, UNREACHABLE_TAINT } from './node-condition-taints.ts';
import { readyCondition } from './node-health.ts';
import { swapNodeControllerTaint, taintExists } from './node-taints.ts';
import { RateLimitedTimedQueue } from './rate-limited-timed-queue.ts';
import { evictionRate, getZoneKey } from './zone-states.ts';

/** How often the real process looks at its queues. */
const PASS_MS = 100;

/**
 * Taints nodes NoExecute, zone by zone, no faster than the zone's rate. Differs: looks when there is something to do, not ten times a second.
 * pkg/controller/nodelifecycle zoneNoExecuteTainter, doNoExecuteTaintingPass
 */
export class NoExecuteTainter {
  readonly #client: ResourceClient<Node>;
  readonly #nodes: Indexer<Node>;
  readonly #queues = new Map<string, RateLimitedTimedQueue>();
  #timer: Timer | undefined;

  constructor(client: ResourceClient<Node>, nodes: Indexer<Node>) {
    this.#client = client;
    this.#nodes = nodes;
  }

  /** pkg/controller/nodelifecycle markNodeForTainting */
  markNodeForTainting(node: Node, status: string): void {
    const name = node.metadata.name ?? '';
    const queue = this.#queueOf(getZoneKey(node));
    if (!taintExists(node.spec?.taints, status === 'False' ? NOT_READY_TAINT : UNREACHABLE_TAINT)) queue.setRemove(name);
    queue.add(name);
    this.#schedulePass();
  }

  /** The node needs no taint any more. */
  forget(node: Node): void {
    this.#queues.get(getZoneKey(node))?.remove(node.metadata.name ?? '');
  }

  setRate(zone: string, qps: number): void {
    this.#queueOf(zone).swapLimiter(qps);
    this.#schedulePass();
  }

  #queueOf(zone: string): RateLimitedTimedQueue {
    let queue = this.#queues.get(zone);
    if (!queue) {
      const { simulation } = this.#client.actor;
      queue = new RateLimitedTimedQueue({ qps: evictionRate('Initial', 0), now: () => simulation.now });
      this.#queues.set(zone, queue);
    }
    return queue;
  }

  #schedulePass(): void {
    const waits = [...this.#queues.values()].flatMap((queue) => queue.waitMs() ?? []);
    this.#timer?.cancel();
    this.#timer = undefined;
    if (waits.length === 0) return;
    const delayMs = Math.max(PASS_MS, Math.ceil(Math.min(...waits) / PASS_MS) * PASS_MS);
    this.#timer = this.#client.actor.schedule(delayMs, () => this.#doNoExecuteTaintingPass(), { label: 'node-lifecycle NoExecute taints' });
  }

  async #doNoExecuteTaintingPass(): Promise<void> {
    this.#timer = undefined;
    for (const queue of this.#queues.values()) {
      const name = queue.take();
      if (name === undefined) continue;
      const node = this.#nodes.get(name);
      const status = node && readyCondition(node)?.status;
      if (!node || (status !== 'False' && status !== 'Unknown')) continue;
      const [add, remove] = status === 'False' ? [NOT_READY_TAINT, UNREACHABLE_TAINT] : [UNREACHABLE_TAINT, NOT_READY_TAINT];
      try {
        await swapNodeControllerTaint(this.#client, node, { add: [add], remove: [remove] });
      } catch (error) {
        rethrowPanic(error);
        queue.putBack(name);
      }
    }
    if (!this.#timer) this.#schedulePass();
  }
}
