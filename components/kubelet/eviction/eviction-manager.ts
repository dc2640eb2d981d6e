import type { ContainerRuntimeInterface, NodeStats } from '../../../src/api/cri.ts';
import type { Node, Pod, PodCondition } from '../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { parseDuration } from '../../../src/api/time.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import type { KubeletConfiguration } from '../apis/config/kubelet-configuration.ts';
import { EVICTION_MONITORING_MS, EVICTION_PRESSURE_TRANSITION_MS } from '../constants.ts';
import type { Refusal } from '../lifecycle/admission.ts';
import { isCriticalPod } from '../pod-priority.ts';
import type { KillPodOptions } from '../pod-workers.ts';
import { disruptionTargetCondition } from '../status/generate.ts';
import { evictionMessage } from './eviction-message.ts';
import { exceededLocalStorage, hasLocalStorageLimit } from './local-storage.ts';
import { type UsageOfPods, usageOfPods } from './pod-usage.ts';
import { rankPods } from './rank.ts';
import {
  conditionOf,
  type Observations,
  parseThresholdConfig,
  resourceOf,
  type Signal,
  type Threshold,
  thresholdsMet,
} from './thresholds.ts';

interface EvictionParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  readonly recorder: EventRecorder;
  readonly config: KubeletConfiguration;
  readonly node: () => Node | undefined;
  /** Those that are not on their way out, and that `matches` takes. */
  readonly activePods: (matches: (pod: Pod) => boolean) => readonly Pod[];
  /** Ends a pod. Resolves when it has ended, or when that takes too long. */
  readonly killPodNow: (pod: Pod, options: KillPodOptions) => Promise<void>;
  /** Nothing of the pod is left on the node: pkg/kubelet PodResourcesAreReclaimed. */
  readonly isCleanedUp: (pod: Pod) => boolean;
  /** A condition of the node has changed: report it now. */
  readonly onPressureChange: () => void;
  readonly nodeEvent: (reason: string, message: string) => void;
  /** Removes dead containers and images that nobody uses: pkg/kubelet/eviction nodeReclaimFunc for disks. */
  readonly reclaimDisk: () => Promise<void>;
}

interface Observed {
  readonly observations: Observations;
  /** Asked for when somebody wants to know: most rounds nobody does. */
  readonly usage: () => Promise<UsageOfPods>;
}

/** Grace period of a hard eviction: pkg/kubelet/eviction immediateEvictionGracePeriodSeconds */
const HARD_GRACE_SECONDS = 1;
/** pkg/kubelet/eviction podCleanupTimeout, podCleanupPollFreq */
const CLEANUP_TIMEOUT_MS = 30_000;
const CLEANUP_POLL_MS = 1_000;
const NOBODY: readonly Pod[] = [];
/** Order of the conditions in messages: pkg/kubelet/eviction nodeConditions, sorted by threshold. */
const CONDITIONS = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** pkg/kubelet/eviction managerImpl: when a node runs short of memory, disk or process ids, one pod after another is evicted. */
export class EvictionManager {
  readonly #parts: EvictionParts;
  readonly #thresholds: readonly Threshold[];
  readonly #transitionMs: number;
  readonly #lastObserved = new Map<string, number>();
  readonly #firstObserved = new Map<Threshold, number>();
  /** As of the last round: pkg/kubelet/eviction thresholdsMet */
  #met: readonly Threshold[] = [];
  readonly pressure = new Set<string>();

  constructor(parts: EvictionParts) {
    this.#parts = parts;
    this.#thresholds = parseThresholdConfig(parts.config);
    this.#transitionMs = parseDuration(parts.config.evictionPressureTransitionPeriod ?? '') ?? EVICTION_PRESSURE_TRANSITION_MS;
  }

  /** Goes on for ever. */
  async run(): Promise<void> {
    const { actor } = this.#parts;
    await actor.sleep(EVICTION_MONITORING_MS, 'background');
    for (;;) {
      const evicted = await this.#synchronize();
      if (evicted.length > 0) await this.#waitForPodsCleanup(evicted);
      else await actor.sleep(EVICTION_MONITORING_MS, 'background');
    }
  }

  /** pkg/kubelet/eviction Admit */
  admit(pod: Pod): Refusal | undefined {
    if (this.pressure.size === 0 || isCriticalPod(pod)) return undefined;
    if (this.pressure.size === 1 && this.pressure.has('MemoryPressure') && toleratesMemoryPressure(pod)) return undefined;
    const present = CONDITIONS.filter((condition) => this.pressure.has(condition));
    return { reason: 'Evicted', message: `The node had condition: [${present.join(' ')}]. ` };
  }

  /** pkg/kubelet/eviction waitForPodsCleanup: the next round comes when what was evicted is gone. */
  async #waitForPodsCleanup(evicted: readonly Pod[]): Promise<void> {
    const { actor, isCleanedUp } = this.#parts;
    const end = actor.simulation.now + CLEANUP_TIMEOUT_MS;
    do await actor.sleep(CLEANUP_POLL_MS, 'background');
    while (!evicted.every(isCleanedUp) && actor.simulation.now < end);
  }

  /** pkg/kubelet/eviction synchronize. Resolves with what was evicted. */
  async #synchronize(): Promise<readonly Pod[]> {
    const observed = await this.#observe();
    if (!observed) return NOBODY;
    const met = this.#stillMet(observed.observations);
    this.#notePressure(met);
    const due = this.#pastGracePeriod(met);
    const stored = await this.#evictForLocalStorage(observed.usage);
    if (stored.length > 0) return stored;
    const [threshold] = due;
    if (!threshold) return NOBODY;
    const resource = resourceOf(threshold.signal);
    this.#parts.nodeEvent('EvictionThresholdMet', `Attempting to reclaim ${resource}`);
    if (resource === 'ephemeral-storage' && (await this.#reclaimed(due))) return NOBODY;
    const candidates = this.#parts.activePods((pod) => !isCriticalPod(pod));
    const [victim] = rankPods(candidates, resource, await observed.usage());
    if (!victim) return NOBODY;
    await this.#evict(victim, threshold, observed);
    return [victim];
  }

  /** pkg/kubelet/eviction makeSignalObservations */
  async #observe(): Promise<Observed | undefined> {
    const { runtime, node } = this.#parts;
    const memory = parseQuantity(node()?.status?.capacity?.['memory'] ?? '0').value();
    if (memory === 0) return undefined;
    let machine: NodeStats;
    try {
      machine = await runtime.nodeStats();
    } catch (error) {
      if (!(error instanceof ActorUnavailable)) throw error;
      return undefined;
    }
    const disk = { available: machine.diskAvailableBytes, capacity: machine.diskCapacityBytes };
    const observations: Observations = new Map<Signal, { available: number; capacity: number }>([
      ['memory.available', { available: memory - machine.memoryBytes, capacity: memory }],
      ['nodefs.available', disk],
      ['imagefs.available', disk],
      ['pid.available', { available: machine.maxPids - machine.pids, capacity: machine.maxPids }],
    ]);
    let usage: Promise<UsageOfPods> | undefined;
    const ask = async (): Promise<UsageOfPods> => usageOfPods(await runtime.listContainerStats(), runtime.files);
    return { observations, usage: () => (usage ??= ask()) };
  }

  /** Those that are met, and those that were and have not got enough back. */
  #stillMet(observations: Observations): readonly Threshold[] {
    const now = new Set([...thresholdsMet(this.#thresholds, observations), ...thresholdsMet(this.#met, observations, true)]);
    this.#met = this.#thresholds.filter((threshold) => now.has(threshold));
    return this.#met;
  }

  /** A condition stays for some minutes after it was last observed. */
  #notePressure(met: readonly Threshold[]): void {
    const { now } = this.#parts.actor.simulation;
    for (const { signal } of met) this.#lastObserved.set(conditionOf(signal), now);
    let changed = false;
    for (const [condition, last] of this.#lastObserved) {
      const present = now - last < this.#transitionMs;
      if (present === this.pressure.has(condition)) continue;
      changed = true;
      if (present) this.pressure.add(condition);
      else this.pressure.delete(condition);
    }
    if (changed) this.#parts.onPressureChange();
  }

  /** pkg/kubelet/eviction thresholdsMetGracePeriod */
  #pastGracePeriod(met: readonly Threshold[]): Threshold[] {
    const { now } = this.#parts.actor.simulation;
    for (const threshold of this.#firstObserved.keys()) if (!met.includes(threshold)) this.#firstObserved.delete(threshold);
    for (const threshold of met) if (!this.#firstObserved.has(threshold)) this.#firstObserved.set(threshold, now);
    return met.filter((threshold) => now - (this.#firstObserved.get(threshold) ?? now) >= threshold.gracePeriodMs);
  }

  /** pkg/kubelet/eviction localStorageEviction: all pods that store more than they may. */
  async #evictForLocalStorage(usage: Observed['usage']): Promise<readonly Pod[]> {
    const evicted: Pod[] = [];
    for (const pod of this.#parts.activePods(hasLocalStorageLimit)) {
      if (isCriticalPod(pod)) continue;
      const message = exceededLocalStorage(pod, (await usage()).get(pod.metadata.uid ?? ''), this.#parts.runtime.files);
      if (message === undefined) continue;
      await this.#evictPod(pod, HARD_GRACE_SECONDS, { message });
      evicted.push(pod);
    }
    return evicted;
  }

  /** pkg/kubelet/eviction reclaimNodeLevelResources: whether that was enough. */
  async #reclaimed(due: readonly Threshold[]): Promise<boolean> {
    await this.#parts.reclaimDisk();
    const again = await this.#observe();
    return again !== undefined && thresholdsMet(due, again.observations, true).length === 0;
  }

  async #evict(pod: Pod, threshold: Threshold, { observations, usage }: Observed): Promise<void> {
    const observed = observations.get(threshold.signal);
    if (!observed) return;
    const message = evictionMessage(pod, threshold, { observed, usage: (await usage()).get(pod.metadata.uid ?? '') });
    const softGrace = Math.min(this.#parts.config.evictionMaxPodGracePeriod ?? 0, pod.spec?.terminationGracePeriodSeconds ?? 30);
    const disruption = disruptionTargetCondition(pod, message);
    await this.#evictPod(pod, threshold.hard ? HARD_GRACE_SECONDS : softGrace, { message, disruption });
  }

  /** pkg/kubelet/eviction evictPod */
  #evictPod(
    pod: Pod,
    gracePeriodOverride: number,
    status: { readonly message: string; readonly disruption?: PodCondition },
  ): Promise<void> {
    this.#parts.recorder.event(pod, 'Warning', 'Evicted', status.message);
    return this.#parts.killPodNow(pod, { gracePeriodOverride, status: { reason: 'Evicted', ...status } });
  }
}

function toleratesMemoryPressure(pod: Pod): boolean {
  if (pod.status?.qosClass !== 'BestEffort') return true;
  const tolerations = pod.spec?.tolerations ?? [];
  return tolerations.some(
    ({ key, effect, operator }) =>
      (key === 'node.kubernetes.io/memory-pressure' || (!key && operator === 'Exists')) && (!effect || effect === 'NoSchedule'),
  );
}
