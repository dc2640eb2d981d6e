import type { Pod } from '../../src/api/kinds/core-v1.ts';

/** pkg/apis/scheduling SystemCriticalPriority */
export const SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

/** pkg/kubelet/types IsCriticalPod: static pods, mirror pods, and those of the system's priority classes. */
export function isCriticalPod(pod: Pod): boolean {
  const { annotations = {} } = pod.metadata;
  const source = annotations['kubernetes.io/config.source'];
  if ((source !== undefined && source !== 'api') || annotations['kubernetes.io/config.mirror'] !== undefined) return true;
  return (pod.spec?.priority ?? 0) >= SYSTEM_CRITICAL_PRIORITY;
}
