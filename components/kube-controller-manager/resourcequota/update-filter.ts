import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { PersistentVolumeClaim, Pod, Service } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { isQuotaPod } from '../../../src/api/quota-usage.ts';

/** Whether a change can lower what an object uses: pkg/quota/v1/install/update_filter.go DefaultUpdateFilter */
export function mayLowerUsage(before: KubernetesObject, after: KubernetesObject, wallTime: number): boolean {
  const { kind } = after;
  if (kind === 'Pod') return podLetsGo(before, after, wallTime);
  if (kind === 'Service') return serviceType(before) !== serviceType(after);
  return kind === 'PersistentVolumeClaim' && !sameClaim(before, after);
}

function podLetsGo(before: Pod, after: Pod, wallTime: number): boolean {
  if ((before.spec?.activeDeadlineSeconds === undefined) !== (after.spec?.activeDeadlineSeconds === undefined)) return true;
  if (isQuotaPod(before, wallTime) && !isQuotaPod(after, wallTime)) return true;
  return before.status !== after.status && !deepEqual(allocatedOf(before), allocatedOf(after));
}

/** What the containers really got: it changes when a pod is resized. */
function allocatedOf({ status }: Pod): unknown {
  return status?.containerStatuses?.map(({ name, resources }) => ({ name, resources }));
}

function serviceType({ spec }: Service): string {
  return spec?.type === 'NodePort' || spec?.type === 'LoadBalancer' ? spec.type : '';
}

/** Upstream compares pointers here, so that every change counts; only those that can matter do so here, with the same outcome. */
function sameClaim(before: PersistentVolumeClaim, after: PersistentVolumeClaim): boolean {
  return deepEqual(before.spec, after.spec) && deepEqual(before.status?.allocatedResources, after.status?.allocatedResources);
}
