import type { Container, Pod, PodSpec, PodTemplateSpec, Volume } from '../../../../src/api/kinds/core-v1.ts';
import type { ObjectMeta } from '../../../../src/api/kinds/meta-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import { isDNS1123Label } from '../../../../src/api/validation/content.ts';
import { ipWarnings } from '../ip-warnings.ts';
import { portWarnings } from './port-warnings.ts';

const DEPRECATED_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

const DEPRECATED_ANNOTATIONS: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'seccomp.security.alpha.kubernetes.io/pod': 'non-functional in v1.27+; use the "seccompProfile" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

const DEPRECATED_VOLUMES: readonly (readonly [keyof Volume, string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** kubernetes pkg/api/pod GetWarningsForPod */
export function podWarnings(pod: Pod, old?: Pod): string[] {
  if (!pod.spec || (old && pod.spec === old.spec && pod.metadata.annotations === old.metadata.annotations)) return [];
  const warnings = warningsFor({ meta: pod.metadata, spec: pod.spec, path: '' });
  if (!old) nameWarning(warnings, pod.metadata.name ?? '', "this is used in the Pod's hostname");
  return warnings;
}

/** kubernetes pkg/api/pod GetWarningsForPodTemplate */
export function podTemplateWarnings(path: string, template: PodTemplateSpec | undefined, old?: PodTemplateSpec): string[] {
  if (!template?.spec || template === old) return [];
  return warningsFor({ meta: template.metadata ?? {}, spec: template.spec, path: `${path}.` });
}

/** A workload whose name ends up in the hostnames of its pods. */
export function workloadNameWarning(name: string | undefined): string[] {
  const warnings: string[] = [];
  nameWarning(warnings, name ?? '', 'this is used in Pod names and hostnames');
  return warnings;
}

/** Of a workload with its template at `spec.template`. */
export function workloadWarnings({ metadata, spec }: Workload, old: Workload | undefined): string[] {
  return [...(old ? [] : workloadNameWarning(metadata.name)), ...podTemplateWarnings('spec.template', spec?.template, old?.spec?.template)];
}

interface Workload {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly template?: PodTemplateSpec };
}

function nameWarning(warnings: string[], name: string, use: string): void {
  const problems = isDNS1123Label(name);
  if (problems.length > 0)
    warnings.push(`metadata.name: ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`);
}

interface Subject {
  readonly meta: ObjectMeta;
  readonly spec: PodSpec;
  /** '' or the path of a template with a dot at the end. */
  readonly path: string;
}

/** kubernetes pkg/api/pod warningsForPodSpecAndMeta */
function warningsFor({ meta, spec, path }: Subject): string[] {
  const warnings: string[] = [];
  const at = `${path}spec`;
  for (const key in spec.nodeSelector) if (DEPRECATED_LABELS[key]) warnings.push(`${at}.nodeSelector[${key}]: ${DEPRECATED_LABELS[key]}`);
  affinityWarnings(warnings, at, spec);
  for (const [index, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const place = `${at}.topologySpreadConstraints[${index}]`;
    if (DEPRECATED_LABELS[topologyKey]) warnings.push(`${place}.topologyKey: ${topologyKey} is ${DEPRECATED_LABELS[topologyKey]}`);
    if (!labelSelector) warnings.push(`${place}.labelSelector: a null labelSelector results in matching no pod`);
  }
  annotationWarnings(warnings, path, meta);
  hostAliasWarnings(warnings, at, spec);
  for (const [index, address] of (spec.dnsConfig?.nameservers ?? []).entries())
    warnings.push(...ipWarnings(`${at}.dnsConfig.nameservers[${index}]`, address));
  secretWarnings(warnings, at, spec);
  for (const [index, volume] of (spec.volumes ?? []).entries()) {
    deprecatedVolumeWarnings(warnings, `${at}.volumes[${index}]`, volume);
    overlapWarnings(warnings, volume);
  }
  for (const name of ['initContainers', 'containers'] as const) {
    for (const [index, container] of (spec[name] ?? []).entries()) containerWarnings(warnings, `${at}.${name}[${index}]`, container);
  }
  amounts(warnings, at, spec.overhead && { overhead: spec.overhead });
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0)
    warnings.push(`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`);
  portWarnings(warnings, at, spec);
  return warnings;
}

/** Sources that are on their way out, of pods and of PersistentVolumes. */
export function deprecatedVolumeWarnings(warnings: string[], path: string, source: object): void {
  for (const [name, text] of DEPRECATED_VOLUMES)
    if (name in source) warnings.push(`${path}.${name === 'storageos' ? 'storageOS' : name}: ${text}`);
}

function affinityWarnings(warnings: string[], path: string, { affinity }: PodSpec): void {
  const node = affinity?.nodeAffinity;
  const needed = `${path}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  const terms = node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const [index, { matchExpressions }] of terms.entries()) deprecatedKeys(warnings, `${needed}[${index}]`, matchExpressions);
  for (const [index, { preference }] of (node?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    deprecatedKeys(
      warnings,
      `${path}.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`,
      preference.matchExpressions,
    );
  }
  for (const name of ['podAffinity', 'podAntiAffinity'] as const) {
    const part = affinity?.[name];
    const text = 'a null labelSelector results in matching no pod';
    for (const [index, term] of (part?.requiredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
      if (!term.labelSelector)
        warnings.push(`${path}.affinity.${name}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${text}`);
    }
    for (const [index, { podAffinityTerm }] of (part?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
      if (!podAffinityTerm.labelSelector)
        warnings.push(
          `${path}.affinity.${name}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm.labelSelector: ${text}`,
        );
    }
  }
}

function deprecatedKeys(warnings: string[], path: string, expressions: readonly { readonly key: string }[] | undefined): void {
  for (const [index, { key }] of (expressions ?? []).entries()) {
    if (DEPRECATED_LABELS[key]) warnings.push(`${path}.matchExpressions[${index}].key: ${key} is ${DEPRECATED_LABELS[key]}`);
  }
}

function annotationWarnings(warnings: string[], path: string, { annotations }: ObjectMeta): void {
  for (const key in annotations) {
    const at = `${path}metadata.annotations[${key}]`;
    if (DEPRECATED_ANNOTATIONS[key]) warnings.push(`${at}: ${DEPRECATED_ANNOTATIONS[key]}`);
    else if (key.startsWith('container.seccomp.security.alpha.kubernetes.io/'))
      warnings.push(`${at}: non-functional in v1.27+; use the "seccompProfile" field instead`);
    else if (key.startsWith('container.apparmor.security.beta.kubernetes.io/'))
      warnings.push(`${at}: deprecated since v1.30; use the "appArmorProfile" field instead`);
  }
}

function hostAliasWarnings(warnings: string[], path: string, { hostAliases }: PodSpec): void {
  const seen = new Set<string>();
  for (const [index, { ip }] of (hostAliases ?? []).entries()) {
    if (seen.has(ip)) warnings.push(`${path}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(ip)}`);
    else seen.add(ip);
    warnings.push(...ipWarnings(`${path}.hostAliases[${index}].ip`, ip ?? ''));
  }
}

function secretWarnings(warnings: string[], path: string, { imagePullSecrets }: PodSpec): void {
  const seen = new Set<string>();
  for (const [index, { name = '' }] of (imagePullSecrets ?? []).entries()) {
    if (name === '') warnings.push(`${path}.imagePullSecrets[${index}].name: invalid empty name ""`);
    else if (seen.has(name)) warnings.push(`${path}.imagePullSecrets[${index}].name: duplicate name ${JSON.stringify(name)}`);
    seen.add(name);
  }
}

/** kubernetes pkg/api/pod checkVolumeMappingForOverlap, for files of one volume. */
function overlapWarnings(warnings: string[], volume: Volume): void {
  const sources: [string, readonly string[]][] = [
    ['ConfigMap', (volume.configMap?.items ?? []).map(({ path }) => path)],
    ['Secret', (volume.secret?.items ?? []).map(({ path }) => path)],
    ['DownwardAPI', (volume.downwardAPI?.items ?? []).map(({ path }) => path)],
  ];
  for (const [kind, paths] of sources) {
    for (const [index, path] of paths.entries()) {
      const other = paths
        .slice(0, index)
        .find((earlier) => earlier === path || earlier.startsWith(`${path}/`) || path.startsWith(`${earlier}/`));
      if (other !== undefined)
        warnings.push(
          `volume ${JSON.stringify(volume.name)} (${kind}): overlapping paths: ${JSON.stringify(path)} with ${JSON.stringify(other)}`,
        );
    }
  }
}

function containerWarnings(warnings: string[], path: string, container: Container): void {
  const names = new Map<string, number>();
  for (const [index, { name, value = '', valueFrom }] of (container.env ?? []).entries()) {
    // What takes up the earlier value hides nothing.
    if (names.has(name) && (valueFrom || !value.includes(`$(${name})`)))
      warnings.push(`${path}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`);
    names.set(name, index);
  }
  amounts(
    warnings,
    `${path}.resources`,
    container.resources && { limits: container.resources.limits ?? {}, requests: container.resources.requests ?? {} },
  );
}

function amounts(warnings: string[], path: string, lists: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined): void {
  for (const [list, resources] of Object.entries(lists ?? {})) {
    for (const name of ['memory', 'ephemeral-storage']) {
      const amount = resources[name];
      if (amount !== undefined && parseQuantity(amount).milliValue() % 1000 !== 0)
        warnings.push(`${path}.${list}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`);
    }
  }
}
