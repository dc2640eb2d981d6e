import type { AdmissionRequest, AdmissionVerdict, JsonPatchOperation } from '../../src/api/admission-review.ts';
import type { Pod } from '../../src/api/kinds/core-v1.ts';

const REQUESTS = { cpu: '10m', memory: '16Mi' };

/** Gives containers that request nothing a little. It has to be asked again when another webhook has added a container: `reinvocationPolicy: IfNeeded`. */
export function defaultRequests({ object: pod }: AdmissionRequest<Pod>): AdmissionVerdict {
  const patch = (pod.spec?.containers ?? []).flatMap(({ resources }, index): JsonPatchOperation[] => {
    if (resources?.requests) return [];
    const value = { ...resources, requests: REQUESTS };
    return [{ op: 'add', path: `/spec/containers/${index}/resources`, value }];
  });
  return { patch };
}
