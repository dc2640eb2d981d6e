import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { PodNominator } from '../../framework/interface.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

const NONE: readonly PodInfo[] = [];

/** Pods that were promised a node on which others still end: pkg/scheduler/backend/queue/nominator.go nominator. */
export class Nominator implements PodNominator {
  readonly #byNode = new Map<string, PodInfo[]>();
  readonly #nodeOf = new Map<string, string>();

  get isEmpty(): boolean {
    return this.#byNode.size === 0;
  }

  addNominatedPod(info: PodInfo, nodeName: string): void {
    this.deleteNominatedPodIfExists(info.pod);
    if (!nodeName) return;
    this.#nodeOf.set(info.pod.metadata.uid ?? '', nodeName);
    const infos = this.#byNode.get(nodeName);
    if (infos) infos.push(info);
    else this.#byNode.set(nodeName, [info]);
  }

  deleteNominatedPodIfExists(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    const nodeName = this.#nodeOf.get(uid);
    if (nodeName === undefined) return;
    this.#nodeOf.delete(uid);
    const left = (this.#byNode.get(nodeName) ?? []).filter((info) => info.pod.metadata.uid !== uid);
    if (left.length) this.#byNode.set(nodeName, left);
    else this.#byNode.delete(nodeName);
  }

  /** The pod changed: it keeps a nomination that its status does not show yet (updateNominatedPodUnlocked). */
  updateNominatedPod(oldPod: Pod, info: PodInfo): void {
    const kept =
      !oldPod.status?.nominatedNodeName && !info.pod.status?.nominatedNodeName ? this.#nodeOf.get(info.pod.metadata.uid ?? '') : undefined;
    this.deleteNominatedPodIfExists(oldPod);
    this.addNominatedPod(info, kept ?? info.pod.status?.nominatedNodeName ?? '');
  }

  nominatedPodsForNode(nodeName: string): readonly PodInfo[] {
    return this.#byNode.get(nodeName) ?? NONE;
  }
}
