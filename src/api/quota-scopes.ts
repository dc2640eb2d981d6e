import type { Container, PersistentVolumeClaim, Pod, ResourceQuota, ScopedResourceSelectorRequirement } from './kinds/core-v1.ts';
import type { KubernetesObject } from './object.ts';

/** Whether an object falls under the scopes of a quota; a quota without scopes takes all. pkg/quota/v1/evaluator/core.podMatchesScopeFunc */
export function matchesQuotaScopes(quota: ResourceQuota, kind: string, object: KubernetesObject): boolean {
  const requirements = scopesOf(quota);
  if (requirements.length === 0) return true;
  if (kind === 'Pod') return requirements.every((requirement) => podMatches(object as Pod, requirement));
  if (kind === 'PersistentVolumeClaim')
    return requirements.every((requirement) => claimMatches(object as PersistentVolumeClaim, requirement));
  return false;
}

function scopesOf({ spec }: ResourceQuota): ScopedResourceSelectorRequirement[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...plain, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}

function podMatches(pod: Pod, requirement: ScopedResourceSelectorRequirement): boolean {
  const { spec } = pod;
  switch (requirement.scopeName) {
    case 'Terminating':
      return (spec?.activeDeadlineSeconds ?? -1) >= 0;
    case 'NotTerminating':
      return (spec?.activeDeadlineSeconds ?? -1) < 0;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return matchesValue(spec?.priorityClassName ?? '', requirement);
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(pod);
    default:
      return false;
  }
}

function claimMatches({ spec, status }: PersistentVolumeClaim, requirement: ScopedResourceSelectorRequirement): boolean {
  if (requirement.scopeName !== 'VolumeAttributesClass') return false;
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  const held = names.filter((name): name is string => Boolean(name));
  return held.length > 0 ? held.some((name) => matchesValue(name, requirement)) : matchesValue('', requirement);
}

function matchesValue(value: string, { operator, values = [] }: ScopedResourceSelectorRequirement): boolean {
  switch (operator) {
    case 'In':
      return value !== '' && values.includes(value);
    case 'NotIn':
      return !values.includes(value);
    case 'DoesNotExist':
      return value === '';
    default:
      return value !== '';
  }
}

/** No container asks for cpu or memory. pkg/apis/core/v1/helper/qos */
function isBestEffort({ spec }: Pod): boolean {
  const asks = ({ resources }: Pick<Container, 'resources'>): boolean =>
    [resources?.requests, resources?.limits].some((list) =>
      Object.entries(list ?? {}).some(([name, amount]) => (name === 'cpu' || name === 'memory') && amount !== '0'),
    );
  return (
    !asks({ ...(spec?.resources ? { resources: spec.resources } : {}) }) &&
    ![...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(asks)
  );
}

function usesOtherNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
  return terms.some(({ namespaces, namespaceSelector }) => Boolean(namespaces?.length) || namespaceSelector !== undefined);
}
