import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { PriorityClass } from '../../../src/api/kinds/scheduling-v1.ts';
import { priorityclasses } from '../../../src/api/resources.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';

const DEFAULT_POLICY = 'PreemptLowerPriority';

/** plugin/pkg/admission/priority */
export const priority: AdmissionPlugin = {
  name: 'Priority',
  resources: ['pods', 'priorityclasses'],
  mutate: (attributes) => {
    const { context, operation, object, oldObject } = attributes;
    if (context.resource.resource !== 'pods' || context.subresource || !object) return undefined;
    if (operation === 'CREATE') return admitNewPod(attributes, object as Pod);
    return operation === 'UPDATE' ? keepPriority(object as Pod, oldObject as Pod) : undefined;
  },
  validate: (attributes) => {
    const { context, operation, object } = attributes;
    if (context.resource.resource === 'priorityclasses' && object && operation !== 'DELETE')
      validateClass(attributes, object as PriorityClass);
    return undefined;
  },
};

function keepPriority(pod: Pod, old: Pod): Pod | undefined {
  const { priority: value, preemptionPolicy } = old.spec ?? {};
  const more = {
    ...(pod.spec?.priority === undefined && value !== undefined ? { priority: value } : {}),
    ...(pod.spec?.preemptionPolicy === undefined && preemptionPolicy !== undefined ? { preemptionPolicy } : {}),
  };
  return Object.keys(more).length > 0 ? ({ ...pod, spec: { ...pod.spec, ...more } } as Pod) : undefined;
}

function admitNewPod(attributes: AdmissionAttributes, pod: Pod): Pod {
  const { spec } = pod;
  const { server } = attributes.context;
  const wanted = spec?.priorityClassName;
  const found = wanted ? server.storage(priorityclasses).get('', wanted) : defaultClass(server.storage(priorityclasses).list());
  if (wanted && !found) throw admissionForbidden(attributes, `no PriorityClass with name ${wanted} was found`);
  const value = found?.value ?? 0;
  const policy = found?.preemptionPolicy ?? DEFAULT_POLICY;
  const computed = (text: string | number): string => `priority admission controller computed ${text} from the given PriorityClass name`;
  if (spec?.priority !== undefined && spec.priority !== value) {
    throw admissionForbidden(
      attributes,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; ${computed(value)}`,
    );
  }
  if (spec?.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    const given = spec.preemptionPolicy;
    throw admissionForbidden(
      attributes,
      `the string value of PreemptionPolicy (${given}) must not be provided in pod spec; ${computed(policy)}`,
    );
  }
  const className = found?.metadata.name;
  return {
    ...pod,
    spec: { ...spec, ...(className ? { priorityClassName: className } : {}), priority: value, preemptionPolicy: policy },
  } as Pod;
}

/** Several classes may claim to be the default: the one with the lowest value counts. */
function defaultClass(classes: readonly PriorityClass[]): PriorityClass | undefined {
  return classes.filter(({ globalDefault }) => globalDefault).sort((a, b) => a.value - b.value)[0];
}

function validateClass(attributes: AdmissionAttributes, object: PriorityClass): void {
  if (!object.globalDefault) return;
  const other = defaultClass(attributes.context.server.storage(priorityclasses).list());
  if (!other || other.metadata.name === object.metadata.name) return;
  throw admissionForbidden(attributes, `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`);
}
