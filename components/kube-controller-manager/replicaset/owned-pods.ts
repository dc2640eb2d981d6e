import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { LabelSelector } from '../../../src/api/kinds/meta-v1.ts';
import { labelSelectorAsSelector, type Selector, selectorFromSet } from '../../../src/api/label-selector.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { keyOf } from '../../../src/api/object.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { listControlledBy } from '../controller/controller-index.ts';
import { isPodActive, isPodReady } from '../controller/controller-utils.ts';

/** Of the active pods that have the set as their controller. */
export interface PodCounts {
  /** Those that its selector matches. */
  readonly replicas: number;
  readonly fullyLabeled: number;
  readonly ready: number;
  /** Those that its selector does not match: they are to be released. */
  readonly unmatched: number;
}

/** Bits that say what a pod counts as; 0 for a pod that has ended or is being deleted. */
const UNMATCHED = 1;
const MATCHED = 2;
const FULLY_LABELED = 4;
const READY = 8;

/**
 * Counts the pods of each set as they come and change, so that a sync does not go over all of them. Upstream counts anew in each sync; the numbers are the
 * same ones.
 */
export class OwnedPods {
  readonly #pods: Indexer<Pod>;
  readonly #tallies = new Map<string, Tally>();

  constructor(pods: Indexer<Pod>) {
    this.#pods = pods;
  }

  /** The pod is new, or changed from `old`. */
  put(pod: Pod, old?: Pod): void {
    const owner = getControllerOf(pod)?.uid;
    const oldOwner = old && getControllerOf(old)?.uid;
    if (old && oldOwner !== owner) this.delete(old);
    if (owner) this.#tallies.get(owner)?.put(pod);
  }

  delete(pod: Pod): void {
    const owner = getControllerOf(pod)?.uid;
    if (owner) this.#tallies.get(owner)?.delete(pod);
  }

  /** The set is gone. */
  forget(rs: ReplicaSet): void {
    this.#tallies.delete(rs.metadata.uid ?? '');
  }

  countsOf(rs: ReplicaSet): PodCounts {
    return this.#tallyOf(rs);
  }

  /**
   * How many active pods of these sets are on the pod's node: pkg/controller/replicaset/replica_set.go getPodsRankedByRelatedPodsOnSameNode.
   * Differs: a pod that a selector matches and that is not owned by the set does not count.
   */
  ranksOf(sets: readonly ReplicaSet[]): (pod: Pod) => number {
    const tallies = sets.map((rs) => this.#tallyOf(rs));
    return (pod) => tallies.reduce((sum, tally) => sum + tally.onNode(pod.spec?.nodeName ?? ''), 0);
  }

  #tallyOf(rs: ReplicaSet): Tally {
    const uid = rs.metadata.uid ?? '';
    let tally = this.#tallies.get(uid);
    if (!tally?.fits(rs)) {
      tally = new Tally(rs);
      for (const pod of listControlledBy(this.#pods, uid)) tally.put(pod);
      this.#tallies.set(uid, tally);
    }
    return tally;
  }
}

/** What a pod was counted as. */
interface CountedPod {
  readonly bits: number;
  readonly node: string;
}

class Tally implements PodCounts {
  replicas = 0;
  fullyLabeled = 0;
  ready = 0;
  unmatched = 0;
  readonly #counted = new Map<string, CountedPod>();
  readonly #nodes = new Map<string, number>();
  readonly #labelSelector: LabelSelector | undefined;
  readonly #templateLabels: Record<string, string> | undefined;
  readonly #selector: Selector;
  readonly #template: Selector;

  constructor(rs: ReplicaSet) {
    this.#labelSelector = rs.spec?.selector;
    this.#templateLabels = rs.spec?.template?.metadata?.labels;
    this.#selector = labelSelectorAsSelector(this.#labelSelector);
    this.#template = selectorFromSet(this.#templateLabels);
  }

  /** The set has still the selector and the template that pods were counted by. */
  fits(rs: ReplicaSet): boolean {
    return deepEqual(rs.spec?.selector, this.#labelSelector) && deepEqual(rs.spec?.template?.metadata?.labels, this.#templateLabels);
  }

  onNode(node: string): number {
    return this.#nodes.get(node) ?? 0;
  }

  put(pod: Pod): void {
    const key = keyOf(pod);
    const now = { bits: this.#classify(pod), node: pod.spec?.nodeName ?? '' };
    const before = this.#counted.get(key);
    if (before?.bits === now.bits && before.node === now.node) return;
    this.#counted.set(key, now);
    if (before) this.#count(before, -1);
    this.#count(now, 1);
  }

  delete(pod: Pod): void {
    const key = keyOf(pod);
    const before = this.#counted.get(key);
    if (before) this.#count(before, -1);
    this.#counted.delete(key);
  }

  #count({ bits, node }: CountedPod, by: 1 | -1): void {
    if (bits & MATCHED) this.replicas += by;
    if (bits & FULLY_LABELED) this.fullyLabeled += by;
    if (bits & READY) this.ready += by;
    if (bits & UNMATCHED) this.unmatched += by;
    if (bits & MATCHED) this.#nodes.set(node, this.onNode(node) + by);
  }

  #classify(pod: Pod): number {
    if (!isPodActive(pod)) return 0;
    const { labels } = pod.metadata;
    if (!this.#selector.matches(labels)) return UNMATCHED;
    return MATCHED | (this.#template.matches(labels) ? FULLY_LABELED : 0) | (isPodReady(pod) ? READY : 0);
  }
}

/** The counts of pods at hand: pkg/controller/replicaset/replica_set_utils.go calculateStatus */
export function countPods(rs: ReplicaSet, pods: readonly Pod[]): PodCounts {
  const template = selectorFromSet(rs.spec?.template?.metadata?.labels);
  return {
    replicas: pods.length,
    fullyLabeled: pods.filter((pod) => template.matches(pod.metadata.labels)).length,
    ready: pods.filter(isPodReady).length,
    unmatched: 0,
  };
}
