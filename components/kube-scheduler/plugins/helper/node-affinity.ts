import type { Node, NodeSelectorRequirement, NodeSelectorTerm, Pod } from '../../../../src/api/kinds/core-v1.ts';

type Matcher = (labels: Readonly<Record<string, string>>) => boolean;

const NO_LABELS: Readonly<Record<string, string>> = {};
const INTEGER = /^[+-]?\d+$/;

function matcherOf({ key, operator, values = [] }: NodeSelectorRequirement): Matcher {
  const accepted = new Set(values);
  switch (operator) {
    case 'In':
      return (labels) => labels[key] !== undefined && accepted.has(labels[key]);
    case 'NotIn':
      return (labels) => labels[key] === undefined || !accepted.has(labels[key]);
    case 'Exists':
      return (labels) => labels[key] !== undefined;
    case 'DoesNotExist':
      return (labels) => labels[key] === undefined;
    case 'Gt':
    case 'Lt':
      return (labels) => compares(labels[key], operator, values[0]);
    default:
      return () => false;
  }
}

function compares(actual: string | undefined, operator: 'Gt' | 'Lt', bound: string | undefined): boolean {
  if (actual === undefined || bound === undefined || !INTEGER.test(actual) || !INTEGER.test(bound)) return false;
  return operator === 'Gt' ? BigInt(actual) > BigInt(bound) : BigInt(actual) < BigInt(bound);
}

/** One term of a node selector; an empty one matches nothing (component-helpers nodeaffinity nodeSelectorTerm). */
function nodeSelectorTermMatcher(term: NodeSelectorTerm): (node: Node) => boolean {
  const expressions = (term.matchExpressions ?? []).map(matcherOf);
  const fields = (term.matchFields ?? []).map(matcherOf);
  if (expressions.length + fields.length === 0) return () => false;
  return (node) => {
    const labels = node.metadata.labels ?? NO_LABELS;
    for (const matches of expressions) if (!matches(labels)) return false;
    if (fields.length === 0) return true;
    const values = { 'metadata.name': node.metadata.name ?? '' };
    return fields.every((matches) => matches(values));
  };
}

/** Terms of a node selector, of which one must match (nodeaffinity.NodeSelector). */
export function nodeSelectorMatcher(terms: readonly NodeSelectorTerm[]): (node: Node) => boolean {
  const matchers = terms.map(nodeSelectorTermMatcher);
  return (node) => matchers.some((matches) => matches(node));
}

/** What a pod demands of its node by `nodeSelector` and required affinity; absent when nothing (nodeaffinity.GetRequiredNodeAffinity). */
export function requiredNodeAffinity(pod: Pod): ((node: Node) => boolean) | undefined {
  const selector = Object.entries(pod.spec?.nodeSelector ?? NO_LABELS);
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (selector.length === 0 && !required) return undefined;
  const terms = required && nodeSelectorMatcher(required.nodeSelectorTerms);
  return (node) => {
    const labels = node.metadata.labels ?? NO_LABELS;
    for (const [key, value] of selector) if (labels[key] !== value) return false;
    return !terms || terms(node);
  };
}

/** Adds up the weights of preferred terms that match (nodeaffinity.PreferredSchedulingTerms). */
export function preferredNodeAffinity(
  terms: readonly { readonly weight: number; readonly preference: NodeSelectorTerm }[] | undefined,
): ((node: Node) => number) | undefined {
  if (!terms?.length) return undefined;
  const matchers = terms.map(({ weight, preference }) => ({ weight, matches: nodeSelectorTermMatcher(preference) }));
  return (node) => {
    let sum = 0;
    for (const { weight, matches } of matchers) if (matches(node)) sum += weight;
    return sum;
  };
}
