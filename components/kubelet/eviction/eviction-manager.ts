import type { ContainerRuntimeInterface, ContainerStats } from '../../../src/api/cri.ts';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { newQuantity, parseQuantity } from '../../../src/api/quantity.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import { EVICTION_MEMORY_AVAILABLE_BYTES, EVICTION_MONITORING_MS, EVICTION_PRESSURE_TRANSITION_MS } from '../constants.ts';
import type { PodStatusOverride } from '../kubelet-pods.ts';
import type { Refusal } from '../lifecycle/admission.ts';
import { isCriticalPod } from '../pod-priority.ts';
import { disruptionTargetCondition } from '../status/generate.ts';
import { rankMemoryPressure } from './rank.ts';

interface EvictionParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  readonly recorder: EventRecorder;
  readonly node: () => Node | undefined;
  readonly activePods: () => Iterable<Pod>;
  /** Ends a pod: grace period in seconds, and what its status shall say. */
  readonly killPodNow: (pod: Pod, options: { readonly gracePeriodOverride: number; readonly status: PodStatusOverride }) => void;
  /** A condition of the node has changed: report it now. */
  readonly onPressureChange: () => void;
  readonly nodeEvent: (reason: string, message: string) => void;
}

/** Grace period of a hard eviction: pkg/kubelet/eviction immediateEvictionGracePeriodSeconds */
const HARD_GRACE_SECONDS = 1;
const PRESSURE = 'MemoryPressure';

const display = (bytes: number): string => newQuantity(bytes, 'BinarySI').toString();

/** pkg/kubelet/eviction managerImpl, for memory: when a node runs short, one pod after another is evicted. */
export class EvictionManager {
  readonly #parts: EvictionParts;
  #lastObserved = Number.NEGATIVE_INFINITY;
  readonly pressure = new Set<string>();

  constructor(parts: EvictionParts) {
    this.#parts = parts;
  }

  /** Goes on for ever. */
  async run(): Promise<void> {
    for (;;) {
      await this.#parts.actor.sleep(EVICTION_MONITORING_MS, 'background');
      await this.#synchronize();
    }
  }

  /** pkg/kubelet/eviction Admit */
  admit(pod: Pod): Refusal | undefined {
    if (this.pressure.size === 0 || isCriticalPod(pod)) return undefined;
    const tolerated = pod.spec?.tolerations?.some(
      ({ key, effect, operator }) =>
        (key === 'node.kubernetes.io/memory-pressure' || (!key && operator === 'Exists')) && (!effect || effect === 'NoSchedule'),
    );
    if (pod.status?.qosClass !== 'BestEffort' || tolerated) return undefined;
    return { reason: 'Evicted', message: `The node had condition: [${[...this.pressure].join(', ')}]. ` };
  }

  /** pkg/kubelet/eviction synchronize */
  async #synchronize(): Promise<void> {
    const stats = await this.#stats();
    const capacity = parseQuantity(this.#parts.node()?.status?.capacity?.['memory'] ?? '0').value();
    if (!stats || capacity === 0) return;
    const available = capacity - stats.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
    const met = available < EVICTION_MEMORY_AVAILABLE_BYTES;
    this.#notePressure(met);
    if (!met) return;
    this.#parts.nodeEvent('EvictionThresholdMet', 'Attempting to reclaim memory');
    const candidates = [...this.#parts.activePods()].filter((pod) => !isCriticalPod(pod));
    const [victim] = rankMemoryPressure(candidates, stats);
    if (victim) this.#evict(victim, stats, available);
  }

  async #stats(): Promise<readonly ContainerStats[] | undefined> {
    try {
      return await this.#parts.runtime.listContainerStats();
    } catch (error) {
      if (!(error instanceof ActorUnavailable)) throw error;
      return undefined;
    }
  }

  /** The condition stays for some minutes after it was last observed. */
  #notePressure(met: boolean): void {
    const { now } = this.#parts.actor.simulation;
    if (met) this.#lastObserved = now;
    const present = now - this.#lastObserved < EVICTION_PRESSURE_TRANSITION_MS;
    if (present === this.pressure.has(PRESSURE)) return;
    if (present) this.pressure.add(PRESSURE);
    else this.pressure.delete(PRESSURE);
    this.#parts.onPressureChange();
  }

  /** pkg/kubelet/eviction evictPod */
  #evict(pod: Pod, stats: readonly ContainerStats[], available: number): void {
    let message = `The node was low on resource: memory. Threshold quantity: ${display(EVICTION_MEMORY_AVAILABLE_BYTES)}, available: ${display(available)}. `;
    for (const { podUid, container, memoryBytes } of stats) {
      if (podUid !== pod.metadata.uid) continue;
      const spec = pod.spec?.containers.find(({ name }) => name === container);
      const request = parseQuantity(spec?.resources?.requests?.['memory'] ?? '0').value();
      if (memoryBytes > request)
        message += `Container ${container} was using ${display(memoryBytes)}, request is ${display(request)}, has larger consumption of memory. `;
    }
    this.#parts.recorder.event(pod, 'Warning', 'Evicted', message);
    const status = { reason: 'Evicted', message, disruption: disruptionTargetCondition(pod, message) };
    this.#parts.killPodNow(pod, { gracePeriodOverride: HARD_GRACE_SECONDS, status });
  }
}
