import type { Taint, Toleration } from './kinds/core-v1.ts';

/** apimachinery core/v1 Toleration.ToleratesTaint */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  if (toleration.operator && toleration.operator !== 'Equal') return false;
  return (toleration.value ?? '') === (taint.value ?? '') && toleration.key !== undefined && toleration.key !== '';
}

/** component-helpers scheduling/corev1 TolerationsTolerateTaint */
export function tolerationsTolerateTaint(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint));
}

/** The first taint for which `include` holds and that nothing tolerates (corev1.FindMatchingUntoleratedTaint). */
export function findMatchingUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  include: (taint: Taint) => boolean,
): Taint | undefined {
  return (taints ?? []).find((taint) => include(taint) && !tolerationsTolerateTaint(tolerations, taint));
}

/** What makes two taints the same one: key and effect (Taint.MatchTaint). */
export function matchTaint(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** `key=value:Effect`, as events and messages print a taint (Taint.ToString). */
export function formatTaint({ key, value, effect }: Taint): string {
  if (!effect) return value ? `${key}=${value}:` : key;
  return value ? `${key}=${value}:${effect}` : `${key}:${effect}`;
}
