import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { Actor } from '../../../../src/sim/actor.ts';
import type { CycleState } from '../cycle-state.ts';
import type { PermitPlugin, Plugin } from '../interface.ts';
import { asStatus, Status } from '../status.ts';
import { WaitingPod, type WaitingPods } from './waiting-pods-map.ts';

/** frameworkImpl maxTimeout */
const MAX_PERMIT_TIMEOUT_MS = 15 * 60_000;

/** The Permit extension point of a profile, and the pods that are held back there. */
export class Permit {
  readonly #actor: Actor;
  readonly #plugins: readonly (Plugin & PermitPlugin)[];
  readonly #waiting: WaitingPods;

  constructor(actor: Actor, plugins: readonly (Plugin & PermitPlugin)[], waiting: WaitingPods) {
    this.#actor = actor;
    this.#plugins = plugins;
    this.#waiting = waiting;
  }

  /** frameworkImpl.RunPermitPlugins: `Wait` when some plugin holds the pod back. */
  run(state: CycleState, pod: Pod, nodeName: string): Status | undefined {
    const timeouts = new Map<string, number>();
    for (const plugin of this.#plugins) {
      const { status, timeoutMs } = plugin.permit(state, pod, nodeName);
      if (!status) continue;
      if (status.isRejected) return status.withPlugin(plugin.name);
      if (status.code !== 'Wait') return asStatus(`running Permit plugin "${plugin.name}": ${status.message}`, plugin.name);
      timeouts.set(plugin.name, Math.min(timeoutMs ?? MAX_PERMIT_TIMEOUT_MS, MAX_PERMIT_TIMEOUT_MS));
    }
    if (timeouts.size === 0) return undefined;
    this.#waiting.add(new WaitingPod(this.#actor, pod, timeouts));
    return new Status('Wait', [`one or more plugins asked to wait and no plugin rejected pod "${pod.metadata.name}"`]);
  }

  /** frameworkImpl.WaitOnPermit; absent when nothing holds the pod back. */
  wait(pod: Pod): Promise<Status | undefined> | undefined {
    const uid = pod.metadata.uid ?? '';
    return this.#waiting
      .get(uid)
      ?.wait()
      .then((status) => {
        this.#waiting.delete(uid);
        return status;
      });
  }

  /** frameworkImpl.RejectWaitingPod: says whether the pod did wait. */
  reject(uid: string): boolean {
    const waiting = this.#waiting.get(uid);
    waiting?.reject('', 'removed');
    return waiting !== undefined;
  }
}
