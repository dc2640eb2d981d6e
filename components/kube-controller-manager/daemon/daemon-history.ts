import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { ControllerRevision, DaemonSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { newControllerRef } from '../../../src/api/meta.ts';
import { isAlreadyExists } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { ControllerRefManager, recheckDeletionTimestamp } from '../controller/controller-ref-manager.ts';
import { computeHash } from '../controller/pod-template-hash.ts';
import { SyncError } from '../controller/sync-error.ts';
import { getPatch, newControllerRevision, sortControllerRevisions } from '../history/controller-history.ts';
import { DAEMON_SET, REVISION_HASH_LABEL } from './daemonset-util.ts';

export interface DaemonHistoryOptions {
  readonly sets: ResourceClient<DaemonSet>;
  readonly pods: ResourceClient<Pod>;
  readonly revisions: ResourceClient<ControllerRevision>;
  readonly revisionLister: Indexer<ControllerRevision>;
}

export interface ConstructedHistory {
  /** The revision with the template as it is now. */
  readonly current: ControllerRevision;
  readonly old: readonly ControllerRevision[];
}

/** Keeps a ControllerRevision for each template that a DaemonSet has had: pkg/controller/daemon/update.go */
export class DaemonHistory {
  readonly #options: DaemonHistoryOptions;

  constructor(options: DaemonHistoryOptions) {
    this.#options = options;
  }

  /** @param getPods the DaemonSet's pods, asked for only when they must be relabelled. pkg/controller/daemon/update.go constructHistory */
  async constructHistory(ds: DaemonSet, getPods: () => Promise<readonly Pod[]>): Promise<ConstructedHistory> {
    const histories = await Promise.all((await this.#controlledHistories(ds)).map((history) => this.#labelled(history)));
    const patch = getPatch(ds.spec?.template);
    const old = histories.filter((history) => !deepEqual(history.data, patch));
    const matching = histories.filter((history) => !old.includes(history));
    const revision = Math.max(0, ...old.map((history) => history.revision)) + 1;
    if (matching.length === 0) return { current: await this.#snapshot(ds, revision), old };
    const current = await this.#dedupCurHistories(ds, matching, getPods);
    if (current.revision >= revision) return { current, old };
    return { current: await this.#options.revisions.update({ ...current, revision }), old };
  }

  /** @param pods also those that have ended and are being deleted. pkg/controller/daemon/update.go cleanupHistory */
  async cleanupHistory(ds: DaemonSet, old: readonly ControllerRevision[], pods: readonly Pod[]): Promise<void> {
    let surplus = old.length - (ds.spec?.revisionHistoryLimit ?? 10);
    if (surplus <= 0) return;
    const live = new Set(pods.map((pod) => pod.metadata.labels?.[REVISION_HASH_LABEL]));
    for (const { metadata } of sortControllerRevisions(old)) {
      if (surplus <= 0) return;
      if (live.has(metadata.labels?.[REVISION_HASH_LABEL])) continue;
      await this.#options.revisions.delete({ namespace: metadata.namespace, name: metadata.name ?? '' });
      surplus--;
    }
  }

  /** pkg/controller/daemon/update.go controlledHistories */
  #controlledHistories(ds: DaemonSet): Promise<ControllerRevision[]> {
    const { sets, revisions, revisionLister } = this.#options;
    const manager = new ControllerRefManager({
      client: revisions,
      controller: ds,
      controllerRef: newControllerRef(ds, DAEMON_SET),
      selector: labelSelectorAsSelector(ds.spec?.selector),
      canAdopt: () => recheckDeletionTimestamp(sets, ds),
    });
    return manager.claim(revisionLister.listNamespace(ds.metadata.namespace ?? ''));
  }

  async #labelled(history: ControllerRevision): Promise<ControllerRevision> {
    const { labels, name = '' } = history.metadata;
    if (labels?.[REVISION_HASH_LABEL] !== undefined) return history;
    return this.#options.revisions.update({
      ...history,
      metadata: { ...history.metadata, labels: { ...labels, [REVISION_HASH_LABEL]: name } },
    });
  }

  /** pkg/controller/daemon/update.go snapshot */
  async #snapshot(ds: DaemonSet, revision: number): Promise<ControllerRevision> {
    const { revisions } = this.#options;
    const template = ds.spec?.template ?? {};
    const hash = computeHash(template, ds.status?.collisionCount);
    const name = `${ds.metadata.name}-${hash}`;
    const data = getPatch(template);
    const labels = { ...template.metadata?.labels, [REVISION_HASH_LABEL]: hash };
    const draft = newControllerRevision({ parent: ds, controllerRef: newControllerRef(ds, DAEMON_SET), data, revision }, labels);
    try {
      return await revisions.create({ ...draft, metadata: { ...draft.metadata, name } });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const existing = await revisions.get({ namespace: ds.metadata.namespace, name });
      if (deepEqual(existing.data, data)) return existing;
      await this.#raiseCollisionCount(ds);
      throw error;
    }
  }

  /** Another template has this hash: the next sync makes another name. */
  async #raiseCollisionCount(ds: DaemonSet): Promise<void> {
    const { namespace, name = '' } = ds.metadata;
    const live = await this.#options.sets.get({ namespace, name });
    const [seen, expected] = [ds.status?.collisionCount, live.status?.collisionCount];
    if (seen !== expected) {
      const counts = `(${seen ?? 0}, expected ${expected ?? 0})`;
      throw new SyncError(
        `found a stale collision count ${counts} of DaemonSet "${name}" while processing; will retry until it is updated`,
      );
    }
    const zeros = { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };
    await this.#options.sets.updateStatus({ ...live, status: { ...zeros, ...live.status, collisionCount: (expected ?? 0) + 1 } });
  }

  /** Keeps the newest of several with the same data: pkg/controller/daemon/update.go dedupCurHistories */
  async #dedupCurHistories(
    ds: DaemonSet,
    histories: readonly ControllerRevision[],
    getPods: () => Promise<readonly Pod[]>,
  ): Promise<ControllerRevision> {
    const sorted = sortControllerRevisions(histories);
    const kept = sorted.pop();
    if (!kept) throw new SyncError(`no history matches the template of DaemonSet ${ds.metadata.name}`);
    const hash = kept.metadata.labels?.[REVISION_HASH_LABEL] ?? '';
    for (const duplicate of sorted) {
      const { namespace, name = '', labels } = duplicate.metadata;
      for (const pod of await getPods()) {
        if (pod.metadata.labels?.[REVISION_HASH_LABEL] !== labels?.[REVISION_HASH_LABEL]) continue;
        const patch = { metadata: { labels: { [REVISION_HASH_LABEL]: hash } } };
        await this.#options.pods.patch({ namespace, name: pod.metadata.name ?? '' }, patch, { type: 'strategic' });
      }
      await this.#options.revisions.delete({ namespace, name });
    }
    return kept;
  }
}
