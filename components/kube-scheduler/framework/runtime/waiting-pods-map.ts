import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import { formatDuration } from '../../../../src/api/time.ts';
import type { Actor, Timer } from '../../../../src/sim/actor.ts';
import { Status } from '../status.ts';

/** All pods that wait for permission, of every profile: framework/runtime waitingPodsMap. */
export class WaitingPods {
  readonly #pods = new Map<string, WaitingPod>();

  add(pod: WaitingPod): void {
    this.#pods.set(pod.pod.metadata.uid ?? '', pod);
  }

  delete(uid: string): void {
    this.#pods.delete(uid);
  }

  get(uid: string): WaitingPod | undefined {
    return this.#pods.get(uid);
  }

  list(): readonly WaitingPod[] {
    return [...this.#pods.values()];
  }
}

/** A pod that plugins hold back after its node was chosen: framework/runtime waitingPod. */
export class WaitingPod {
  readonly pod: Pod;
  readonly #actor: Actor;
  readonly #timers = new Map<string, Timer>();
  #answer: ((status: Status | undefined) => void) | undefined;
  #outcome: { status: Status | undefined } | undefined;

  constructor(actor: Actor, pod: Pod, timeouts: ReadonlyMap<string, number>) {
    this.#actor = actor;
    this.pod = pod;
    for (const [plugin, timeoutMs] of timeouts) {
      const reason = `rejected due to timeout after waiting ${formatDuration(timeoutMs)} at plugin ${plugin}`;
      this.#timers.set(
        plugin,
        actor.schedule(timeoutMs, () => this.reject(plugin, reason)),
      );
    }
  }

  get pendingPlugins(): readonly string[] {
    return [...this.#timers.keys()];
  }

  /** The plugin lets the pod go; when all have, the pod goes on. */
  allow(plugin: string): void {
    this.#timers.get(plugin)?.cancel();
    this.#timers.delete(plugin);
    if (this.#timers.size === 0) this.#finish(undefined);
  }

  reject(plugin: string, message: string): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    this.#finish(new Status('Unschedulable', [message], plugin));
  }

  /** Resolves when all plugins have allowed the pod, or one has refused it. */
  wait(): Promise<Status | undefined> {
    return new Promise((resolve) => {
      if (this.#outcome) this.#actor.simulation.resolve(resolve, this.#outcome.status);
      else this.#answer = resolve;
    });
  }

  #finish(status: Status | undefined): void {
    if (this.#outcome) return;
    this.#outcome = { status };
    if (this.#answer) this.#actor.simulation.resolve(this.#answer, status);
  }
}
