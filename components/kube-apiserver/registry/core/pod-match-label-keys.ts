import type { Pod, PodAffinityTerm, TopologySpreadConstraint } from '../../../../src/api/kinds/core-v1.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../../../../src/api/kinds/meta-v1.ts';

/** kubernetes pkg/registry/core/pod applyMatchLabelKeysAndMismatchLabelKeys and applyMatchLabelKeysInTopologySpread: keys become expressions on the pod's own labels. */
export function mergeMatchLabelKeys(pod: Pod): Pod {
  const { spec } = pod;
  if (!spec || (!spec.affinity && !spec.topologySpreadConstraints)) return pod;
  const labels = pod.metadata.labels ?? {};
  const term = (one: PodAffinityTerm): PodAffinityTerm =>
    withKeys(one, [...requirements(one.matchLabelKeys, labels, 'In'), ...requirements(one.mismatchLabelKeys, labels, 'NotIn')]);
  const part = <
    T extends {
      requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
      preferredDuringSchedulingIgnoredDuringExecution?: { podAffinityTerm: PodAffinityTerm; weight: number }[];
    },
  >(
    affinity: T,
  ): T => ({
    ...affinity,
    ...(affinity.requiredDuringSchedulingIgnoredDuringExecution
      ? { requiredDuringSchedulingIgnoredDuringExecution: affinity.requiredDuringSchedulingIgnoredDuringExecution.map(term) }
      : {}),
    ...(affinity.preferredDuringSchedulingIgnoredDuringExecution
      ? {
          preferredDuringSchedulingIgnoredDuringExecution: affinity.preferredDuringSchedulingIgnoredDuringExecution.map((weighted) => ({
            ...weighted,
            podAffinityTerm: term(weighted.podAffinityTerm),
          })),
        }
      : {}),
  });
  const affinity = spec.affinity && {
    ...spec.affinity,
    ...(spec.affinity.podAffinity ? { podAffinity: part(spec.affinity.podAffinity) } : {}),
    ...(spec.affinity.podAntiAffinity ? { podAntiAffinity: part(spec.affinity.podAntiAffinity) } : {}),
  };
  const constraints = spec.topologySpreadConstraints?.map((constraint: TopologySpreadConstraint) =>
    withKeys(constraint, requirements(constraint.matchLabelKeys, labels, 'In')),
  );
  return {
    ...pod,
    spec: { ...spec, ...(affinity ? { affinity } : {}), ...(constraints ? { topologySpreadConstraints: constraints } : {}) },
  };
}

function requirements(
  keys: readonly string[] | undefined,
  labels: Readonly<Record<string, string>>,
  operator: 'In' | 'NotIn',
): LabelSelectorRequirement[] {
  return (keys ?? []).flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}

function withKeys<T extends { labelSelector?: LabelSelector }>(term: T, more: readonly LabelSelectorRequirement[]): T {
  if (more.length === 0 || !term.labelSelector) return term;
  return { ...term, labelSelector: { ...term.labelSelector, matchExpressions: [...(term.labelSelector.matchExpressions ?? []), ...more] } };
}
