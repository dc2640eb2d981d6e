import type { MatchResources, NamedRuleWithOperations } from '../../../../src/api/kinds/admissionregistration-v1.ts';
import { labelSelectorAsSelector } from '../../../../src/api/label-selector.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import type { AdmissionAttributes } from '../chain.ts';
import { versionInRules, versionToAsk } from '../webhook/matching.ts';
import type { Hook } from '../webhook/webhook-configurations.ts';

const EVERYTHING: readonly NamedRuleWithOperations[] = [
  { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' },
];

/** Only what `versionToAsk` looks at. */
type Matcher = Pick<Hook, 'namespaceSelector' | 'objectSelector'> & {
  readonly webhook: { readonly rules: NamedRuleWithOperations[]; readonly matchPolicy: string };
};

const parsed = new WeakMap<MatchResources, Pick<Hook, 'namespaceSelector' | 'objectSelector'>>();

function selectorsOf(match: MatchResources): Pick<Hook, 'namespaceSelector' | 'objectSelector'> {
  let selectors = parsed.get(match);
  if (!selectors) {
    selectors = {
      namespaceSelector: labelSelectorAsSelector(match.namespaceSelector ?? {}),
      objectSelector: labelSelectorAsSelector(match.objectSelector ?? {}),
    };
    parsed.set(match, selectors);
  }
  return selectors;
}

/** The version in which a policy is to see a request; undefined when it is not about it. apiserver pkg/admission/plugin/policy/matching.Matcher.Matches */
export function versionToCheck(match: MatchResources | undefined, attributes: AdmissionAttributes): Resource | undefined {
  if (!match) return attributes.context.resource;
  const named = ({ resourceNames }: NamedRuleWithOperations): boolean => !resourceNames?.length || resourceNames.includes(attributes.name);
  const equivalents = match.matchPolicy !== 'Exact';
  const excluded = (match.excludeResourceRules ?? []).filter(named);
  if (excluded.length > 0 && versionInRules(excluded, attributes, equivalents)) return undefined;
  const rules = match.resourceRules?.length ? match.resourceRules.filter(named) : EVERYTHING;
  const matcher: Matcher = {
    webhook: { rules: [...rules], matchPolicy: match.matchPolicy ?? 'Equivalent' },
    ...selectorsOf(match),
  };
  return versionToAsk(matcher as unknown as Hook, attributes);
}
