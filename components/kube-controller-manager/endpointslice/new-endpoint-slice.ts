import type { Service } from '../../../src/api/kinds/core-v1.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../../src/api/kinds/discovery-v1.ts';
import { newControllerRef } from '../../../src/api/meta.ts';
import { LABEL_SERVICE_NAME } from './util/endpointslice-tracker.ts';
import { LAST_CHANGE_TRIGGER_TIME } from './util/trigger-time-tracker.ts';

export const CONTROLLER_NAME = 'endpointslice-controller.k8s.io';
export const LABEL_MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const LABEL_HEADLESS = 'service.kubernetes.io/headless';
const RESERVED_LABELS: readonly string[] = [LABEL_SERVICE_NAME, LABEL_MANAGED_BY, LABEL_HEADLESS];

/** A slice with nothing in it yet; a placeholder if it stays so. endpointslice utils.go newEndpointSlice */
export function newEndpointSlice(service: Service, meta: { ports: readonly EndpointPort[]; addressType: string }): EndpointSlice {
  const { name = '', namespace = '' } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: endpointSliceLabels(service),
      ownerReferences: [newControllerRef(service, { apiVersion: 'v1', kind: 'Service' })],
    },
    addressType: meta.addressType,
    endpoints: [],
    ports: [...meta.ports],
  };
}

/** The labels that slices of a Service carry: its own, and those by which they are found. endpointslice utils.go setEndpointSliceLabels */
export function endpointSliceLabels(service: Service): Record<string, string> {
  const { clusterIP } = service.spec ?? {};
  return {
    ...withoutReserved(service.metadata.labels),
    ...(clusterIP && clusterIP !== 'None' ? {} : { [LABEL_HEADLESS]: '' }),
    [LABEL_SERVICE_NAME]: service.metadata.name ?? '',
    [LABEL_MANAGED_BY]: CONTROLLER_NAME,
  };
}

/** Whether a slice carries other labels than its Service, those aside by which slices are found. */
export function labelsChanged(slice: EndpointSlice, service: Service): boolean {
  const has = withoutReserved(slice.metadata.labels);
  const wants = withoutReserved(service.metadata.labels);
  const keys = Object.keys(wants);
  return keys.length !== Object.keys(has).length || keys.some((key) => has[key] !== wants[key]);
}

function withoutReserved(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !RESERVED_LABELS.includes(key)));
}

/** endpointslice utils.go ownedBy */
export function ownedBy(slice: EndpointSlice, service: Service): boolean {
  return (slice.metadata.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === service.metadata.uid && kind === 'Service' && apiVersion === 'v1',
  );
}

/** Whether a slice holds nothing and is the placeholder that this Service should have. endpointslice reconciler.go placeholderSliceCompare */
export function isPlaceholderFor(slice: EndpointSlice, service: Service): boolean {
  const wants = endpointSliceLabels(service);
  const labels = slice.metadata.labels ?? {};
  const sameLabels =
    Object.keys(labels).length === Object.keys(wants).length && Object.keys(wants).every((key) => labels[key] === wants[key]);
  return !slice.endpoints?.length && !slice.ports?.length && sameLabels && ownedBy(slice, service);
}

/**
 * The slice as it goes over the wire: with the annotation, and with `null` for empty lists, since protobuf, in which controllers write, knows no empty ones.
 * endpointslice utils.go addTriggerTimeAnnotation
 */
export function wireForm(slice: EndpointSlice, triggerTime: string | undefined): EndpointSlice {
  const { annotations: before, ...metadata } = slice.metadata;
  const { [LAST_CHANGE_TRIGGER_TIME]: _, ...kept } = before ?? {};
  const annotations = triggerTime === undefined ? kept : { ...kept, [LAST_CHANGE_TRIGGER_TIME]: triggerTime };
  return {
    ...slice,
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
    endpoints: slice.endpoints?.length ? slice.endpoints : (null as unknown as Endpoint[]),
    ports: slice.ports?.length ? slice.ports : (null as unknown as EndpointPort[]),
  };
}
