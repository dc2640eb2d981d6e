import type { Scale } from '../api/kinds/autoscaling-v1.ts';
import type { DeleteOptions } from '../api/kinds/meta-v1.ts';
import type { KubernetesList, KubernetesObject, NamespacedName } from '../api/object.ts';
import type { RequestInfo, WatchSink } from '../api/request.ts';
import { apiVersionOf, type Resource } from '../api/resource.ts';
import type { Actor } from '../sim/actor.ts';
import type { Client } from './client.ts';
import { responseError } from './response-error.ts';
import type { WatchHandle } from './transport.ts';

/** How a patch is written: as RFC 6902, as RFC 7386, as Kubernetes' strategic merge patch, or as server-side apply. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const PATCH_CONTENT_TYPES: Record<PatchType, string> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Options of every write. */
export interface RequestOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** For heartbeats: neither the request nor what watchers hear of it keeps the simulation unsettled. */
  readonly background?: boolean;
}

/** Options of writes that may go to a subresource. */
export interface WriteOptions extends RequestOptions {
  /** e.g. `status`, `binding`, `eviction`, `scale`, `resize`. */
  readonly subresource?: string;
}

/** Options of a patch. */
export interface PatchOptions extends WriteOptions {
  readonly type: PatchType;
  /** Server-side apply only. */
  readonly force?: boolean;
  /** Have nothing but the metadata answered, as client-go's metadata client asks for. */
  readonly metadataOnly?: boolean;
}

const PARTIAL_OBJECT_METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';

/** Which objects to list, and of which version: meta/v1 ListOptions. */
export interface ListOptions {
  /** All namespaces if absent. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** Which objects to watch, from which version on. */
export interface WatchOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
}

/** The requests that one can make about one resource. Objects that come back are frozen; make changed copies with Immer's `produce`. */
export interface ResourceClient<T extends KubernetesObject> {
  readonly resource: Resource<T>;
  /** On whose behalf requests are made; its actor gets the answers and watch events. */
  readonly client: Client;
  readonly actor: Actor;
  get(at: NamespacedName, options?: { resourceVersion?: string; subresource?: string }): Promise<T>;
  list(options?: ListOptions): Promise<KubernetesList<T>>;
  /** Rejects with `ApiStatusError` when refused. Events arrive as events of the caller's actor. */
  watch(options: WatchOptions, sink: WatchSink): Promise<WatchHandle>;
  create(object: T, options?: RequestOptions): Promise<T>;
  update(object: T, options?: WriteOptions): Promise<T>;
  updateStatus(object: T, options?: RequestOptions): Promise<T>;
  patch(at: NamespacedName, patch: unknown, options: PatchOptions): Promise<T>;
  /** Resolves with what the server answers: the object, or a Status. */
  delete(at: NamespacedName, options?: Omit<DeleteOptions, 'dryRun'> & RequestOptions): Promise<unknown>;
  deleteCollection(list: ListOptions, options?: DeleteOptions): Promise<unknown>;
  /** POST to a subresource, e.g. `binding`, `eviction`, `token`. */
  createSubresource(at: NamespacedName, subresource: string, body: KubernetesObject | Record<string, unknown>): Promise<unknown>;
  getScale(at: NamespacedName): Promise<Scale>;
  updateScale(scale: Scale): Promise<Scale>;
}

/** @internal Use `Client.resource`. */
export class TypedResourceClient<T extends KubernetesObject> implements ResourceClient<T> {
  readonly resource: Resource<T>;
  readonly client: Client;

  constructor(client: Client, resource: Resource<T>) {
    this.client = client;
    this.resource = resource;
  }

  get actor(): Actor {
    return this.client.actor;
  }

  get(at: NamespacedName, options: { resourceVersion?: string; subresource?: string } = {}): Promise<T> {
    const query = options.resourceVersion === undefined ? {} : { resourceVersion: options.resourceVersion };
    return this.#call(this.#info('get', at, options.subresource), { query });
  }

  list(options: ListOptions = {}): Promise<KubernetesList<T>> {
    return this.#call(this.#info('list', { namespace: options.namespace, name: selectedName(options) }), { query: listQuery(options) });
  }

  async watch(options: WatchOptions, sink: WatchSink): Promise<WatchHandle> {
    const info = this.#info('watch', { namespace: options.namespace, name: selectedName(options) });
    const { response, handle } = await this.client.openWatch({ info, query: { watch: 'true', ...watchQuery(options) }, headers: {} }, sink);
    if (response.code >= 400) throw responseError(response, info);
    return handle;
  }

  create(object: T, options: RequestOptions = {}): Promise<T> {
    return this.#call(this.#info('create', { namespace: object.metadata.namespace, name: '' }), {
      body: this.#typed(object),
      ...common(options),
    });
  }

  update(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#call(this.#info('update', placeOf(object), options.subresource), { body: this.#typed(object), ...common(options) });
  }

  updateStatus(object: T, options: RequestOptions = {}): Promise<T> {
    return this.update(object, { ...options, subresource: 'status' });
  }

  patch(at: NamespacedName, patch: unknown, options: PatchOptions): Promise<T> {
    const { query, ...rest } = common(options);
    const force = options.force === undefined ? {} : { force: String(options.force) };
    return this.#call(this.#info('patch', at, options.subresource), {
      body: patch,
      contentType: PATCH_CONTENT_TYPES[options.type],
      ...(options.metadataOnly ? { accept: PARTIAL_OBJECT_METADATA } : {}),
      query: { ...query, ...force },
      ...rest,
    });
  }

  delete(at: NamespacedName, options: Omit<DeleteOptions, 'dryRun'> & RequestOptions = {}): Promise<unknown> {
    const { dryRun, fieldManager, fieldValidation, background, ...rest } = options;
    // In the body, with the other options: where there is one, the query counts for nothing.
    const body = { ...rest, ...(dryRun ? { dryRun: ['All'] } : {}) };
    const request = Object.keys(body).length ? { body: { kind: 'DeleteOptions', apiVersion: 'v1', ...body } } : {};
    return this.#call(this.#info('delete', at), { ...request, ...common(background ? { background } : {}) });
  }

  deleteCollection(list: ListOptions, options: DeleteOptions = {}): Promise<unknown> {
    const info = this.#info('deletecollection', { namespace: list.namespace, name: '' });
    return this.#call(info, { body: { kind: 'DeleteOptions', apiVersion: 'v1', ...options }, query: listQuery(list) });
  }

  createSubresource(at: NamespacedName, subresource: string, body: KubernetesObject | Record<string, unknown>): Promise<unknown> {
    return this.#call(this.#info('create', at, subresource), { body });
  }

  getScale(at: NamespacedName): Promise<Scale> {
    return this.#call(this.#info('get', at, 'scale'), {});
  }

  updateScale(scale: Scale): Promise<Scale> {
    return this.#call(this.#info('update', placeOf(scale), 'scale'), { body: scale });
  }

  async #call<R>(
    info: RequestInfo,
    request: { query?: Record<string, string>; body?: unknown; contentType?: string; accept?: string; background?: boolean },
  ): Promise<R> {
    const { body, background, accept } = request;
    const headers = {
      ...(body === undefined ? {} : { contentType: request.contentType ?? 'application/json' }),
      ...(accept === undefined ? {} : { accept }),
    };
    const response = await this.client.send({
      info,
      query: request.query ?? {},
      headers,
      ...(body === undefined ? {} : { body }),
      ...(background ? { background } : {}),
    });
    if (response.code >= 400) throw responseError(response, info);
    return response.body as R;
  }

  #typed(object: T): T {
    return object.kind && object.apiVersion ? object : { ...object, kind: this.resource.kind, apiVersion: apiVersionOf(this.resource) };
  }

  #info(verb: string, at: NamespacedName, subresource = ''): RequestInfo {
    const { group, version, resource } = this.resource;
    const namespace = this.resource.namespaced ? (at.namespace ?? '') : '';
    return { isResourceRequest: true, verb, path: '', group, version, resource, subresource, namespace, name: at.name };
  }
}

function placeOf(object: KubernetesObject): NamespacedName {
  return { namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
}

function common(options: RequestOptions): { query: Record<string, string>; background?: boolean } {
  const query: Record<string, string> = {};
  if (options.dryRun) query.dryRun = 'All';
  if (options.fieldManager) query.fieldManager = options.fieldManager;
  if (options.fieldValidation) query.fieldValidation = options.fieldValidation;
  return options.background ? { query, background: true } : { query };
}

function listQuery(options: ListOptions): Record<string, string> {
  const { namespace: _, ...rest } = options;
  return Object.fromEntries(Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])));
}

function watchQuery(options: WatchOptions): Record<string, string> {
  return listQuery(options as ListOptions);
}

/** apiserver pkg/endpoints/request NewRequestInfo: a list or watch of one object by `metadata.name` counts as a request for that name. */
function selectedName(options: { readonly fieldSelector?: string }): string {
  return /^metadata\.name=([^,!=]+)$/.exec(options.fieldSelector ?? '')?.[1] ?? '';
}
