import type { FieldError } from '../../../../src/api/status-error.ts';
import { invalid } from '../../../../src/api/validation/field.ts';
import { BASELINE } from './baseline.ts';
import type { Check, Finding, PodParts } from './finding.ts';
import { RESTRICTED } from './restricted.ts';

export type Mode = 'enforce' | 'audit' | 'warn';
export type Level = 'privileged' | 'baseline' | 'restricted';

/** A level at the version of its rules. pod-security-admission api.LevelVersion */
export interface Policy {
  readonly level: Level;
  /** `latest` or `v1.N`. */
  readonly version: string;
}

const PREFIX = 'pod-security.kubernetes.io/';
const LEVELS: readonly string[] = ['privileged', 'baseline', 'restricted'];
const VERSION = /^(latest|v1\.(0|[1-9]\d*))$/;
const NEWEST_MINOR = 34;

/**
 * What the labels of a namespace ask for. Labels that say nothing sensible count as the strictest there is; who says nothing of warnings is warned of
 * what is enforced. pod-security-admission api.PolicyToEvaluate
 */
export function policyOf(labels: Readonly<Record<string, string>> | undefined, mode: Mode): Policy {
  const enforced = labels?.[`${PREFIX}enforce`] ?? '';
  const source = mode === 'warn' && labels?.[`${PREFIX}warn`] === undefined && LEVELS.includes(enforced) ? 'enforce' : mode;
  const level = labels?.[PREFIX + source] ?? 'privileged';
  const version = labels?.[`${PREFIX}${mode}-version`] ?? labels?.[`${PREFIX}${source}-version`] ?? 'latest';
  const known = LEVELS.includes(level);
  return {
    level: known ? (level as Level) : mode === 'enforce' ? 'restricted' : 'privileged',
    version: VERSION.test(version) ? version : 'latest',
  };
}

/** What is wrong with the labels of a namespace. */
export function labelErrors(labels: Readonly<Record<string, string>> | undefined): FieldError[] {
  const errors: FieldError[] = [];
  for (const mode of ['enforce', 'audit', 'warn'] as const) {
    const level = labels?.[PREFIX + mode];
    const version = labels?.[`${PREFIX}${mode}-version`];
    if (level !== undefined && !LEVELS.includes(level))
      errors.push(invalid(`metadata.labels[${PREFIX}${mode}]`, level, `must be one of ${LEVELS.join(', ')}`));
    if (version !== undefined && !VERSION.test(version))
      errors.push(invalid(`metadata.labels[${PREFIX}${mode}-version]`, version, 'must be "latest" or "v1.x"'));
  }
  return errors;
}

/** What forbids a pod at a level, in the order of the checks. */
export function evaluate(policy: Policy, pod: PodParts): Finding[] {
  return checksOf(policy).flatMap((check) => check(pod) ?? []);
}

function checksOf({ level, version }: Policy): Check[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? NEWEST_MINOR : Number(version.slice('v1.'.length));
  const {
    appArmor,
    capabilities,
    hostNamespaces,
    hostPathVolumes,
    hostPorts,
    probeHosts,
    privileged,
    procMount,
    seLinux,
    seccomp,
    sysctls,
    hostProcess,
  } = BASELINE;
  const since = (version: number, check: Check): Check[] => (minor >= version ? [check] : []);
  const restricted = level === 'restricted';
  return [
    appArmor,
    ...(restricted && minor >= 22 ? [] : [capabilities]),
    hostNamespaces,
    // The restricted list of volume types says more.
    ...(restricted ? [] : [hostPathVolumes]),
    hostPorts,
    ...since(NEWEST_MINOR, probeHosts),
    privileged,
    procMount,
    seLinux,
    ...(restricted ? [] : since(19, seccomp)),
    sysctls,
    hostProcess,
    ...(restricted ? restrictedChecks(since) : []),
  ];
}

function restrictedChecks(since: (version: number, check: Check) => Check[]): Check[] {
  const { allowPrivilegeEscalation, capabilities, volumeTypes, runAsNonRoot, runAsUser, seccomp } = RESTRICTED;
  return [
    ...since(8, allowPrivilegeEscalation),
    ...since(22, capabilities),
    volumeTypes,
    runAsNonRoot,
    ...since(23, runAsUser),
    ...since(19, seccomp),
  ];
}
