import type { Actor, Priority, Timer } from '../sim/actor.ts';
import { defaultControllerRateLimiter, type RateLimiter } from './rate-limiters.ts';

/** Whose queue it is, and how it spaces tries. */
export interface RateLimitingQueueOptions {
  readonly actor: Actor;
  /** client-go's default for controllers if absent. */
  readonly rateLimiter?: RateLimiter;
}

interface Waiting {
  readonly timer: Timer;
  readonly priority: Priority;
}

/** Nobody waits longer than this for the next try of what fails again and again. */
const PATIENCE_MS = 60_000;

/** Above this many taken items at its head, the list of waiting keys is cut. */
const COMPACT_AT = 1_024;

/**
 * A work queue with set semantics: a key that waits already is not added again; one that is being worked on is added once more when it is done.
 * client-go util/workqueue TypedRateLimitingInterface.
 * @example const queue = new RateLimitingQueue({ actor }); queue.add('default/web');
 */
export class RateLimitingQueue {
  readonly rateLimiter: RateLimiter;
  readonly #actor: Actor;
  readonly #dirty = new Map<string, number>();
  readonly #processing = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  #queue: string[] = [];
  #head = 0;
  #onReady: (() => void) | undefined;
  #shutDown = false;

  constructor(options: RateLimitingQueueOptions) {
    this.#actor = options.actor;
    const { simulation } = options.actor;
    this.rateLimiter = options.rateLimiter ?? defaultControllerRateLimiter(() => simulation.now);
  }

  /** How many keys wait to be taken. */
  get length(): number {
    return this.#queue.length - this.#head;
  }

  add(key: string): void {
    if (this.#shutDown) return;
    const waits = this.#dirty.has(key);
    this.#dirty.set(key, this.#actor.simulation.cause);
    if (waits || this.#processing.has(key)) return;
    this.#queue.push(key);
    this.#onReady?.();
  }

  /** Adds the key `delayMs` from now; of two delays the one that ends earlier counts. `background` for what nobody waits for, e.g. the next run of a schedule. */
  addAfter(key: string, delayMs: number, priority: Priority = 'work'): void {
    if (this.#shutDown) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const { simulation } = this.#actor;
    const before = this.#waiting.get(key);
    const due = Math.min(simulation.now + delayMs, before?.timer.due ?? Number.POSITIVE_INFINITY);
    const urgency = before?.priority === 'work' ? 'work' : priority;
    if (before && before.timer.due === due && before.priority === urgency) return;
    before?.timer.cancel();
    const run = (): void => {
      this.#waiting.delete(key);
      this.add(key);
    };
    this.#waiting.set(key, {
      timer: this.#actor.schedule(due - simulation.now, run, { priority: urgency, label: `${this.#actor.name} requeue ${key}` }),
      priority: urgency,
    });
  }

  /** Adds the key when the rate limiter lets it. What has failed for so long that it waits for more than a minute keeps nothing unsettled. */
  addRateLimited(key: string): void {
    const delay = this.rateLimiter.when(key);
    this.addAfter(key, delay, delay > PATIENCE_MS ? 'background' : 'work');
  }

  /** The key did well: its failures no longer count. What waits already goes on waiting. */
  forget(key: string): void {
    this.rateLimiter.forget(key);
  }

  numRequeues(key: string): number {
    return this.rateLimiter.numRequeues(key);
  }

  /** The key that will be taken after `ahead` others. */
  peek(ahead = 0): string | undefined {
    return this.#queue[this.#head + ahead];
  }

  /** Takes the next key with the trace entry that last added it. Call `done` when it has been worked on. */
  get(): { readonly key: string; readonly cause: number } | undefined {
    const key = this.#queue[this.#head];
    if (key === undefined) return undefined;
    this.#head++;
    if (this.#head === this.#queue.length || this.#head > COMPACT_AT) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    const cause = this.#dirty.get(key) ?? 0;
    this.#dirty.delete(key);
    this.#processing.add(key);
    return { key, cause };
  }

  done(key: string): void {
    this.#processing.delete(key);
    if (!this.#dirty.has(key)) return;
    this.#queue.push(key);
    this.#onReady?.();
  }

  /** Names who is told when there is a key to take; one listener. */
  onReady(listener: () => void): void {
    this.#onReady = listener;
    if (this.length > 0) listener();
  }

  /** Takes no more keys; those that wait for their time are dropped. */
  shutDown(): void {
    this.#shutDown = true;
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }
}
