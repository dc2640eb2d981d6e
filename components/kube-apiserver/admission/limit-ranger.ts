import type { Container, LimitRange, PersistentVolumeClaim, Pod } from '../../../src/api/kinds/core-v1.ts';
import { limitranges } from '../../../src/api/resources.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';
import { claimViolations, podViolations } from './limit-range-checks.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';

/** plugin/pkg/admission/limitranger */
export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  resources: ['pods', 'persistentvolumeclaims'],
  mutate: (attributes) => {
    const { context, operation } = attributes;
    if (context.resource.resource !== 'pods' || operation !== 'CREATE' || context.subresource) return undefined;
    let pod = attributes.object as Pod;
    for (const range of rangesOf(attributes)) pod = withDefaults(pod, range);
    return pod;
  },
  validate: (attributes) => {
    const { context, operation, object } = attributes;
    const isPod = context.resource.resource === 'pods';
    const wanted = isPod ? (operation === 'CREATE' && !context.subresource) || context.subresource === 'resize' : !context.subresource;
    if (!wanted || !object || operation === 'DELETE') return undefined;
    for (const range of rangesOf(attributes)) {
      const violations = isPod ? podViolations(range, object as Pod) : claimViolations(range, object as PersistentVolumeClaim);
      if (violations.length > 0)
        throw admissionForbidden(attributes, violations.length === 1 ? (violations[0] ?? '') : `[${violations.join(', ')}]`);
    }
    return undefined;
  },
};

function rangesOf({ context }: AdmissionAttributes): LimitRange[] {
  return context.server.storage(limitranges).list(context.namespace);
}

/** plugin/pkg/admission/limitranger.mergePodResourceRequirements */
function withDefaults(pod: Pod, range: LimitRange): Pod {
  const requests: Record<string, string> = {};
  const limits: Record<string, string> = {};
  for (const item of range.spec?.limits ?? []) {
    if (item.type !== 'Container') continue;
    Object.assign(requests, item.defaultRequest);
    Object.assign(limits, item.default);
  }
  const notes: string[] = [];
  const defaulted =
    (what: string) =>
    (container: Container): Container => {
      const { resources = {} } = container;
      const addedRequests = missingKeys(requests, resources.requests);
      const addedLimits = missingKeys(limits, resources.limits);
      if (addedRequests.length > 0) notes.push(`${addedRequests.join(', ')} request for ${what} ${container.name}`);
      if (addedLimits.length > 0) notes.push(`${addedLimits.join(', ')} limit for ${what} ${container.name}`);
      if (addedRequests.length + addedLimits.length === 0) return container;
      const merged = (defaults: Record<string, string>, present: Record<string, string> | undefined): Record<string, string> => ({
        ...defaults,
        ...present,
      });
      return {
        ...container,
        resources: {
          ...resources,
          ...(addedLimits.length > 0 ? { limits: merged(limits, resources.limits) } : {}),
          ...(addedRequests.length > 0 ? { requests: merged(requests, resources.requests) } : {}),
        },
      };
    };
  const containers = pod.spec?.containers.map(defaulted('container')) ?? [];
  const initContainers = pod.spec?.initContainers?.map(defaulted('init container'));
  if (notes.length === 0) return pod;
  const annotations = { ...pod.metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${notes.join('; ')}` };
  const spec = { ...pod.spec, containers, ...(initContainers ? { initContainers } : {}) };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec };
}

function missingKeys(defaults: Record<string, string>, present: Record<string, string> | undefined): string[] {
  return Object.keys(defaults)
    .filter((key) => present?.[key] === undefined)
    .sort();
}
