import { type ContainerRuntimeInterface, RuntimeError } from '../../../src/api/cri.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import { CONTAINER_GC_MS } from '../constants.ts';
import type { Pleg } from '../pleg.ts';
import type { KubeGenericRuntimeManager } from './kuberuntime-manager.ts';

interface ContainerGcParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  readonly pleg: Pleg;
  readonly containerRuntime: KubeGenericRuntimeManager;
  /** The API still has the pod. */
  readonly isKnown: (uid: string) => boolean;
  /** The pod has come to its end on this node. */
  readonly isFinished: (uid: string) => boolean;
}

/** pkg/kubelet/kuberuntime/kuberuntime_gc.go containerGC and pkg/kubelet/pod_container_deletor.go: removes what has ended from the runtime. */
export class ContainerGc {
  readonly #parts: ContainerGcParts;
  #garbage = new Set<string>();

  constructor(parts: ContainerGcParts) {
    this.#parts = parts;
  }

  /** Something of the pod has ended: it is looked at within a minute. */
  note(uid: string): void {
    if (this.#garbage.size === 0) this.#parts.actor.schedule(CONTAINER_GC_MS, () => this.#collect(), { priority: 'background' });
    this.#garbage.add(uid);
  }

  /** A container of the pod has died: of its former instances one stays. */
  pruneLater(uid: string): void {
    const { actor, containerRuntime, pleg } = this.#parts;
    const prune = async (): Promise<void> => void (await this.#unlessDown(() => containerRuntime.pruneDeadContainers(pleg.get(uid))));
    actor.schedule(0, prune, { priority: 'background' });
  }

  /** The disk is needed: what is left of pods that have ended goes. pkg/kubelet/kuberuntime DeleteAllUnusedContainers */
  async deleteAllUnusedContainers(): Promise<void> {
    const { pleg, runtime, isFinished } = this.#parts;
    const ended = [...pleg.uids].filter((uid) => isFinished(uid) || !this.#parts.isKnown(uid));
    for (const uid of ended)
      for (const { id, state } of pleg.get(uid).sandboxes)
        if (state !== 'SANDBOX_READY') await this.#unlessDown(() => runtime.removePodSandbox(id));
  }

  async #collect(): Promise<void> {
    const uids = [...this.#garbage];
    this.#garbage = new Set();
    for (const uid of uids) if (!(await this.#unlessDown(() => this.#collectPod(uid)))) this.note(uid);
  }

  async #collectPod(uid: string): Promise<void> {
    const { pleg, runtime } = this.#parts;
    const gone = !this.#parts.isKnown(uid);
    const dead = pleg.get(uid).sandboxes.filter(({ state }, index) => state !== 'SANDBOX_READY' && (gone || index > 0));
    for (const { id } of dead) await runtime.removePodSandbox(id);
    if (gone) pleg.forget(uid);
  }

  /** @returns whether the runtime was there, and did it */
  async #unlessDown(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ActorUnavailable) && !(error instanceof RuntimeError)) throw error;
      return false;
    }
  }
}
