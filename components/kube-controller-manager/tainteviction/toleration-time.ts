import type { Taint, Toleration } from '../../../src/api/kinds/core-v1.ts';
import { toleratesTaint } from '../../../src/api/taints.ts';

/** The tolerations that cover the taints; undefined when one taint is not tolerated. component-helpers scheduling/corev1 GetMatchingTolerations */
export function getMatchingTolerations(taints: readonly Taint[], tolerations: readonly Toleration[] = []): Toleration[] | undefined {
  const used: Toleration[] = [];
  for (const taint of taints) {
    const match = tolerations.find((toleration) => toleratesTaint(toleration, taint));
    if (!match) return undefined;
    used.push(match);
  }
  return used;
}

/** How many milliseconds the tolerations last; undefined for ever. pkg/controller/tainteviction getMinTolerationTime */
export function getMinTolerationTime(tolerations: readonly Toleration[]): number | undefined {
  if (tolerations.length === 0) return 0;
  const seconds = tolerations.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
  return seconds.length > 0 ? Math.max(0, Math.min(...seconds)) * 1_000 : undefined;
}
