import type { KubernetesList, KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse, WatchEvent, WatchSink, WatchSource } from '../../../src/api/request.ts';
import { ConversionNeeded, withConversions } from '../apiextensions/conversion-webhook.ts';
import type { RequestContext } from '../request-context.ts';
import { runSteps, type Steps } from '../steps.ts';
import type { Conversion } from '../storage/conversion.ts';

/** The answer in the version that was asked for, where another one is stored. */
export function present(context: RequestContext, response: ApiResponse): ApiResponse {
  const { conversion } = context;
  if (!conversion || response.code >= 400) return response;
  const { watch, body } = response;
  if (watch) return { ...response, watch: convertedWatch(context, conversion, watch) };
  if (typeof body !== 'object' || body === null || OTHER_KINDS.has((body as { kind?: string }).kind ?? '')) return response;
  const { items } = body as Partial<KubernetesList>;
  if (items) return { ...response, body: { ...body, items: convertedItems(conversion, items) } };
  return { ...response, body: converted(conversion, body as KubernetesObject) };
}

/** All at once: what a webhook has to convert first is asked for in one request. */
function convertedItems(conversion: Conversion, items: readonly KubernetesObject[]): KubernetesObject[] {
  const missing: ConversionNeeded[] = [];
  const out = items.map((item) => {
    try {
      return converted(conversion, item);
    } catch (error) {
      if (!(error instanceof ConversionNeeded)) throw error;
      missing.push(error);
      return item;
    }
  });
  const [first] = missing;
  if (first)
    throw new ConversionNeeded(
      first.definition,
      missing.flatMap(({ objects }) => objects),
      first.apiVersion,
    );
  return out;
}

/** The events in order, each when it is converted. */
function convertedWatch({ server }: RequestContext, conversion: Conversion, watch: WatchSource): WatchSource {
  let stopped = false;
  const start = (sink: WatchSink): void => {
    const waiting: (WatchEvent | undefined)[] = [];
    let busy = false;
    const deliver = function* (): Steps<void> {
      while (waiting.length > 0 && !stopped) {
        const event = waiting[0];
        const shown = event && (yield* withConversions(server, () => convertedEvent(conversion, event)));
        waiting.shift();
        if (shown) sink.next(shown);
        else sink.end();
      }
    };
    const take = (event: WatchEvent | undefined): void => {
      waiting.push(event);
      if (busy) return;
      busy = true;
      const done = runSteps(deliver());
      if (!(done instanceof Promise)) busy = false;
      else
        done.then(
          () => {
            busy = false;
          },
          () => {
            stopped = true;
            watch.stop();
            sink.end();
          },
        );
    };
    watch.start({ next: take, end: () => take(undefined) });
  };
  const stop = (): void => {
    stopped = true;
    watch.stop();
  };
  return { start, stop };
}

function convertedEvent(conversion: Conversion, event: WatchEvent): WatchEvent {
  if (event.type === 'ERROR' || event.type === 'BOOKMARK') return event;
  return { ...event, object: converted(conversion, event.object as KubernetesObject) };
}

/** What answers a request about a resource without being one. */
const OTHER_KINDS: ReadonlySet<string> = new Set(['Status', 'Scale']);

const caches = new WeakMap<Conversion, WeakMap<KubernetesObject, KubernetesObject>>();

/** The same object for the same stored version, as if it were stored this way. */
function converted(conversion: Conversion, object: KubernetesObject): KubernetesObject {
  let cache = caches.get(conversion);
  if (!cache) {
    cache = new WeakMap();
    caches.set(conversion, cache);
  }
  let out = cache.get(object);
  if (!out) {
    out = Object.freeze(conversion.fromStorage(object));
    cache.set(object, out);
  }
  return out;
}
