import type { Event } from '../../../src/api/kinds/core-v1.ts';
import type { Event as EventV1 } from '../../../src/api/kinds/events-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import { AUTOSCALERS } from './autoscaling-conversion.ts';

/** Between a version that is served and the one that is stored. */
export interface Conversion {
  toStorage(object: KubernetesObject): KubernetesObject;
  fromStorage(object: KubernetesObject): KubernetesObject;
}

/** The conversion of a resource that is stored in another form than this one; undefined when it is stored as it is. */
export function conversionOf(about: Pick<Resource, 'group' | 'version' | 'resource'>): Conversion | undefined {
  const { group, version, resource } = about;
  if (group === 'events.k8s.io' && resource === 'events') return EVENTS;
  if (group === 'autoscaling' && version === 'v1' && resource === 'horizontalpodautoscalers') return AUTOSCALERS;
  return customResourceVersionOf(about)?.conversion;
}

/** Leaves out keys without value. */
function defined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/** pkg/apis/core/v1 and pkg/apis/events/v1 Convert_…_Event */
const EVENTS: Conversion = {
  toStorage: (object) => {
    const {
      regarding,
      note,
      reportingController,
      deprecatedSource,
      deprecatedFirstTimestamp,
      deprecatedLastTimestamp,
      deprecatedCount,
      ...rest
    } = object as EventV1;
    return defined({
      ...rest,
      apiVersion: 'v1',
      involvedObject: regarding ?? {},
      message: note,
      reportingComponent: reportingController ?? '',
      reportingInstance: rest.reportingInstance ?? '',
      source: deprecatedSource ?? {},
      firstTimestamp: deprecatedFirstTimestamp ?? undefined,
      lastTimestamp: deprecatedLastTimestamp ?? undefined,
      count: deprecatedCount,
    }) as KubernetesObject;
  },
  fromStorage: (object) => {
    const { involvedObject, message, reportingComponent, source, firstTimestamp, lastTimestamp, count, ...rest } = object as Event;
    return defined({
      ...rest,
      apiVersion: 'events.k8s.io/v1',
      regarding: involvedObject,
      note: message,
      reportingController: reportingComponent || undefined,
      reportingInstance: rest.reportingInstance || undefined,
      deprecatedSource: source,
      deprecatedFirstTimestamp: firstTimestamp,
      deprecatedLastTimestamp: lastTimestamp,
      deprecatedCount: count,
    }) as KubernetesObject;
  },
};
