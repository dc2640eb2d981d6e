import type { Container, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { isSidecar } from '../container/runtime.ts';

/** Order in which the containers of a pod stop: sidecars after the regular containers, in reverse order. pkg/kubelet/kuberuntime terminationOrdering */
export class TerminationOrdering {
  readonly #actor: Actor;
  /** Whom a container waits for. */
  readonly #prerequisites = new Map<string, Set<string>>();
  readonly #running: Set<string>;
  readonly #waiters = new Set<() => void>();

  constructor(actor: Actor, pod: Pod, running: readonly string[]) {
    this.#actor = actor;
    this.#running = new Set(running);
    const regular = (pod.spec?.containers ?? []).map(({ name }) => name);
    const sidecars: Container[] = (pod.spec?.initContainers ?? []).filter(isSidecar);
    for (const [index, { name }] of sidecars.entries()) {
      const after = sidecars[index + 1]?.name;
      this.#prerequisites.set(name, new Set([...regular, ...(after ? [after] : [])]));
    }
  }

  /** Waits until those before it have ended, at most `graceSeconds`. Returns how many whole seconds that took. */
  async waitForTurn(name: string, graceSeconds: number): Promise<number> {
    const startedAt = this.#actor.simulation.now;
    if (this.#isTurn(name)) return 0;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        timer.cancel();
        this.#waiters.delete(check);
        this.#actor.simulation.resolve(resolve, undefined);
      };
      const check = (): void => {
        if (this.#isTurn(name)) finish();
      };
      const timer = this.#actor.schedule(graceSeconds * 1000, finish);
      this.#waiters.add(check);
    });
    return Math.floor((this.#actor.simulation.now - startedAt) / 1000);
  }

  containerTerminated(name: string): void {
    this.#running.delete(name);
    for (const check of [...this.#waiters]) check();
  }

  #isTurn(name: string): boolean {
    return [...(this.#prerequisites.get(name) ?? [])].every((other) => !this.#running.has(other));
  }
}
