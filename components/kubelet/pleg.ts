import type { ContainerRuntimeInterface, ContainerRuntimeState, PodRuntimeState } from '../../src/api/cri.ts';
import type { Actor, Timer } from '../../src/sim/actor.ts';
import { ActorUnavailable } from '../../src/sim/actor-unavailable.ts';
import { PLEG_RELIST_MS } from './constants.ts';
import { emptyPodState } from './container/runtime.ts';

export type PodLifecycleEventType = 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved';

export interface PodLifecycleEvent {
  readonly uid: string;
  readonly type: PodLifecycleEventType;
  /** Name of the container; absent for a sandbox. */
  readonly container?: string;
  readonly containerId: string;
}

interface Waiter {
  readonly uid: string;
  readonly resolve: (state: PodRuntimeState) => void;
}

interface PlegParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  readonly enrich: (state: PodRuntimeState) => Promise<PodRuntimeState>;
  /** How long before its start the relists are counted from: kubelets of different nodes do not relist at the same moment. */
  readonly phaseMs: number;
  readonly onEvent: (event: PodLifecycleEvent, cause: number) => void;
}

/**
 * The pod lifecycle event generator and the kubelet's cache of what the runtime holds: pkg/kubelet/pleg/generic.go and pkg/kubelet/container/cache.go.
 * A relist happens once a second; one that would find nothing new is left out, so a node at rest costs nothing.
 */
export class Pleg {
  readonly #parts: PlegParts;
  readonly #startedAt: number;
  readonly #states = new Map<string, PodRuntimeState>();
  readonly #changed = new Map<string, number>();
  #waiters: Waiter[] = [];
  #timer: Timer | undefined;
  #relisting = false;

  constructor(parts: PlegParts) {
    this.#parts = parts;
    this.#startedAt = parts.actor.simulation.now - parts.phaseMs;
    parts.runtime.containerEvents((uid) => this.#noteChange(uid));
  }

  /** What the runtime holds when the kubelet starts. */
  async start(): Promise<readonly PodRuntimeState[]> {
    try {
      const states = await this.#parts.runtime.listPods();
      for (const state of states) this.#states.set(state.uid, await this.#parts.enrich(state));
    } catch (error) {
      if (!(error instanceof ActorUnavailable)) throw error;
      await this.#parts.actor.sleep(PLEG_RELIST_MS, 'background');
      return this.start();
    }
    return [...this.#states.values()];
  }

  /** The cached state. */
  get(uid: string): PodRuntimeState {
    return this.#states.get(uid) ?? emptyPodState(uid);
  }

  /** pkg/kubelet/container cache GetNewerThan: the state as of a relist after `time`. */
  getNewerThan(uid: string, time: number): PodRuntimeState | Promise<PodRuntimeState> {
    const pending = this.#timer !== undefined && this.#timer.due <= this.#parts.actor.simulation.now;
    if (!this.#relisting && !pending && this.#lastTick() > time) return this.get(uid);
    return new Promise((resolve) => {
      this.#waiters.push({ uid, resolve });
      this.#arm();
    });
  }

  /** The pods that the runtime has something of. */
  get uids(): Iterable<string> {
    return this.#states.keys();
  }

  forget(uid: string): void {
    this.#states.delete(uid);
    this.#changed.delete(uid);
  }

  #noteChange(uid: string): void {
    this.#changed.set(uid, this.#parts.actor.simulation.cause);
    this.#arm();
  }

  /** When the last relist was, had each taken place. */
  #lastTick(): number {
    const now = this.#parts.actor.simulation.now;
    return now - ((now - this.#startedAt) % PLEG_RELIST_MS);
  }

  #arm(): void {
    if (this.#timer || this.#relisting) return;
    const { actor } = this.#parts;
    const delayMs = this.#lastTick() + PLEG_RELIST_MS - actor.simulation.now;
    this.#timer = actor.schedule(delayMs, () => this.#relist(), { label: `${actor.name} pleg` });
  }

  /** pkg/kubelet/pleg/generic.go Relist */
  async #relist(): Promise<void> {
    this.#timer = undefined;
    this.#relisting = true;
    const changed = [...this.#changed];
    this.#changed.clear();
    const waiting = this.#waiters;
    this.#waiters = [];
    try {
      if (changed.length > 0) await this.#update(changed);
      this.#relisting = false;
      for (const { uid, resolve } of waiting) this.#parts.actor.simulation.resolve(resolve, this.get(uid));
    } catch (error) {
      if (!(error instanceof ActorUnavailable)) throw error;
      this.#relisting = false;
      for (const [uid, cause] of changed) this.#changed.set(uid, cause);
      this.#waiters.unshift(...waiting);
    }
    if (this.#changed.size > 0 || this.#waiters.length > 0) this.#arm();
  }

  async #update(changed: readonly (readonly [string, number])[]): Promise<void> {
    const states = await this.#parts.runtime.listPods(changed.map(([uid]) => uid));
    for (const [index, listed] of states.entries()) {
      const state = await this.#parts.enrich(listed);
      const before = this.get(state.uid);
      this.#states.set(state.uid, state);
      if (state.sandboxes.length === 0) this.#states.delete(state.uid);
      const cause = changed[index]?.[1] ?? 0;
      for (const event of computeEvents(before, state)) this.#parts.onEvent(event, cause);
    }
  }
}

type PlegState = 'non-existent' | 'running' | 'exited' | 'unknown';

const toPlegState = (state: ContainerRuntimeState): PlegState =>
  state === 'CONTAINER_RUNNING' ? 'running' : state === 'CONTAINER_EXITED' ? 'exited' : 'unknown';

/** pkg/kubelet/pleg/generic.go computeEvents: sandboxes count as containers. Created ones (ContainerChanged) interest nobody. */
function computeEvents(before: PodRuntimeState, after: PodRuntimeState): PodLifecycleEvent[] {
  const { uid } = after;
  const old = statesOf(before);
  const now = statesOf(after);
  const events: PodLifecycleEvent[] = [];
  for (const [containerId, { state, container }] of now) {
    const was = old.get(containerId)?.state ?? 'non-existent';
    const named = container === undefined ? {} : { container };
    if (was === state) continue;
    if (state === 'running') events.push({ uid, type: 'ContainerStarted', containerId, ...named });
    else if (state === 'exited') events.push({ uid, type: 'ContainerDied', containerId, ...named });
  }
  for (const [containerId, { state, container }] of old) {
    if (now.has(containerId)) continue;
    const named = container === undefined ? {} : { container };
    if (state !== 'exited') events.push({ uid, type: 'ContainerDied', containerId, ...named });
    events.push({ uid, type: 'ContainerRemoved', containerId, ...named });
  }
  return events;
}

function statesOf(state: PodRuntimeState): Map<string, { readonly state: PlegState; readonly container?: string }> {
  const states = new Map<string, { readonly state: PlegState; readonly container?: string }>();
  for (const { id, state: sandbox } of state.sandboxes) states.set(id, { state: sandbox === 'SANDBOX_READY' ? 'running' : 'exited' });
  for (const { id, state: container, name } of state.containers) states.set(id, { state: toPlegState(container), container: name });
  return states;
}
