import type { ContainerStats } from '../../../src/api/cri.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { newQuantity, parseQuantity } from '../../../src/api/quantity.ts';
import { diskOf, type PodUsage } from './pod-usage.ts';
import { display, type Observation, resourceOf, type Threshold, thresholdAmount } from './thresholds.ts';

/** pkg/kubelet/eviction evictionMessage: what ran short, and which containers of the pod use more of it than they asked for. */
export function evictionMessage(pod: Pod, threshold: Threshold, what: { observed: Observation; usage: PodUsage | undefined }): string {
  const { signal } = threshold;
  const resource = resourceOf(signal);
  const { available, capacity } = what.observed;
  const limit = display(signal, thresholdAmount(threshold, capacity));
  let message = `The node was low on resource: ${resource}. Threshold quantity: ${limit}, available: ${display(signal, available)}. `;
  if (resource === 'pids') return message;
  for (const stats of what.usage?.containers ?? []) {
    const spec = pod.spec?.containers.find(({ name }) => name === stats.container);
    const request = parseQuantity(spec?.resources?.requests?.[resource] ?? '0').value();
    const used = usedBy(stats, resource);
    if (used > request)
      message += `Container ${stats.container} was using ${bytes(used)}, request is ${bytes(request)}, has larger consumption of ${resource}. `;
  }
  return message;
}

const usedBy = (stats: ContainerStats, resource: string): number => (resource === 'memory' ? stats.memoryBytes : diskOf(stats));
const bytes = (amount: number): string => newQuantity(amount, 'BinarySI').toString();
