import type { Actor } from '../../src/sim/actor.ts';

/** What a step of the loop leaves to be waited for. */
export type Waiting = () => Promise<void>;

/** pkg/kubelet/kubelet.go syncLoop: one thing after another. A step that has to wait for somebody, as for a device plugin, holds up those behind it. */
export class SyncLoop {
  readonly #steps: (() => Waiting | undefined)[] = [];
  #busy = false;

  /** Runs `step` at once, unless another one is still being waited for. */
  run(actor: Actor, step: () => Waiting | undefined): void {
    if (this.#busy) {
      this.#steps.push(step);
      return;
    }
    const waiting = step();
    if (!waiting) return;
    this.#busy = true;
    actor.schedule(0, () => this.#wait(waiting), { label: `${actor.name} sync loop` });
  }

  async #wait(first: Waiting): Promise<void> {
    await first();
    for (let step = this.#steps.shift(); step; step = this.#steps.shift()) await step()?.();
    this.#busy = false;
  }
}
