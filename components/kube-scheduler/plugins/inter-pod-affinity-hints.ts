import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { AffinityTerm } from '../framework/affinity-term.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import { podInfoOf } from '../framework/pod-info.ts';

type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

/** What may help a pod that inter-pod affinity refused: InterPodAffinity.EventsToRegister and its hints. */
export function interPodAffinityEvents(labelsOf: NamespaceLabels): readonly ClusterEventWithHint[] {
  return [
    {
      event: { resource: 'AssignedPod', actionType: ActionType.Add | ActionType.Delete | ActionType.UpdatePodLabel },
      hint: (pod, before, after) =>
        isSchedulableAfterPodChange(labelsOf, pod, { before: before as Pod | undefined, after: after as Pod | undefined }),
    },
    { event: { resource: 'Node', actionType: ActionType.Add | ActionType.UpdateNodeLabel }, hint: isSchedulableAfterNodeChange },
  ];
}

function isSchedulableAfterPodChange(
  labelsOf: NamespaceLabels,
  pod: Pod,
  { before, after }: { readonly before: Pod | undefined; readonly after: Pod | undefined },
): boolean {
  const info = podInfoOf(pod);
  const matches = (terms: readonly AffinityTerm[], other: Pod | undefined): boolean =>
    other !== undefined && terms.length > 0 && terms.every((term) => term.matches(other, labelsOf));
  if (before && after) {
    if (!matches(info.requiredAffinityTerms, before) && matches(info.requiredAffinityTerms, after)) return true;
    return matches(info.requiredAntiAffinityTerms, before) && !matches(info.requiredAntiAffinityTerms, after);
  }
  if (after) return matches(info.requiredAffinityTerms, after);
  if (matches(info.requiredAntiAffinityTerms, before)) return true;
  // A pod that kept this one away by a rule of its own is gone.
  return before !== undefined && podInfoOf(before).requiredAntiAffinityTerms.some((term) => term.matches(pod, labelsOf));
}

function isSchedulableAfterNodeChange(pod: Pod, before: KubernetesObject | undefined, after: KubernetesObject | undefined): boolean {
  const info = podInfoOf(pod);
  const was = (before as Node | undefined)?.metadata.labels ?? {};
  const is = (after as Node | undefined)?.metadata.labels ?? {};
  for (const { topologyKey } of info.requiredAffinityTerms) {
    if (is[topologyKey] !== undefined && (!before || was[topologyKey] !== is[topologyKey])) return true;
  }
  if (!before) return info.requiredAntiAffinityTerms.length > 0;
  return info.requiredAntiAffinityTerms.some(({ topologyKey }) => was[topologyKey] !== undefined && was[topologyKey] !== is[topologyKey]);
}
