import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from './kinds/core-v1.ts';

/** Whether the node has what nodeSelector and the required node affinity ask for: component-helpers scheduling/corev1/nodeaffinity RequiredNodeAffinity.Match */
export function matchesRequiredNodeAffinity({ nodeSelector, affinity }: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  if (Object.entries(nodeSelector ?? {}).some(([key, value]) => labels[key] !== value)) return false;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms === undefined || terms.some((term) => matchesTerm(term, node));
}

function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => matchesRequirement(requirement, node.metadata.labels?.[requirement.key])) &&
    matchFields.every((requirement) => matchesRequirement(requirement, node.metadata.name))
  );
}

function matchesRequirement({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isInteger(value) && Number(value) > Number(values[0]);
    default:
      return isInteger(value) && Number(value) < Number(values[0]);
  }
}

function isInteger(value: string | undefined): boolean {
  return value !== undefined && /^[+-]?\d+$/.test(value);
}
