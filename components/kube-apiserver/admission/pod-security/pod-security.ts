import type { Container, Namespace, Pod, PodTemplateSpec } from '../../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import { namespaces, pods } from '../../../../src/api/resources.ts';
import { newInvalid } from '../../../../src/api/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../chain.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { Finding, PodParts } from './finding.ts';
import { evaluate, labelErrors, type Policy, policyOf } from './levels.ts';

const WORKLOADS = [
  'deployments',
  'replicasets',
  'replicationcontrollers',
  'daemonsets',
  'statefulsets',
  'jobs',
  'cronjobs',
  'podtemplates',
];

/** Holds pods to what the labels of their namespace allow. pod-security-admission admission.Admission */
export const podSecurity: AdmissionPlugin = {
  name: 'PodSecurity',
  resources: ['pods', 'namespaces', ...WORKLOADS],
  validate: (attributes) => {
    const { context, object, operation } = attributes;
    if (!object || operation === 'DELETE') return undefined;
    const { resource } = context.resource;
    if (resource === 'namespaces') validateNamespace(attributes, object as Namespace);
    else if (resource === 'pods') validatePod(attributes, object as Pod);
    else validateTemplate(attributes, object);
    return undefined;
  },
};

function labelsOf({ context }: AdmissionAttributes): Readonly<Record<string, string>> | undefined {
  return context.server.storage(namespaces).get('', context.namespace)?.metadata.labels;
}

function validatePod(attributes: AdmissionAttributes, pod: Pod): void {
  const { context, operation, oldObject } = attributes;
  if (context.subresource !== '' && context.subresource !== 'ephemeralcontainers') return;
  if (operation === 'UPDATE' && !isSignificant(pod, oldObject as Pod)) return;
  const parts = partsOf(pod);
  if (!parts) return;
  const labels = labelsOf(attributes);
  const enforce = policyOf(labels, 'enforce');
  const findings = evaluate(enforce, parts);
  if (findings.length > 0) throw admissionForbidden(attributes, `violates PodSecurity ${describe(enforce)}: ${details(findings)}`);
  warn(attributes, policyOf(labels, 'warn'), parts);
}

/** Updates that cannot make a pod worse are let through. pod-security-admission isSignificantPodUpdate */
function isSignificant(pod: Pod, old: Pod): boolean {
  const images = (list: readonly Pick<Container, 'image'>[] | undefined): string => (list ?? []).map(({ image }) => image).join(' ');
  const differ = (a: readonly Pick<Container, 'image'>[] | undefined, b: readonly Pick<Container, 'image'>[] | undefined): boolean =>
    (a ?? []).length !== (b ?? []).length || images(a) !== images(b);
  const [now, before] = [pod.spec, old.spec];
  return (
    differ(now?.containers, before?.containers) ||
    differ(now?.initContainers, before?.initContainers) ||
    differ(now?.ephemeralContainers, before?.ephemeralContainers)
  );
}

/** Workloads are never refused: their pods will be. */
function validateTemplate(attributes: AdmissionAttributes, object: KubernetesObject): void {
  if (attributes.context.subresource) return;
  const policy = policyOf(labelsOf(attributes), 'warn');
  if (policy.level === 'privileged') return;
  const template = templateOf(object);
  const parts = template && partsOf(template);
  if (parts) warn(attributes, policy, parts);
}

interface WithTemplate {
  readonly template?: PodTemplateSpec;
  readonly spec?: {
    readonly template?: PodTemplateSpec;
    readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplateSpec } };
  };
}

function templateOf(object: KubernetesObject): PodTemplateSpec | undefined {
  const { template, spec } = object as KubernetesObject & WithTemplate;
  return template ?? spec?.template ?? spec?.jobTemplate?.spec?.template;
}

function partsOf({ metadata = {}, spec }: PodTemplateSpec): PodParts | undefined {
  return spec && { metadata, spec };
}

function warn({ context }: AdmissionAttributes, policy: Policy, parts: PodParts): void {
  const findings = evaluate(policy, parts);
  if (findings.length > 0) context.warnings.push(`would violate PodSecurity ${describe(policy)}: ${details(findings)}`);
}

const describe = ({ level, version }: Policy): string => `"${level}:${version}"`;
const details = (findings: readonly Finding[]): string => findings.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');

function validateNamespace(attributes: AdmissionAttributes, namespace: Namespace): void {
  const { context, operation, oldObject } = attributes;
  if (context.subresource) return;
  const { labels, name = '' } = namespace.metadata;
  const errors = labelErrors(labels);
  if (errors.length > 0) throw newInvalid({ group: '', kind: 'Namespace' }, name, errors);
  if (operation !== 'UPDATE') return;
  const policy = policyOf(labels, 'enforce');
  const before = policyOf((oldObject as Namespace).metadata.labels, 'enforce');
  if (policy.level === 'privileged' || (policy.level === before.level && policy.version === before.version)) return;
  if (policy.version === before.version && before.level === 'restricted') return;
  warnOfExistingPods(attributes, name, policy);
}

/** Pods that are there stay; whoever raises the level is told about them. */
function warnOfExistingPods({ context }: AdmissionAttributes, name: string, policy: Policy): void {
  const byReasons = new Map<string, string[]>();
  for (const pod of context.server.storage(pods).list(name)) {
    const parts = partsOf(pod);
    const reasons = parts ? evaluate(policy, parts).map(({ reason }) => reason) : [];
    if (reasons.length === 0) continue;
    const key = reasons.join(', ');
    byReasons.set(key, [...(byReasons.get(key) ?? []), pod.metadata.name ?? '']);
  }
  if (byReasons.size === 0) return;
  context.warnings.push(`existing pods in namespace "${name}" violate the new PodSecurity enforce level ${describe(policy)}`);
  const lines = [...byReasons].map(([reasons, [first = '', ...others]]) => {
    const more = others.length === 0 ? '' : others.length === 1 ? ' (and 1 other pod)' : ` (and ${others.length} other pods)`;
    return `${first}${more}: ${reasons}`;
  });
  context.warnings.push(...lines.sort());
}
