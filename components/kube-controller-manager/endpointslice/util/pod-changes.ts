import type { Pod, Service } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { isPodReady } from '../../controller/controller-utils.ts';
import type { PodSelection } from './pod-selection.ts';

/** Whether a pod has a place among the endpoints of a Service that selects it. endpointslice util ShouldPodBeInEndpoints */
export function shouldPodBeInEndpoints(pod: Pod, includeTerminating: boolean): boolean {
  const phase = pod.status?.phase;
  if (phase === 'Failed' || phase === 'Succeeded') return false;
  if (!pod.status?.podIP && !pod.status?.podIPs?.length) return false;
  return includeTerminating || !pod.metadata.deletionTimestamp;
}

/** endpointslice util ShouldSetHostname */
export function shouldSetHostname(pod: Pod, service: Service): boolean {
  return (
    Boolean(pod.spec?.hostname) && pod.spec?.subdomain === service.metadata.name && pod.metadata.namespace === service.metadata.namespace
  );
}

/** What of a pod's change matters to endpoints: anything at all, and whether other Services may select it now. endpointslice util podEndpointsChanged */
function podEndpointsChanged(before: Pod, after: Pod): { pod: boolean; labels: boolean } {
  const labels = !sameLabels(before, after) || hostChanged(before, after);
  // Every update of a pod that is being deleted counts: upstream compares the pointers of the timestamps.
  if (before.metadata.deletionTimestamp || after.metadata.deletionTimestamp) return { pod: true, labels };
  if (isPodReady(before) !== isPodReady(after)) return { pod: true, labels };
  return { pod: addressesOf(before) !== addressesOf(after), labels };
}

/** The keys of the Services whose endpoints an update of a pod may change. endpointslice util GetServicesToUpdateOnPodChange */
export function getServicesToUpdateOnPodChange(selection: PodSelection, before: Pod, after: Pod): ReadonlySet<string> {
  if (before.metadata.resourceVersion === after.metadata.resourceVersion) return new Set();
  const changed = podEndpointsChanged(before, after);
  if (!changed.pod && !changed.labels) return new Set();
  const now = getPodServiceMemberships(selection, after);
  if (!changed.labels) return now;
  const then = getPodServiceMemberships(selection, before);
  return changed.pod ? union(now, then) : symmetricDifference(now, then);
}

/** The keys of the Services that select a pod. endpointslice util GetPodServiceMemberships */
export function getPodServiceMemberships(selection: PodSelection, pod: Pod): Set<string> {
  return new Set(selection.servicesFor(pod.metadata.namespace ?? '', pod.metadata.labels).map(keyOf));
}

function hostChanged(before: Pod, after: Pod): boolean {
  return before.spec?.hostname !== after.spec?.hostname || before.spec?.subdomain !== after.spec?.subdomain;
}

function addressesOf(pod: Pod): string {
  return (pod.status?.podIPs ?? []).map(({ ip }) => ip).join(',');
}

function sameLabels(before: Pod, after: Pod): boolean {
  if (before.metadata.labels === after.metadata.labels) return true;
  const a = before.metadata.labels ?? {};
  const b = after.metadata.labels ?? {};
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...a, ...b]);
}

function symmetricDifference(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...[...a].filter((key) => !b.has(key)), ...[...b].filter((key) => !a.has(key))]);
}
