import { formatSelector } from '../../../src/api/format-selector.ts';
import { getScaledValueFromIntOrPercent } from '../../../src/api/intstr.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { PodDisruptionBudget } from '../../../src/api/kinds/policy-v1.ts';
import { labelSelectorAsSelector, nothing, type Selector } from '../../../src/api/label-selector.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { keyOf } from '../../../src/api/object.ts';
import { poddisruptionbudgets, pods } from '../../../src/api/resources.ts';
import { isConflict } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { messageOf, rethrowPanic, SyncError } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { podsByLabel, podsWithLabels } from '../endpointslice/util/pod-label-index.ts';
import { ScaleFinder } from './controller-scale.ts';
import { buildDisruptedPodMap, countHealthyPods, withStatus, withSyncFailure } from './pdb-status.ts';
import { staleDisruptionDelay, withoutDisruptionTarget } from './stale-pod-disruption.ts';

const NAME = 'disruption-controller';

interface ExpectedCount {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
  readonly hasUnmanaged: boolean;
}

/** Keeps the status of PodDisruptionBudgets, by which evictions are allowed. pkg/controller/disruption/disruption.go DisruptionController */
class DisruptionController {
  readonly #actor: Actor;
  readonly #client: ResourceClient<PodDisruptionBudget>;
  readonly #podClient: ResourceClient<Pod>;
  readonly #recorder: EventRecorder;
  readonly #pdbs: Indexer<PodDisruptionBudget>;
  readonly #pods: Indexer<Pod>;
  readonly #scales: ScaleFinder;
  readonly #queue: RateLimitingQueue;
  readonly #staleQueue: RateLimitingQueue;
  readonly #selectors = new WeakMap<PodDisruptionBudget, Selector>();

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const client = context.clientFor(NAME);
    this.#actor = actor;
    this.#client = client.resource(poddisruptionbudgets);
    this.#podClient = client.resource(pods);
    this.#recorder = context.recorderFor('controllermanager', NAME);
    this.#pdbs = informers.forResource(poddisruptionbudgets).store;
    informers.forResource(pods).addIndexers(podsByLabel);
    this.#pods = informers.forResource(pods).store;
    this.#scales = new ScaleFinder(informers, client);
    this.#queue = new RateLimitingQueue({ actor });
    this.#staleQueue = new RateLimitingQueue({ actor });
    this.#addHandlers(context);
    context.onceSynced(() => {
      runWorkers({ actor, name: NAME, queue: this.#queue, workers: 1, reconcile: (key) => this.#sync(key) });
      runWorkers({
        actor,
        name: `${NAME} stale pods`,
        queue: this.#staleQueue,
        workers: 1,
        reconcile: (key) => this.#syncStalePodDisruption(key),
      });
    });
  }

  #addHandlers({ informers }: ControllerContext): void {
    const onPdb = (pdb: PodDisruptionBudget): void => this.#queue.add(keyOf(pdb));
    informers.forResource(poddisruptionbudgets).addEventHandler({ onAdd: onPdb, onUpdate: (_, pdb) => onPdb(pdb), onDelete: onPdb });
    const onPod = (pod: Pod): void => {
      this.#enqueuePdbOf(pod);
      const delayMs = staleDisruptionDelay(pod, this.#actor.simulation.wallTime);
      if (delayMs !== undefined) this.#staleQueue.addAfter(keyOf(pod), delayMs, 'background');
    };
    informers
      .forResource(pods)
      .addEventHandler({ onAdd: onPod, onUpdate: (_, pod) => onPod(pod), onDelete: (pod) => this.#enqueuePdbOf(pod) });
  }

  /** disruption.go getPdbForPod */
  #enqueuePdbOf(pod: Pod): void {
    const { namespace = '', name, labels } = pod.metadata;
    const matching = this.#pdbs.listNamespace(namespace).filter((pdb) => this.#selectorOf(pdb).matches(labels ?? {}));
    const [first] = matching;
    if (!first) return;
    if (matching.length > 1) {
      const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${first.metadata.name}" arbitrarily.`;
      this.#recorder.event(pod, 'Warning', 'MultiplePodDisruptionBudgets', message);
    }
    this.#queue.add(keyOf(first));
  }

  #selectorOf(pdb: PodDisruptionBudget): Selector {
    let selector = this.#selectors.get(pdb);
    if (!selector) {
      selector = pdb.spec?.selector ? labelSelectorAsSelector(pdb.spec.selector) : nothing;
      this.#selectors.set(pdb, selector);
    }
    return selector;
  }

  /** disruption.go sync */
  async #sync(key: string): Promise<void> {
    const pdb = this.#pdbs.get(key);
    if (!pdb) return;
    try {
      await this.#trySync(pdb);
    } catch (error) {
      rethrowPanic(error);
      if (isConflict(error)) throw error;
      await this.#client.updateStatus(withSyncFailure(pdb, messageOf(error), this.#actor.simulation.wallTime));
    }
  }

  /** disruption.go trySync */
  async #trySync(pdb: PodDisruptionBudget): Promise<void> {
    const { wallTime } = this.#actor.simulation;
    const selector = this.#selectorOf(pdb);
    const candidates = podsWithLabels(this.#pods, pdb.metadata.namespace, pdb.spec?.selector?.matchLabels ?? {});
    const matching = candidates.filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
    if (matching.length === 0) this.#recorder.event(pdb, 'Normal', 'NoPods', 'No matching pods found');
    const { expectedPods, desiredHealthy, hasUnmanaged } = await this.#expectedCountOrEvent(pdb, matching);
    if (hasUnmanaged) this.#recorder.event(pdb, 'Warning', 'UnmanagedPods', unmanagedMessage(pdb));
    const { disrupted, overdue, recheckAt } = buildDisruptedPodMap(matching, pdb, wallTime);
    const { namespace } = pdb.metadata;
    for (const pod of overdue) {
      // Upstream prints the namespace twice, too.
      this.#recorder.event(pod, 'Warning', 'NotDeleted', `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`);
    }
    const counts = { currentHealthy: countHealthyPods(matching, disrupted), desiredHealthy, expectedPods, disruptedPods: disrupted };
    const changed = withStatus(pdb, counts, wallTime);
    if (changed) await this.#client.updateStatus(changed);
    if (recheckAt !== undefined) this.#queue.addAfter(keyOf(pdb), recheckAt - wallTime, 'background');
  }

  async #expectedCountOrEvent(pdb: PodDisruptionBudget, matching: readonly Pod[]): Promise<ExpectedCount> {
    try {
      return await this.#getExpectedPodCount(pdb, matching);
    } catch (error) {
      rethrowPanic(error);
      this.#recorder.event(
        pdb,
        'Warning',
        'CalculateExpectedPodCountFailed',
        `Failed to calculate the number of expected pods: ${messageOf(error)}`,
      );
      throw error;
    }
  }

  /** disruption.go getExpectedPodCount */
  async #getExpectedPodCount({ spec }: PodDisruptionBudget, matching: readonly Pod[]): Promise<ExpectedCount> {
    const { minAvailable, maxUnavailable } = spec ?? {};
    if (maxUnavailable === undefined && typeof minAvailable !== 'string') {
      return { expectedPods: minAvailable === undefined ? 0 : matching.length, desiredHealthy: minAvailable ?? 0, hasUnmanaged: false };
    }
    const { expectedPods, hasUnmanaged } = await this.#getExpectedScale(matching);
    const value = getScaledValueFromIntOrPercent({ value: maxUnavailable ?? minAvailable ?? 0, total: expectedPods, roundUp: true }) ?? 0;
    return { expectedPods, desiredHealthy: maxUnavailable === undefined ? value : Math.max(0, expectedPods - value), hasUnmanaged };
  }

  /** disruption.go getExpectedScale */
  async #getExpectedScale(matching: readonly Pod[]): Promise<{ expectedPods: number; hasUnmanaged: boolean }> {
    const byController = new Map<string, string>();
    const scales = new Map<string, number>();
    let hasUnmanaged = false;
    for (const pod of matching) {
      const reference = getControllerOf(pod);
      if (!reference) hasUnmanaged = true;
      if (!reference || byController.has(reference.uid)) continue;
      const found = await this.#scales.find(reference, pod.metadata.namespace ?? '');
      if (!found) throw new SyncError(`found no controllers for pod "${pod.metadata.name}"`);
      byController.set(reference.uid, found.uid);
      scales.set(found.uid, found.scale);
    }
    return { expectedPods: [...scales.values()].reduce((sum, scale) => sum + scale, 0), hasUnmanaged };
  }

  /** disruption.go syncStalePodDisruption */
  async #syncStalePodDisruption(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    const { wallTime } = this.#actor.simulation;
    const delayMs = pod && staleDisruptionDelay(pod, wallTime);
    if (!pod || delayMs === undefined) return;
    if (delayMs > 0) this.#staleQueue.addAfter(key, delayMs, 'background');
    else await this.#podClient.updateStatus(withoutDisruptionTarget(pod, wallTime));
  }
}

function unmanagedMessage({ spec }: PodDisruptionBudget): string {
  const selector = formatSelector(spec?.selector ?? {});
  return `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
}

/** cmd/kube-controller-manager/app/policy.go startDisruptionController */
export function startDisruptionController(context: ControllerContext): void {
  new DisruptionController(context);
}
