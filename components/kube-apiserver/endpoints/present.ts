import type { KubernetesList, KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse, WatchEvent } from '../../../src/api/request.ts';
import type { RequestContext } from '../request-context.ts';
import type { Conversion } from '../storage/conversion.ts';

/** The answer in the version that was asked for, where another one is stored. */
export function present(context: RequestContext, response: ApiResponse): ApiResponse {
  const { conversion } = context;
  if (!conversion || response.code >= 400) return response;
  const { watch, body } = response;
  if (watch) {
    const convert = (event: WatchEvent): WatchEvent =>
      event.type === 'ERROR' || event.type === 'BOOKMARK'
        ? event
        : { ...event, object: converted(conversion, event.object as KubernetesObject) };
    return {
      ...response,
      watch: {
        stop: () => watch.stop(),
        start: (sink) => watch.start({ next: (event) => sink.next(convert(event)), end: () => sink.end() }),
      },
    };
  }
  if (typeof body !== 'object' || body === null || OTHER_KINDS.has((body as { kind?: string }).kind ?? '')) return response;
  const { items } = body as Partial<KubernetesList>;
  if (items) return { ...response, body: { ...body, items: items.map((item) => converted(conversion, item)) } };
  return { ...response, body: converted(conversion, body as KubernetesObject) };
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
