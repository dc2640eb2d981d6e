import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { Node, Pod } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { invariant } from '../../../../src/sim/invariant.ts';
import { NodeInfo } from '../../framework/node-info.ts';
import { carryOver, podInfoOf } from '../../framework/pod-info.ts';
import { NodeTree } from './node-tree.ts';
import { imageStatesOf, type Snapshot, SnapshotChange } from './snapshot.ts';

interface PodState {
  pod: Pod;
  assumed: boolean;
}

/**
 * What the scheduler believes of nodes and pods: the API's state, and ahead of it the pods that it has just placed
 * (pkg/scheduler/backend/cache/cache.go cacheImpl). Keeps a list of what changed, so that a snapshot costs only that.
 */
export class Cache {
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #tree = new NodeTree();
  readonly #pods = new Map<string, PodState>();
  readonly #images = new Map<string, { size: number; nodes: Set<string> }>();
  /** Names of nodes that changed since the last snapshot. */
  readonly #changed = new Set<string>();
  #listChanged = false;
  #generation = 0;
  #imagesVersion = 0;

  get nodeCount(): number {
    return this.#tree.size;
  }

  /** Counts the pod on its node before the API does: AssumePod. */
  assumePod(pod: Pod): void {
    const uid = uidOf(pod);
    invariant(!this.#pods.has(uid), `pod ${keyOf(pod)} is assumed once`);
    this.#addToNode(pod);
    this.#pods.set(uid, { pod, assumed: true });
  }

  /** It did not come to pass: ForgetPod. */
  forgetPod(pod: Pod): void {
    const state = this.#pods.get(uidOf(pod));
    if (!state?.assumed) return;
    this.#removeFromNode(state.pod);
    this.#pods.delete(uidOf(pod));
  }

  isAssumedPod(pod: Pod): boolean {
    return this.#pods.get(uidOf(pod))?.assumed === true;
  }

  /** The API says that the pod is on its node; confirms what was assumed. */
  addPod(pod: Pod): void {
    const state = this.#pods.get(uidOf(pod));
    if (state) {
      this.#replace(state, pod);
      state.assumed = false;
      return;
    }
    this.#addToNode(pod);
    this.#pods.set(uidOf(pod), { pod, assumed: false });
  }

  updatePod(pod: Pod): void {
    this.addPod(pod);
  }

  removePod(pod: Pod): void {
    const state = this.#pods.get(uidOf(pod));
    if (!state) return;
    this.#removeFromNode(state.pod);
    this.#pods.delete(uidOf(pod));
  }

  addNode(node: Node): void {
    const info = this.#nodeInfo(node.metadata.name ?? '');
    if (!this.#tree.has(node)) {
      this.#tree.add(node);
      this.#listChanged = true;
    }
    const sameImages = info.node !== undefined && deepEqual(info.node.status?.images, node.status?.images);
    info.setNode(node);
    if (!sameImages) {
      this.#dropImages(info);
      info.imageStates = imageStatesOf(node, this.#images);
    }
    this.#touch(info);
  }

  updateNode(node: Node): void {
    this.addNode(node);
  }

  /** Pods of a node that is gone stay known until they are gone too. */
  removeNode(node: Node): void {
    const name = node.metadata.name ?? '';
    const info = this.#nodes.get(name);
    if (!info) return;
    this.#dropImages(info);
    info.node = undefined;
    this.#tree.remove(name);
    this.#listChanged = true;
    this.#touch(info);
    if (info.pods.length === 0) this.#nodes.delete(name);
  }

  /** Brings the snapshot up to date; costs what changed since it was taken: UpdateSnapshot. */
  updateSnapshot(snapshot: Snapshot): void {
    let affinityChanged = false;
    let claimsChanged = false;
    const replaced = new Map<NodeInfo, NodeInfo>();
    for (const name of this.#changed) {
      const before = snapshot.byName.get(name);
      const info = this.#nodes.get(name);
      const after = info?.node ? info.clone() : undefined;
      affinityChanged ||= lengthsDiffer(before, after);
      claimsChanged ||= (before?.pvcRefCounts.size ?? 0) > 0 || (after?.pvcRefCounts.size ?? 0) > 0;
      if (after) snapshot.byName.set(name, after);
      else snapshot.byName.delete(name);
      if (before && after) replaced.set(before, after);
      snapshot.noteChange(new SnapshotChange(before, after));
    }
    this.#changed.clear();
    snapshot.generation = this.#generation;
    snapshot.imagesVersion = this.#imagesVersion;
    if (this.#listChanged) {
      snapshot.setList(this.#tree.list().flatMap((name) => snapshot.byName.get(name) ?? []));
      snapshot.refreshPodLists();
      snapshot.refreshUsedPVCs();
      this.#listChanged = false;
      return;
    }
    for (const [before, after] of replaced) {
      after.place = before.place;
      snapshot.list[before.place] = after;
    }
    if (affinityChanged) snapshot.refreshPodLists();
    if (claimsChanged) snapshot.refreshUsedPVCs();
  }

  #replace(state: PodState, pod: Pod): void {
    if (!carryOver(state.pod, pod)) {
      this.#removeFromNode(state.pod);
      this.#addToNode(pod);
    }
    state.pod = pod;
  }

  #addToNode(pod: Pod): void {
    const info = this.#nodeInfo(pod.spec?.nodeName ?? '');
    info.addPodInfo(podInfoOf(pod));
    this.#touch(info);
  }

  #removeFromNode(pod: Pod): void {
    const info = this.#nodes.get(pod.spec?.nodeName ?? '');
    if (!info) return;
    info.removePod(pod);
    this.#touch(info);
    if (info.pods.length === 0 && !info.node) this.#nodes.delete(info.name);
  }

  #nodeInfo(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (!info) {
      info = new NodeInfo();
      info.name = name;
      this.#nodes.set(name, info);
    }
    return info;
  }

  #dropImages(info: NodeInfo): void {
    this.#imagesVersion++;
    for (const name of info.imageStates.keys()) {
      const state = this.#images.get(name);
      state?.nodes.delete(info.name);
      if (state?.nodes.size === 0) this.#images.delete(name);
    }
  }

  #touch(info: NodeInfo): void {
    info.generation = ++this.#generation;
    this.#changed.add(info.name);
  }
}

function uidOf(pod: Pod): string {
  return pod.metadata.uid ?? keyOf(pod);
}

/** Whether nodes with pods that have affinity may have changed: any such pod, before or after. */
function lengthsDiffer(before: NodeInfo | undefined, after: NodeInfo | undefined): boolean {
  return (before?.podsWithAffinity.length ?? 0) > 0 || (after?.podsWithAffinity.length ?? 0) > 0;
}
