import { deepEqual, semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { Pod, Toleration } from '../../../src/api/kinds/core-v1.ts';
import type { RuntimeClass } from '../../../src/api/kinds/node-v1.ts';
import { runtimeclasses } from '../../../src/api/resources.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';

/** plugin/pkg/admission/runtimeclass */
export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  resources: ['pods'],
  mutate: (attributes) => {
    const found = classOf(attributes);
    if (!found) return undefined;
    return withScheduling(attributes, withOverhead(attributes, attributes.object as Pod, found), found);
  },
  validate: (attributes) => {
    const { context, operation, object } = attributes;
    if (operation !== 'CREATE' || context.subresource) return undefined;
    const { overhead } = (object as Pod).spec ?? {};
    const wanted = classOf(attributes)?.overhead?.podFixed;
    if (overhead && !wanted)
      throw admissionForbidden(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    return undefined;
  },
};

function classOf(attributes: AdmissionAttributes): RuntimeClass | undefined {
  const { context, operation, object } = attributes;
  const name = (object as Pod | undefined)?.spec?.runtimeClassName;
  if (operation !== 'CREATE' || context.subresource || !name) return undefined;
  const found = context.server.storage(runtimeclasses).get('', name);
  if (!found) throw admissionForbidden(attributes, `pod rejected: RuntimeClass "${name}" not found`);
  return found;
}

function withOverhead(attributes: AdmissionAttributes, pod: Pod, { overhead }: RuntimeClass): Pod {
  if (!overhead?.podFixed) return pod;
  const given = pod.spec?.overhead;
  if (given && !semanticDeepEqual(given, overhead.podFixed)) {
    throw admissionForbidden(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  return { ...pod, spec: { ...pod.spec, overhead: overhead.podFixed } } as Pod;
}

function withScheduling(attributes: AdmissionAttributes, pod: Pod, { scheduling }: RuntimeClass): Pod {
  if (!scheduling) return pod;
  const present = pod.spec?.nodeSelector ?? {};
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    if (present[key] === undefined || present[key] === value) continue;
    throw admissionForbidden(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${present[key]}`,
    );
  }
  const nodeSelector = { ...present, ...scheduling.nodeSelector };
  const tolerations: Toleration[] = [...(pod.spec?.tolerations ?? [])];
  for (const toleration of scheduling.tolerations ?? [])
    if (!tolerations.some((other) => deepEqual(other, toleration))) tolerations.push(toleration);
  const more = { ...(Object.keys(nodeSelector).length > 0 ? { nodeSelector } : {}), ...(tolerations.length > 0 ? { tolerations } : {}) };
  return { ...pod, spec: { ...pod.spec, ...more } } as Pod;
}
