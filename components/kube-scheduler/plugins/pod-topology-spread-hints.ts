import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import { hasAllKeys, type TopologySpreadConstraint } from './pod-topology-spread-constraint.ts';

type ConstraintsOf = (pod: Pod) => readonly TopologySpreadConstraint[];

/** What may help a pod that topology spread refused: PodTopologySpread.EventsToRegister and its hints. */
export function podTopologySpreadEvents(constraintsOf: ConstraintsOf): readonly ClusterEventWithHint[] {
  return [
    {
      event: {
        resource: 'Pod',
        actionType: ActionType.Add | ActionType.UpdatePodLabel | ActionType.UpdatePodToleration | ActionType.Delete,
      },
      hint: (pod, before, after) => isSchedulableAfterPodChange(constraintsOf(pod), pod, { before: before as Pod, after: after as Pod }),
    },
    {
      event: {
        resource: 'Node',
        actionType: ActionType.Add | ActionType.Delete | ActionType.UpdateNodeLabel | ActionType.UpdateNodeTaint,
      },
      hint: (pod, before, after) => isSchedulableAfterNodeChange(constraintsOf(pod), { before: before as Node, after: after as Node }),
    },
  ];
}

interface Change<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

function isSchedulableAfterPodChange(constraints: readonly TopologySpreadConstraint[], pod: Pod, { before, after }: Change<Pod>): boolean {
  const changed = after ?? before;
  if (!changed) return false;
  if (
    before &&
    after &&
    after.metadata.uid === pod.metadata.uid &&
    !deepEqual(before.spec?.tolerations ?? [], after.spec?.tolerations ?? [])
  ) {
    return constraints.some((constraint) => constraint.honorsTaints);
  }
  if (changed.metadata.namespace !== pod.metadata.namespace) return false;
  const matches = ({ selector }: TopologySpreadConstraint, one: Pod | undefined): boolean =>
    one !== undefined && selector.matches(one.metadata.labels);
  if (before && after) return constraints.some((constraint) => matches(constraint, before) !== matches(constraint, after));
  return constraints.some((constraint) => matches(constraint, changed));
}

function isSchedulableAfterNodeChange(constraints: readonly TopologySpreadConstraint[], { before, after }: Change<Node>): boolean {
  const had = before !== undefined && hasAllKeys(before, constraints);
  const has = after !== undefined && hasAllKeys(after, constraints);
  if (!before || !after) return had || has;
  if (had !== has) return true;
  if (!has) return false;
  const value = (node: Node, key: string): string | undefined => node.metadata.labels?.[key];
  if (constraints.some(({ topologyKey }) => value(before, topologyKey) !== value(after, topologyKey))) return true;
  return !deepEqual(before.spec?.taints ?? [], after.spec?.taints ?? []);
}
