import type { AdmissionRequest, AdmissionVerdict, JsonPatchOperation } from '../../src/api/admission-review.ts';
import type { Pod } from '../../src/api/kinds/core-v1.ts';

/** `"false"` on a Pod: leave it alone. */
const INJECT_ANNOTATION = 'sidecar.example.com/inject';
const STATUS_ANNOTATION = 'sidecar.example.com/status';
const SIDECAR = { name: 'log-agent', image: 'busybox:1.36', command: ['sh', '-c', 'sleep infinity'] };

/** Puts one more container into a Pod. It may be asked again about the same Pod (reinvocation): what is there already stays. */
export function injectSidecar({ object: pod }: AdmissionRequest<Pod>): AdmissionVerdict {
  const { annotations } = pod.metadata;
  const injected = pod.spec?.containers.some(({ name }) => name === SIDECAR.name) ?? false;
  if (injected || annotations?.[INJECT_ANNOTATION] === 'false') return {};
  return { patch: [{ op: 'add', path: '/spec/containers/-', value: SIDECAR }, annotate(annotations)] };
}

/** A path in a map that is not there yet cannot be added to. */
function annotate(annotations: Readonly<Record<string, string>> | undefined): JsonPatchOperation {
  if (!annotations) return { op: 'add', path: '/metadata/annotations', value: { [STATUS_ANNOTATION]: 'injected' } };
  return { op: 'add', path: `/metadata/annotations/${escaped(STATUS_ANNOTATION)}`, value: 'injected' };
}

/** RFC 6901 */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
