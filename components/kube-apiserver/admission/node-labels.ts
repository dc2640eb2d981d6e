const ALLOWED = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const ALLOWED_PREFIXES = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/** The labels out of `keys` that a kubelet must not set on its node, in order. plugin/pkg/admission/noderestriction.getModifiedLabels */
export function forbiddenLabels(keys: readonly string[]): string[] {
  return keys.filter(isForbidden).sort();
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? '' : key.slice(0, slash);
  if (within(prefix, 'node-restriction.kubernetes.io')) return true;
  if (!within(prefix, 'kubernetes.io') && !within(prefix, 'k8s.io')) return false;
  return !ALLOWED.has(key) && !ALLOWED_PREFIXES.some((allowed) => within(prefix, allowed));
}

const within = (prefix: string, domain: string): boolean => prefix === domain || prefix.endsWith(`.${domain}`);
