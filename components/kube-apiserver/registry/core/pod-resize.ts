import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { Container, Pod, ResourceRequirements } from '../../../../src/api/kinds/core-v1.ts';
import { computePodQOS } from '../../../../src/api/pod-qos.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, invalid } from '../../../../src/api/validation/field.ts';
import { validatePodSpec } from './pod-spec-validation.ts';

/** kubernetes pkg/registry/core/pod podResizeStrategy PrepareForUpdate: resources and resize policies only. */
export function takeResources(pod: Pod, old: Pod): Pod {
  if (!pod.spec || !old.spec) return old;
  const merge = (containers: readonly Container[], given: readonly Container[]): Container[] =>
    containers.map((container) => {
      const wanted = given.find(({ name }) => name === container.name);
      if (!wanted) return container;
      return { ...container, resources: wanted.resources ?? {}, ...(wanted.resizePolicy ? { resizePolicy: wanted.resizePolicy } : {}) };
    });
  const containers = merge(old.spec.containers, pod.spec.containers);
  const initContainers = old.spec.initContainers ? merge(old.spec.initContainers, pod.spec.initContainers ?? []) : undefined;
  const spec = { ...old.spec, containers, ...(initContainers ? { initContainers } : {}) };
  const changed = !semanticDeepEqual(spec, old.spec);
  const generation = (old.metadata.generation ?? 0) + (changed ? 1 : 0);
  return { ...old, metadata: { ...pod.metadata, generation }, spec };
}

/** kubernetes pkg/apis/core/validation ValidatePodResize */
export function validatePodResize(pod: Pod, old: Pod): FieldError[] {
  const errors: FieldError[] = [];
  const spec = pod.spec ?? { containers: [] };
  const oldSpec = old.spec ?? { containers: [] };
  validatePodSpec(errors, spec, { path: 'spec', podName: pod.metadata.name ?? '' });
  if (old.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) errors.push(forbidden('', 'static pods cannot be resized'));
  if (spec.resources) errors.push(forbidden('', 'pods with pod-level resources cannot be resized'));
  const qos = computePodQOS(pod);
  if (qos !== (old.status?.qosClass ?? computePodQOS(old)))
    errors.push(invalid('spec', old.status?.qosClass ?? qos, 'Pod QOS Class may not change as a result of resizing'));
  for (const [index, container] of spec.containers.entries())
    removed(errors, `spec.containers[${index}].resources`, { now: container.resources, before: oldSpec.containers[index]?.resources });
  const munged = [...spec.containers, ...(spec.initContainers ?? [])].map(({ name, resources }) => ({
    name,
    ...withoutCpuAndMemory(resources),
  }));
  const expected = [...oldSpec.containers, ...(oldSpec.initContainers ?? [])].map(({ name, resources }) => ({
    name,
    ...withoutCpuAndMemory(resources),
  }));
  if (!semanticDeepEqual(munged, expected)) errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  return errors;
}

function removed(
  errors: FieldError[],
  path: string,
  { now, before }: { now: ResourceRequirements | undefined; before: ResourceRequirements | undefined },
): void {
  for (const name of ['requests', 'limits'] as const) {
    const gone = ['cpu', 'memory'].some((resource) => before?.[name]?.[resource] !== undefined && now?.[name]?.[resource] === undefined);
    if (gone) errors.push(forbidden(`${path}.${name}`, `resource ${name} cannot be removed`));
  }
}

function withoutCpuAndMemory(resources: ResourceRequirements | undefined): ResourceRequirements {
  const strip = (list: Record<string, string> | undefined): Record<string, string> => {
    const { cpu: _cpu, memory: _memory, ...rest } = list ?? {};
    return rest;
  };
  return { ...resources, limits: strip(resources?.limits), requests: strip(resources?.requests) };
}
