import { newQuantity, parseQuantity } from '../../../src/api/quantity.ts';
import { parseDuration } from '../../../src/api/time.ts';
import type { KubeletConfiguration } from '../apis/config/kubelet-configuration.ts';

/** pkg/kubelet/eviction/api Signal, as far as it is observed. */
export type Signal = 'memory.available' | 'nodefs.available' | 'imagefs.available' | 'pid.available';

/** pkg/kubelet/eviction/api Threshold: it is met when less than `value` is available. */
export interface Threshold {
  readonly signal: Signal;
  /** A quantity, or a percentage of the capacity. */
  readonly value: string;
  /** For so long it must be met; 0 with hard thresholds. */
  readonly gracePeriodMs: number;
  readonly hard: boolean;
  /** Once it was met, so much more than `value` has to be available until it is not. */
  readonly minReclaim?: string;
}

/** What of a resource there is: pkg/kubelet/eviction signalObservation. */
export interface Observation {
  readonly available: number;
  readonly capacity: number;
}

export type Observations = ReadonlyMap<Signal, Observation>;

/** pkg/kubelet/eviction signalToNodeCondition, signalToResource */
const SIGNALS: Readonly<Record<Signal, { readonly condition: string; readonly resource: string }>> = {
  'memory.available': { condition: 'MemoryPressure', resource: 'memory' },
  'nodefs.available': { condition: 'DiskPressure', resource: 'ephemeral-storage' },
  'imagefs.available': { condition: 'DiskPressure', resource: 'ephemeral-storage' },
  'pid.available': { condition: 'PIDPressure', resource: 'pids' },
};

/** pkg/kubelet/apis/config/v1beta1 DefaultEvictionHard */
const DEFAULT_EVICTION_HARD: Readonly<Record<string, string>> = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'imagefs.available': '15%',
};

export const conditionOf = (signal: Signal): string => SIGNALS[signal].condition;
export const resourceOf = (signal: Signal): string => SIGNALS[signal].resource;

/** pkg/kubelet/eviction ParseThresholdConfig, memory first: that is the order in which they are seen to. */
export function parseThresholdConfig(config: KubeletConfiguration): Threshold[] {
  const { evictionHard = DEFAULT_EVICTION_HARD, evictionSoft = {}, evictionSoftGracePeriod = {}, evictionMinimumReclaim = {} } = config;
  const read = (values: Readonly<Record<string, string>>, hard: boolean): Threshold[] =>
    (Object.keys(SIGNALS) as Signal[]).flatMap((signal) => {
      const value = values[signal];
      if (value === undefined || value === '0%') return [];
      const gracePeriodMs = hard ? 0 : (parseDuration(evictionSoftGracePeriod[signal] ?? '0s') ?? 0);
      const minReclaim = evictionMinimumReclaim[signal];
      return [{ signal, value, gracePeriodMs, hard, ...(minReclaim ? { minReclaim } : {}) }];
    });
  return [...read(evictionHard, true), ...read(evictionSoft, false)].sort((a, b) => order(a.signal) - order(b.signal));
}

const order = (signal: Signal): number => (signal === 'memory.available' ? 0 : 1);

/** pkg/kubelet/eviction/api GetThresholdQuantity */
export function thresholdAmount({ value }: Pick<Threshold, 'value'>, capacity: number): number {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(value)?.[1];
  return percent === undefined ? parseQuantity(value).value() : Math.floor((capacity * Number(percent)) / 100);
}

/**
 * pkg/kubelet/eviction thresholdsMet
 * @param enforceMinReclaim they have been met before: what has to be reclaimed counts, too
 */
export function thresholdsMet(thresholds: readonly Threshold[], observations: Observations, enforceMinReclaim = false): Threshold[] {
  return thresholds.filter((threshold) => {
    const observed = observations.get(threshold.signal);
    if (!observed) return false;
    const { minReclaim } = threshold;
    const more = enforceMinReclaim && minReclaim ? thresholdAmount({ value: minReclaim }, observed.capacity) : 0;
    return observed.available < thresholdAmount(threshold, observed.capacity) + more;
  });
}

/** As messages have amounts: `100Mi`, a number for process ids. */
export function display(signal: Signal, amount: number): string {
  return newQuantity(amount, signal === 'pid.available' ? 'DecimalSI' : 'BinarySI').toString();
}
