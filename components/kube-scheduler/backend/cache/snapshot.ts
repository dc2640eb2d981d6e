import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { Node, Pod } from '../../../../src/api/kinds/core-v1.ts';
import { NodeInfo } from '../../framework/node-info.ts';
import { type PodInfo, podInfoOf } from '../../framework/pod-info.ts';
import { NodeTree } from './node-tree.ts';

/** A node came, went, or changed. */
export class SnapshotChange {
  readonly before: NodeInfo | undefined;
  readonly after: NodeInfo | undefined;
  #podChanges: PodChanges | undefined;

  constructor(before: NodeInfo | undefined, after: NodeInfo | undefined) {
    this.before = before;
    this.after = after;
  }

  /** Only pods came or went: which. Absent when the node did, or its labels changed. Worked out once, for all that follow the snapshot. */
  get podChanges(): PodChanges | undefined {
    const { before, after } = this;
    if (!before?.node || !after?.node || !deepEqual(before.node.metadata.labels, after.node.metadata.labels)) return undefined;
    this.#podChanges ??= { node: after.node, ...differenceOf(before.pods, after.pods) };
    return this.#podChanges;
  }
}

interface PodChanges {
  readonly node: Node;
  readonly gone: readonly PodInfo[];
  readonly come: readonly PodInfo[];
}

/** Mostly one has been appended. */
function differenceOf(before: readonly PodInfo[], after: readonly PodInfo[]): { gone: readonly PodInfo[]; come: readonly PodInfo[] } {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  if (same === before.length) return { gone: [], come: after.slice(same) };
  const old = new Set(before.slice(same));
  const come = after.slice(same).filter((info) => !old.delete(info));
  return { gone: [...old], come };
}

const KEPT_CHANGES = 1024;

/** The nodes and their pods as one scheduling cycle sees them: pkg/scheduler/backend/cache/snapshot.go Snapshot. */
export class Snapshot {
  readonly byName = new Map<string, NodeInfo>();
  /** In the order in which they are looked at. */
  list: NodeInfo[] = [];
  #havePodsWithAffinity: readonly NodeInfo[] | undefined;
  #havePodsWithRequiredAntiAffinity: readonly NodeInfo[] | undefined;
  usedPVCs: ReadonlySet<string> = new Set();
  generation = 0;
  /** Rises when images come to nodes, or go. */
  imagesVersion = 0;
  /** By label key and value, where in the list the nodes are that have it. Worked out when somebody asks. */
  readonly #places = new Map<string, Map<string, number[]>>();
  readonly #values = new Map<string, readonly (string | undefined)[]>();
  readonly #changes: SnapshotChange[] = [];
  #droppedChanges = 0;

  /** Worked out when somebody asks. */
  get havePodsWithAffinity(): readonly NodeInfo[] {
    this.#havePodsWithAffinity ??= this.list.filter((info) => info.podsWithAffinity.length > 0);
    return this.#havePodsWithAffinity;
  }

  get havePodsWithRequiredAntiAffinity(): readonly NodeInfo[] {
    this.#havePodsWithRequiredAntiAffinity ??= this.list.filter((info) => info.podsWithRequiredAntiAffinity.length > 0);
    return this.#havePodsWithRequiredAntiAffinity;
  }

  /** Where in the list the nodes are that have label `key`, by its value, each in rising order. */
  placesByLabel(key: string): ReadonlyMap<string, readonly number[]> {
    let places = this.#places.get(key);
    if (!places) {
      places = new Map();
      for (const { node, place } of this.list) {
        const value = node?.metadata.labels?.[key];
        if (value === undefined) continue;
        const of = places.get(value);
        if (of) of.push(place);
        else places.set(value, [place]);
      }
      this.#places.set(key, places);
    }
    return places;
  }

  /** The value of label `key` that each node has, along the list. */
  valuesOfLabel(key: string): readonly (string | undefined)[] {
    let values = this.#values.get(key);
    if (!values) {
      values = this.list.map(({ node }) => node?.metadata.labels?.[key]);
      this.#values.set(key, values);
    }
    return values;
  }

  /** The list was made anew, with each node's place in it. */
  setList(list: NodeInfo[]): void {
    this.list = list;
    for (let index = 0; index < list.length; index++) (list[index] as NodeInfo).place = index;
    this.#forgetLabels();
  }

  #forgetLabels(): void {
    this.#places.clear();
    this.#values.clear();
  }

  get(name: string): NodeInfo | undefined {
    return this.byName.get(name);
  }

  /** StorageInfoLister.IsPVCUsedByPods */
  isPVCUsedByPods(key: string): boolean {
    return this.usedPVCs.has(key);
  }

  /** How often a node was replaced, over all time. */
  get changeCount(): number {
    return this.#droppedChanges + this.#changes.length;
  }

  /** What was replaced since `changeCount` was `seen`; absent when that is too long ago. */
  changesSince(seen: number): readonly SnapshotChange[] | undefined {
    return seen < this.#droppedChanges ? undefined : this.#changes.slice(seen - this.#droppedChanges);
  }

  noteChange(change: SnapshotChange): void {
    this.#changes.push(change);
    if (this.#places.size + this.#values.size > 0 && !change.podChanges) this.#forgetLabels();
    if (this.#changes.length < 2 * KEPT_CHANGES) return;
    this.#droppedChanges += KEPT_CHANGES;
    this.#changes.splice(0, KEPT_CHANGES);
  }

  /** Pods with affinity may have come or gone. */
  refreshPodLists(): void {
    this.#havePodsWithAffinity = undefined;
    this.#havePodsWithRequiredAntiAffinity = undefined;
  }

  refreshUsedPVCs(): void {
    const used = new Set<string>();
    for (const info of this.list) for (const claim of info.pvcRefCounts.keys()) used.add(claim);
    this.usedPVCs = used;
  }
}

/** A snapshot made from nothing but nodes and pods: cache.NewSnapshot. Pods without a node, or of one that is not there, are left out. */
export function newSnapshot(pods: readonly Pod[], nodes: readonly Node[]): Snapshot {
  const snapshot = new Snapshot();
  const tree = new NodeTree();
  const images = new Map<string, { size: number; nodes: Set<string> }>();
  for (const node of nodes) {
    const info = new NodeInfo();
    info.setNode(node);
    tree.add(node);
    snapshot.byName.set(info.name, info);
    info.imageStates = imageStatesOf(node, images);
  }
  for (const pod of pods) snapshot.byName.get(pod.spec?.nodeName ?? '')?.addPodInfo(podInfoOf(pod));
  snapshot.setList(tree.list().flatMap((name) => snapshot.byName.get(name) ?? []));
  snapshot.refreshUsedPVCs();
  return snapshot;
}

/** Files the images of the node in `images`, and returns those that it has. */
export function imageStatesOf(node: Node, images: Map<string, { size: number; nodes: Set<string> }>): NodeInfo['imageStates'] {
  const states = new Map<string, { size: number; nodes: Set<string> }>();
  for (const image of node.status?.images ?? []) {
    for (const name of image.names ?? []) {
      let state = images.get(name);
      if (!state) {
        state = { size: image.sizeBytes ?? 0, nodes: new Set() };
        images.set(name, state);
      }
      state.nodes.add(node.metadata.name ?? '');
      states.set(name, state);
    }
  }
  return states;
}
