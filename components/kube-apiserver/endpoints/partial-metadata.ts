import type { KubernetesList, KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse, WatchEvent } from '../../../src/api/request.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { ownersOf, withOwners } from '../managedfields/field-owners.ts';
import type { Negotiated } from './negotiate.ts';

/** The answer with nothing but the metadata of its objects. apiserver pkg/endpoints/handlers.asPartialObjectMetadata */
export function asPartialMetadata(response: ApiResponse, { as, group, version }: Negotiated): ApiResponse {
  const apiVersion = `${group}/${version}`;
  const { watch, body } = response;
  const partial = (object: KubernetesObject): KubernetesObject => partialMetadata(object, apiVersion);
  if (watch) {
    const convert = (event: WatchEvent): WatchEvent =>
      event.type === 'ERROR' ? event : { ...event, object: partial(event.object as KubernetesObject) };
    return {
      ...response,
      watch: {
        stop: () => watch.stop(),
        start: (sink) => watch.start({ next: (event) => sink.next(convert(event)), end: () => sink.end() }),
      },
    };
  }
  if (typeof body !== 'object' || body === null || (body as { kind?: string }).kind === 'Status') return response;
  const { items, metadata } = body as Partial<KubernetesList>;
  const list = as === 'PartialObjectMetadataList';
  const goType = `*core.${(body as KubernetesObject).kind}`;
  if (list && !items) throw notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType})`);
  if (!list && items) throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (${goType})`);
  if (!items) return { ...response, body: partial(body as KubernetesObject) };
  return {
    ...response,
    body: { kind: 'PartialObjectMetadataList', apiVersion, metadata, items: items.length > 0 ? items.map(partial) : null },
  };
}

function notAcceptable(message: string): ApiStatusError {
  return new ApiStatusError({ message, reason: 'NotAcceptable', code: 406 });
}

/** In the internal version, which the metadata is taken from, a field: only the conversion to apps/v1 makes it an annotation. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function partialMetadata(object: KubernetesObject, apiVersion: string): KubernetesObject {
  const { metadata } = object;
  if (object.kind !== 'DaemonSet' || metadata.annotations?.[TEMPLATE_GENERATION] === undefined) {
    return { kind: 'PartialObjectMetadata', apiVersion, metadata };
  }
  const { [TEMPLATE_GENERATION]: _, ...annotations } = metadata.annotations;
  const { annotations: __, ...rest } = metadata;
  const filled = Object.keys(annotations).length > 0 ? { annotations } : {};
  return withOwners({ kind: 'PartialObjectMetadata', apiVersion, metadata: { ...rest, ...filled } }, ownersOf(object));
}
