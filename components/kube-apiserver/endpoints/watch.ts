import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse, WatchEvent, WatchSink, WatchSource } from '../../../src/api/request.ts';
import type { ApiStatusError } from '../../../src/api/status-error.ts';
import type { RequestContext } from '../request-context.ts';
import { selectionOf } from '../storage/selection.ts';
import { validateWatchOptions, withPathName } from './list-options.ts';
import { isTrue } from './query.ts';
import { parseResourceVersion, resourceExpired, tooLargeResourceVersion } from './revision.ts';
import { withDeadline } from './watch-deadline.ts';

/** GET of a collection with `watch`. apiserver pkg/endpoints/handlers.ListResource, pkg/storage/cacher.Cacher.Watch */
export function watch(context: RequestContext): ApiResponse {
  const query = withPathName(context.request.query, context.request.info.name);
  validateWatchOptions(query);
  const selection = selectionOf(context, query);
  const namespace = context.namespace || (context.resource.namespaced ? (selection.fieldEquals('metadata.namespace') ?? '') : '');
  const { resourceVersion = '' } = query;
  const wanted = parseResourceVersion(resourceVersion);
  const bookmarks = isTrue(query['allowWatchBookmarks']);
  const sendInitialEvents = initialEventsWanted(query, wanted);
  const { etcd, watchCache } = context.storage;
  if (sendInitialEvents) {
    if (wanted > etcd.revision)
      return { code: 200, watch: failedWatch(tooLargeResourceVersion({ wanted, current: etcd.revision, retryAfterSeconds: 1 })) };
    return {
      code: 200,
      watch: withDeadline(context, watchCache.watch({ namespace, selection, initialEventsEnd: bookmarks }), { bookmarks }),
    };
  }
  const since = wanted === 0 ? etcd.revision : wanted;
  if (since < etcd.compactRevision) return { code: 200, watch: failedWatch(resourceExpired(tooOld(context, wanted))) };
  return { code: 200, watch: withDeadline(context, watchCache.watch({ namespace, selection, since }), { bookmarks }) };
}

/** Events have no watch cache: their watches reach the store, which words it differently. */
function tooOld(context: RequestContext, wanted: number): string {
  if (context.storage.resource.resource === 'events') return 'The resourceVersion for the provided watch is too old.';
  return `too old resource version: ${wanted} (${context.storage.etcd.compactRevision})`;
}

/** A watch that names no version begins with the objects that are there. apiserver pkg/apis/meta/internalversion.SetListOptionsDefaults */
function initialEventsWanted(query: Readonly<Record<string, string>>, resourceVersion: number): boolean {
  const { sendInitialEvents, resourceVersionMatch = '' } = query;
  if (sendInitialEvents !== undefined) return isTrue(sendInitialEvents);
  return resourceVersion === 0 && resourceVersionMatch === '';
}

/** A watch that tells its error and ends. */
function failedWatch(error: ApiStatusError): WatchSource {
  const event: WatchEvent<KubernetesObject> = { type: 'ERROR', object: error.status, revision: 0 };
  return {
    start: (sink: WatchSink) => {
      sink.next(event);
      sink.end();
    },
    stop: () => {},
  };
}
