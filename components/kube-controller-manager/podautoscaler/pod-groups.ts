import { getCondition } from '../../../src/api/conditions.ts';
import type { Container, Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { parseTime } from '../../../src/api/time.ts';
import { SyncError } from '../controller/sync-error.ts';
import type { PodMetric, PodMetrics } from './metrics-client.ts';

/** What is known of usage, and by which rules a pod's cpu says something of its load. */
interface Judgement {
  readonly metrics: PodMetrics;
  readonly resource: string;
  readonly wallTime: number;
  readonly cpuInitializationPeriodMs: number;
  readonly delayOfInitialReadinessMs: number;
}

export interface PodGroups {
  readonly readyPodCount: number;
  readonly unready: ReadonlySet<string>;
  /** No metric is known of these. */
  readonly missing: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

/** pkg/controller/podautoscaler/replica_calculator.go groupPods */
export function groupPods(pods: readonly Pod[], judgement: Judgement): PodGroups {
  const { metrics, resource } = judgement;
  const groups = { readyPodCount: 0, unready: new Set<string>(), missing: new Set<string>(), ignored: new Set<string>() };
  for (const pod of pods) {
    const name = pod.metadata.name ?? '';
    const metric = metrics.get(name);
    if (pod.metadata.deletionTimestamp || pod.status?.phase === 'Failed') groups.ignored.add(name);
    else if (pod.status?.phase === 'Pending') groups.unready.add(name);
    else if (!metric) groups.missing.add(name);
    else if (resource === 'cpu' && saysLittle(pod, metric, judgement)) groups.unready.add(name);
    else groups.readyPodCount++;
  }
  return groups;
}

/** Whether the cpu that a pod uses has to do with its start rather than with its load. */
function saysLittle({ status }: Pod, metric: PodMetric, rules: Judgement): boolean {
  const { wallTime, cpuInitializationPeriodMs, delayOfInitialReadinessMs } = rules;
  const condition = getCondition(status?.conditions, 'Ready');
  const startTime = parseTime(status?.startTime);
  if (!condition || startTime === undefined) return true;
  const isUnready = condition.status === 'False';
  const changed = parseTime(condition.lastTransitionTime) ?? 0;
  if (startTime + cpuInitializationPeriodMs > wallTime) return isUnready || metric.timestamp < changed + metric.windowMs;
  return isUnready && startTime + delayOfInitialReadinessMs > changed;
}

/** What each pod asks for, in thousandths. replica_calculator.go calculateRequests */
export function calculateRequests(pods: readonly Pod[], container: string, resource: string): Map<string, number> {
  return new Map(pods.map((pod) => [pod.metadata.name ?? '', requestOf(pod, container, resource)]));
}

function requestOf(pod: Pod, container: string, resource: string): number {
  const { spec, metadata } = pod;
  const ofPod = spec?.resources?.requests?.[resource];
  if (!container && ofPod !== undefined) return parseQuantity(ofPod).milliValue();
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const running: Container[] = [...(spec?.containers ?? []), ...sidecars];
  const counted = container ? running.filter(({ name }) => name === container) : running;
  if (container && counted.length === 0) throw new SyncError(`container ${container} not found in Pod ${metadata.name}`);
  let total = 0;
  for (const { name, resources } of counted) {
    const amount = resources?.requests?.[resource];
    if (amount === undefined) throw new SyncError(`missing request for ${resource} in container ${name} of Pod ${metadata.name}`);
    total += parseQuantity(amount).milliValue();
  }
  return total;
}

/** replica_calculator.go getReadyPodsCount */
export function countReadyPods(pods: readonly Pod[]): number {
  return pods.filter(({ status }) => status?.phase === 'Running' && getCondition(status.conditions, 'Ready')?.status === 'True').length;
}
