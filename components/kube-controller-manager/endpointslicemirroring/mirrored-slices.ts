import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { Endpoints } from '../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../src/api/kinds/discovery-v1.ts';
import { newControllerRef } from '../../../src/api/meta.ts';
import { LABEL_MANAGED_BY } from '../endpointslice/new-endpoint-slice.ts';
import { endpointIdentity, endpointsEqualBeyondHash } from '../endpointslice/pod-to-endpoint.ts';
import type { SlicePlan } from '../endpointslice/port-mapping.ts';
import { LABEL_SERVICE_NAME } from '../endpointslice/util/endpointslice-tracker.ts';
import { LAST_CHANGE_TRIGGER_TIME } from '../endpointslice/util/trigger-time-tracker.ts';
import { type DesiredSlice, sliceKey } from './desired-calc.ts';

export const MIRRORING_CONTROLLER_NAME = 'endpointslicemirroring-controller.k8s.io';
const UNCOPIED_ANNOTATIONS = [LAST_CHANGE_TRIGGER_TIME, 'kubectl.kubernetes.io/last-applied-configuration'];

/** What has to be written so that the slices of Endpoints are as desired. pkg/controller/endpointslicemirroring/reconciler.go reconcile */
export function planMirror(
  endpoints: Endpoints,
  existing: readonly EndpointSlice[],
  desired: ReadonlyMap<string, DesiredSlice>,
): SlicePlan {
  const plan: SlicePlan = { create: [], update: [], delete: [] };
  const byKey = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    const key = sliceKey(slice.addressType, [...(slice.ports ?? [])]);
    byKey.set(key, [...(byKey.get(key) ?? []), slice]);
  }
  for (const [key, wanted] of desired) {
    const [first, ...surplus] = byKey.get(key) ?? [];
    plan.delete.push(...surplus);
    if (first && isUpToDate(first, endpoints, wanted)) continue;
    const slice = newMirroredSlice(endpoints, wanted, first?.metadata.name);
    if (first) plan.update.push(slice);
    else plan.create.push(slice);
  }
  for (const [key, slices] of byKey) if (!desired.has(key)) plan.delete.push(...slices);
  recycleSlices(plan);
  return plan;
}

/** pkg/controller/endpointslicemirroring/reconciler_helpers.go recycleSlices */
function recycleSlices(plan: SlicePlan): void {
  plan.delete = plan.delete.filter((old) => {
    const index = plan.create.findIndex(({ addressType }) => addressType === old.addressType);
    const [slice] = index < 0 ? [] : plan.create.splice(index, 1);
    if (!slice) return true;
    const { generateName: _, ...metadata } = slice.metadata;
    plan.update.push({ ...slice, metadata: { ...metadata, name: old.metadata.name ?? '' } });
    return false;
  });
}

function isUpToDate(slice: EndpointSlice, { metadata }: Endpoints, desired: DesiredSlice): boolean {
  const { [LABEL_MANAGED_BY]: _, [LABEL_SERVICE_NAME]: __, ...labels } = slice.metadata.labels ?? {};
  if (
    !semanticDeepEqual(labels, metadata.labels) ||
    !semanticDeepEqual(slice.metadata.annotations, copiedAnnotations(metadata.annotations))
  )
    return false;
  const existing = slice.endpoints ?? [];
  return existing.length === desired.endpoints.size && existing.every((endpoint) => isAsDesired(endpoint, desired));
}

function isAsDesired(endpoint: EndpointSlice['endpoints'][number], { endpoints }: DesiredSlice): boolean {
  const wanted = endpoints.get(endpointIdentity(endpoint));
  return wanted !== undefined && endpointsEqualBeyondHash(wanted, endpoint);
}

/** pkg/controller/endpointslicemirroring/utils.go newEndpointSlice */
function newMirroredSlice(endpoints: Endpoints, desired: DesiredSlice, existingName: string | undefined): EndpointSlice {
  const { name = '', namespace = '', labels } = endpoints.metadata;
  const annotations = copiedAnnotations(endpoints.metadata.annotations);
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...(existingName === undefined ? { generateName: `${name}-` } : { name: existingName }),
      namespace,
      labels: { ...labels, [LABEL_SERVICE_NAME]: name, [LABEL_MANAGED_BY]: MIRRORING_CONTROLLER_NAME },
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ownerReferences: [newControllerRef(endpoints, { apiVersion: 'v1', kind: 'Endpoints' })],
    },
    addressType: desired.addressType,
    endpoints: [...desired.endpoints.values()],
    ports: desired.ports,
  };
}

function copiedAnnotations(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !UNCOPIED_ANNOTATIONS.includes(key)));
}
