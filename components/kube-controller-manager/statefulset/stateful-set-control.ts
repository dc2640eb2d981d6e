import type { ControllerRevision, StatefulSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { getControllerOf, newControllerRef } from '../../../src/api/meta.ts';
import { statefulsets as STATEFUL_SETS } from '../../../src/api/resources.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { Simulation } from '../../../src/sim/simulation.ts';
import { slowStartBatch } from '../controller/slow-start.ts';
import { aggregate } from '../controller/sync-error.ts';
import { adoptControllerRevision, sortControllerRevisions } from '../history/controller-history.ts';
import type { StatefulPodControl } from './stateful-pod-control.ts';
import { getStatefulSetRevisions } from './stateful-set-revisions.ts';
import { newStatusDraft, type StatusDraft, updateStatefulSetStatus, updateStatus } from './stateful-set-status.ts';
import {
  allowsBurst,
  applyRevision,
  getOrdinal,
  getPodRevision,
  getStartOrdinal,
  identityMatches,
  isCreated,
  isRunningAndAvailable,
  isTerminating,
  isUnavailable,
  minReadySecondsOf,
  newVersionedStatefulSetPod,
  podInOrdinalRange,
  type Revisions,
  replicasOf,
  STATEFUL_SET,
  storageMatches,
} from './stateful-set-utils.ts';

export interface StatefulSetControlOptions {
  readonly simulation: Simulation;
  readonly podControl: StatefulPodControl;
  readonly sets: ResourceClient<StatefulSet>;
  readonly setLister: Indexer<StatefulSet>;
  readonly revisions: ResourceClient<ControllerRevision>;
  readonly revisionLister: Indexer<ControllerRevision>;
}

/** One sync's view of a set. */
interface SetSync {
  readonly set: StatefulSet;
  /** The set with the template of the update revision. */
  readonly updateSet: StatefulSet;
  /** One by one, in order. */
  readonly monotonic: boolean;
  /** By ordinal from the first; those that do not exist are drafts. */
  readonly replicas: readonly Pod[];
  /** With ordinals that are not wanted, highest first. */
  readonly condemned: readonly Pod[];
  readonly firstUnavailable: Pod | undefined;
  readonly now: number;
}

/** Whether the sync must not go on to the next pod. */
type ShouldExit = boolean;

/** What a StatefulSet does in one sync: pkg/controller/statefulset/stateful_set_control.go defaultStatefulSetControl */
export class StatefulSetControl {
  readonly #options: StatefulSetControlOptions;

  constructor(options: StatefulSetControlOptions) {
    this.#options = options;
  }

  /** Returns how many pods are available. pkg/controller/statefulset/stateful_set_control.go UpdateStatefulSet */
  async updateStatefulSet(set: StatefulSet, pods: readonly Pod[]): Promise<number> {
    const revisions = sortControllerRevisions(this.listRevisions(set));
    const current = await getStatefulSetRevisions(this.#options.revisions, set, revisions);
    const status = newStatusDraft(set, current);
    let failure: unknown;
    try {
      await this.#updateReplicas(set, { pods, current, status });
    } catch (error) {
      failure = error;
    }
    const { sets: client, setLister: lister } = this.#options;
    try {
      await updateStatefulSetStatus({ client, lister }, set, status);
    } catch (error) {
      failure ??= error;
    }
    const historyError = await this.#truncateHistory(set, { pods, revisions, current }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const error = aggregate([failure, historyError].filter((one) => one !== undefined));
    if (error !== undefined) throw error;
    return status.availableReplicas;
  }

  /** pkg/controller/statefulset/stateful_set_control.go ListRevisions */
  listRevisions(set: StatefulSet): ControllerRevision[] {
    const selector = labelSelectorAsSelector(set.spec?.selector);
    return this.#options.revisionLister.listNamespace(set.metadata.namespace ?? '').filter((revision) => {
      const owner = getControllerOf(revision);
      return selector.matches(revision.metadata.labels) && (owner === undefined || owner.uid === set.metadata.uid);
    });
  }

  /** pkg/controller/statefulset/stateful_set_control.go AdoptOrphanRevisions */
  async adoptOrphanRevisions(set: StatefulSet, orphans: readonly ControllerRevision[]): Promise<void> {
    for (const revision of orphans) await adoptControllerRevision(this.#options.revisions, revision, newControllerRef(set, STATEFUL_SET));
  }

  /** Creates, replaces and deletes pods as far as the order allows: pkg/controller/statefulset/stateful_set_control.go updateStatefulSet */
  async #updateReplicas(
    set: StatefulSet,
    { pods, current, status }: { pods: readonly Pod[]; current: Revisions; status: StatusDraft },
  ): Promise<void> {
    const sync = this.#newSync(set, { pods, current });
    const { monotonic, now, replicas, condemned } = sync;
    updateStatus(status, { set, pods, now });
    if (set.metadata.deletionTimestamp !== undefined) return;
    try {
      if (monotonic || replicas.some((pod) => this.#needsWork(sync, pod))) {
        if (await runForAll(replicas, (pod) => this.#processReplica(sync, pod), monotonic)) return;
      }
      if (await runForAll(condemned, (pod) => this.#fixPodClaim(sync, pod), monotonic)) return;
      if (await runForAll(condemned, (pod) => this.#processCondemned(sync, pod), monotonic)) return;
    } finally {
      updateStatus(status, { set, pods: [...replicas, ...condemned], now });
    }
    if (set.spec?.updateStrategy?.type !== 'OnDelete') await this.#rollingUpdate(sync, { current, status });
  }

  #newSync(set: StatefulSet, { pods, current }: { pods: readonly Pod[]; current: Revisions }): SetSync {
    const now = this.#options.simulation.wallTime;
    const start = getStartOrdinal(set);
    const existing = new Map(pods.filter((pod) => podInOrdinalRange(pod, set)).map((pod) => [getOrdinal(pod), pod]));
    const replicas = Array.from({ length: replicasOf(set) }, (_, index) => {
      return existing.get(start + index) ?? newVersionedStatefulSetPod(set, current, start + index);
    });
    const condemned = pods
      .filter((pod) => !podInOrdinalRange(pod, set) && getOrdinal(pod) >= 0)
      .sort((a, b) => getOrdinal(b) - getOrdinal(a));
    const minReadySeconds = minReadySecondsOf(set);
    return {
      set,
      updateSet: applyRevision(set, current.updateRevision),
      monotonic: !allowsBurst(set),
      replicas,
      condemned,
      firstUnavailable: [...replicas, ...[...condemned].reverse()].find((pod) => isUnavailable(pod, minReadySeconds, now)),
      now,
    };
  }

  /** Whether there is anything to do about the pod when order does not matter. */
  #needsWork({ set, updateSet }: SetSync, pod: Pod): boolean {
    const phase = pod.status?.phase;
    if (!phase || phase === 'Failed' || phase === 'Succeeded') return true;
    if (phase === 'Pending' && set.spec?.volumeClaimTemplates?.length) return true;
    return !this.#isConsistent(set, updateSet, pod);
  }

  #isConsistent(set: StatefulSet, updateSet: StatefulSet, pod: Pod): boolean {
    return identityMatches(set, pod) && storageMatches(set, pod) && this.#options.podControl.claimsMatchRetentionPolicy(updateSet, pod);
  }

  /** pkg/controller/statefulset/stateful_set_control.go processReplica */
  async #processReplica({ set, updateSet, monotonic, now }: SetSync, pod: Pod): Promise<ShouldExit> {
    const { podControl } = this.#options;
    const phase = pod.status?.phase;
    if (phase === 'Failed' || phase === 'Succeeded') {
      // Made again when it is gone.
      if (isTerminating(pod)) return true;
      this.#decide(set, `Pod ${pod.metadata.name} has ended (${phase}): delete it`);
      await podControl.deleteStatefulPod(set, pod);
      return true;
    }
    if (!isCreated(pod)) {
      if (podControl.podClaimIsStale(set, pod)) return true;
      this.#decide(set, `Pod ${pod.metadata.name} is missing: create it with revision ${getPodRevision(pod)}`);
      await podControl.createStatefulPod(set, pod);
      if (monotonic) return true;
    }
    if (phase === 'Pending') await podControl.createMissingPersistentVolumeClaims(set, pod);
    if (monotonic && (isTerminating(pod) || !isRunningAndAvailable(pod, minReadySecondsOf(set), now))) return true;
    if (this.#isConsistent(set, updateSet, pod)) return false;
    await podControl.updateStatefulPod(updateSet, pod);
    return false;
  }

  async #fixPodClaim({ updateSet }: SetSync, pod: Pod): Promise<ShouldExit> {
    const { podControl } = this.#options;
    if (!podControl.claimsMatchRetentionPolicy(updateSet, pod)) await podControl.updatePodClaimForRetentionPolicy(updateSet, pod);
    return false;
  }

  /** pkg/controller/statefulset/stateful_set_control.go processCondemned */
  async #processCondemned({ set, monotonic, firstUnavailable, now }: SetSync, pod: Pod): Promise<ShouldExit> {
    if (isTerminating(pod)) return monotonic;
    if (monotonic && pod !== firstUnavailable && !isRunningAndAvailable(pod, minReadySecondsOf(set), now)) return true;
    this.#decide(set, `${replicasOf(set)} pods wanted: delete ${pod.metadata.name}`);
    await this.#options.podControl.deleteStatefulPod(set, pod);
    return true;
  }

  /** One pod that is not up to date goes, the one with the highest ordinal: pkg/controller/statefulset/stateful_set_control.go updateStatefulSet */
  async #rollingUpdate({ set, replicas, now }: SetSync, { current, status }: { current: Revisions; status: StatusDraft }): Promise<void> {
    const updateMin = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
    const { name: updateRevision } = current.updateRevision.metadata;
    for (let target = replicas.length - 1; target >= updateMin; target--) {
      const pod = replicas[target];
      if (!pod) return;
      if (getPodRevision(pod) !== updateRevision && !isTerminating(pod)) {
        this.#decide(set, `Pod ${pod.metadata.name} has revision ${getPodRevision(pod)}, not ${updateRevision}: delete it`);
        await this.#deleteOutdated(set, pod);
        status.currentReplicas--;
        return;
      }
      if (isUnavailable(pod, minReadySecondsOf(set), now)) return;
    }
  }

  async #deleteOutdated(set: StatefulSet, pod: Pod): Promise<void> {
    try {
      await this.#options.podControl.deleteStatefulPod(set, pod);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** pkg/controller/statefulset/stateful_set_control.go truncateHistory */
  async #truncateHistory(
    set: StatefulSet,
    { pods, revisions, current }: { pods: readonly Pod[]; revisions: readonly ControllerRevision[]; current: Revisions },
  ): Promise<void> {
    const live = new Set([current.currentRevision.metadata.name, current.updateRevision.metadata.name, ...pods.map(getPodRevision)]);
    const history = revisions.filter((revision) => !live.has(revision.metadata.name));
    const surplus = Math.max(0, history.length - (set.spec?.revisionHistoryLimit ?? 10));
    for (const { metadata } of history.slice(0, surplus)) {
      await this.#options.revisions.delete({ namespace: metadata.namespace, name: metadata.name ?? '' });
    }
  }

  #decide({ metadata }: StatefulSet, message: string): void {
    const { namespace = '', name = '', uid = '' } = metadata;
    const { group, resource, kind } = STATEFUL_SETS;
    const object = { group, resource, kind, namespace, name, uid };
    this.#options.simulation.recordCause({ kind: 'decision', component: 'statefulset-controller', object, message });
  }
}

/** One by one until one says stop, or in growing batches: pkg/controller/statefulset/stateful_set_control.go runForAll */
async function runForAll(pods: readonly Pod[], run: (pod: Pod) => Promise<ShouldExit>, monotonic: boolean): Promise<ShouldExit> {
  if (monotonic) {
    for (const pod of pods) if (await run(pod)) return true;
    return false;
  }
  const { error } = await slowStartBatch(pods.length, async (index) => {
    const pod = pods[index];
    if (pod) await run(pod);
  });
  if (error !== undefined) throw error;
  return false;
}
