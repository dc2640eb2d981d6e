import type { Container, Pod, PodSpec } from '../../src/api/kinds/core-v1.ts';
import type { LabelSelector } from '../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';

/** What admission looks up. */
export interface AdmissionObjects {
  readonly priorityClasses: Map<string, KubernetesObject>;
  readonly runtimeClasses: Map<string, KubernetesObject>;
}

interface PriorityClassLike {
  readonly value: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

interface RuntimeClassLike {
  readonly overhead?: { readonly podFixed?: Record<string, string> };
  readonly scheduling?: { readonly nodeSelector?: Record<string, string>; readonly tolerations?: PodSpec['tolerations'] };
}

/** Defaults and admission of a pod, as far as scheduling sees them: for cases that are played without an API server. */
export function admitPod(pod: Pod, objects: AdmissionObjects): Pod {
  const given = pod.spec as PodSpec;
  const containers = given.containers.map((one) => defaultContainer(one, given));
  const spec: PodSpec = {
    ...given,
    schedulerName: given.schedulerName ?? 'default-scheduler',
    containers,
    ...(given.initContainers ? { initContainers: given.initContainers.map((one) => defaultContainer(one, given)) } : {}),
    ...priorityOf(given, objects),
  };
  const runtime = objects.runtimeClasses.get(given.runtimeClassName ?? '') as unknown as RuntimeClassLike | undefined;
  if (runtime?.overhead?.podFixed) spec.overhead = runtime.overhead.podFixed;
  if (runtime?.scheduling?.nodeSelector) spec.nodeSelector = { ...spec.nodeSelector, ...runtime.scheduling.nodeSelector };
  if (runtime?.scheduling?.tolerations) spec.tolerations = [...(spec.tolerations ?? []), ...runtime.scheduling.tolerations];
  if (spec.resources?.limits) spec.resources = defaultRequests(spec.resources);
  return { ...pod, apiVersion: 'v1', kind: 'Pod', spec: mergeMatchLabelKeys(spec, pod.metadata.labels ?? {}) };
}

function priorityOf(spec: PodSpec, { priorityClasses }: AdmissionObjects): Partial<PodSpec> {
  const classes = [...priorityClasses.values()] as unknown as PriorityClassLike[];
  const named = priorityClasses.get(spec.priorityClassName ?? '') as unknown as PriorityClassLike | undefined;
  const found = named ?? classes.find((one) => one.globalDefault);
  return { priority: found?.value ?? spec.priority ?? 0, preemptionPolicy: found?.preemptionPolicy ?? 'PreemptLowerPriority' };
}

function defaultContainer(container: Container, spec: PodSpec): Container {
  const ports = spec.hostNetwork ? container.ports?.map((port) => ({ ...port, hostPort: port.hostPort ?? port.containerPort })) : container.ports;
  return {
    ...container,
    ...(container.resources ? { resources: defaultRequests(container.resources) } : {}),
    ...(ports ? { ports } : {}),
  };
}

function defaultRequests<T extends { limits?: Record<string, string>; requests?: Record<string, string> }>(resources: T): T {
  return resources.limits ? { ...resources, requests: { ...resources.limits, ...resources.requests } } : resources;
}

function mergeMatchLabelKeys(spec: PodSpec, labels: Readonly<Record<string, string>>): PodSpec {
  const merge = <T extends { labelSelector?: LabelSelector; matchLabelKeys?: string[]; mismatchLabelKeys?: string[] }>(term: T): T => {
    if (!term.labelSelector) return term;
    const expressions = [
      ...(term.matchLabelKeys ?? []).map((key) => ({ key, operator: 'In' })),
      ...(term.mismatchLabelKeys ?? []).map((key) => ({ key, operator: 'NotIn' })),
    ].flatMap(({ key, operator }) => (labels[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }]));
    return { ...term, labelSelector: { ...term.labelSelector, matchExpressions: [...(term.labelSelector.matchExpressions ?? []), ...expressions] } };
  };
  const merged = structuredClone(spec);
  merged.topologySpreadConstraints = (merged.topologySpreadConstraints ?? []).map(merge);
  for (const affinity of [merged.affinity?.podAffinity, merged.affinity?.podAntiAffinity]) {
    if (affinity?.requiredDuringSchedulingIgnoredDuringExecution) {
      affinity.requiredDuringSchedulingIgnoredDuringExecution = affinity.requiredDuringSchedulingIgnoredDuringExecution.map(merge);
    }
    for (const weighted of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) weighted.podAffinityTerm = merge(weighted.podAffinityTerm);
  }
  return merged;
}
