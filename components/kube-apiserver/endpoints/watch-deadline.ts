import type { WatchSink, WatchSource } from '../../../src/api/request.ts';
import type { Timer } from '../../../src/sim/actor.ts';
import type { RequestContext } from '../request-context.ts';
import type { Watcher } from '../storage/watch-cache.ts';

/** apiserver --min-request-timeout */
const MIN_REQUEST_TIMEOUT_MS = 1_800_000;
const BOOKMARK_PERIOD_MS = 60_000;
const BOOKMARK_BEFORE_DEADLINE_MS = 2_000;

/**
 * Ends a watch after its time (`timeoutSeconds`, else 30 to 60 minutes), with bookmarks every minute and shortly before the end if the client takes
 * them. apiserver pkg/storage/cacher bookmark timer, pkg/endpoints/handlers.ListResource timeout
 */
export function withDeadline(
  context: RequestContext,
  source: WatchSource & { readonly watcher: () => Watcher | undefined },
  { bookmarks }: { readonly bookmarks: boolean },
): WatchSource {
  const { actor } = context.server.config;
  if (!actor) return source;
  const seconds = Number(context.request.query['timeoutSeconds'] ?? 0);
  const timeoutMs = seconds > 0 ? seconds * 1000 : Math.round(context.server.random.jitter(MIN_REQUEST_TIMEOUT_MS, 1));
  const timers = new Set<Timer>();
  const after = (delayMs: number, run: () => void): void => {
    const timer = actor.schedule(
      delayMs,
      () => {
        timers.delete(timer);
        run();
      },
      { priority: 'background', label: 'kube-apiserver: watches' },
    );
    timers.add(timer);
  };
  const stop = (): void => {
    for (const timer of timers) timer.cancel();
    timers.clear();
    source.stop();
  };
  const bookmark = (sink: WatchSink): void => {
    const { etcd, watchCache } = context.storage;
    const watcher = source.watcher();
    if (watcher) sink.next(watchCache.bookmark(Math.max(watcher.lastRevision, Math.min(etcd.revision, watchCache.lastRevision))));
  };
  const every = (sink: WatchSink): void =>
    after(BOOKMARK_PERIOD_MS, () => {
      bookmark(sink);
      every(sink);
    });
  return {
    stop,
    start: (sink) => {
      if (bookmarks) {
        every(sink);
        if (timeoutMs > BOOKMARK_BEFORE_DEADLINE_MS) after(timeoutMs - BOOKMARK_BEFORE_DEADLINE_MS, () => bookmark(sink));
      }
      after(timeoutMs, () => {
        stop();
        sink.end();
      });
      source.start({
        next: (event) => sink.next(event),
        end: () => {
          stop();
          sink.end();
        },
      });
    },
  };
}
