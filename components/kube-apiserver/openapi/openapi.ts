import { compressible } from '../../../src/api/compressible-response.ts';
import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { digestOf } from '../http/etag.ts';
import type { ServerCore } from '../server-core.ts';
import { ResourcePaths } from './paths.ts';
import { OpenApiSchemas, schemaStamp } from './schemas.ts';
import { openApiV2 } from './v2.ts';
import { encodeV2, V2_PROTOBUF_TYPE, wantsV2Protobuf } from './v2-protobuf.ts';

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly text: string;
  readonly hash: string;
}

/** What its handler begins to compress at: the size of a packet. */
const V2_GZIP_THRESHOLD = 1400;

const made = new WeakMap<ServerCore, OpenApi>();

/** Answers for `/openapi/v2` and `/openapi/v3`; undefined for other paths. */
export function openApi(server: ServerCore, request: ApiRequest): ApiResponse | undefined {
  if (!request.info.path.startsWith('/openapi/')) return undefined;
  let documents = made.get(server);
  if (!documents) {
    documents = new OpenApi(server);
    made.set(server, documents);
  }
  return documents.answer(request);
}

const SECURITY = { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } };

/** `/openapi/v2` and `/openapi/v3`: kube-openapi pkg/handler and pkg/handler3. Documents are made when first asked for, and kept until the set of kinds changes. */
class OpenApi {
  readonly #server: ServerCore;
  readonly #documents = new Map<string, Document>();
  #stamp = '';
  #encoded: Uint8Array<ArrayBuffer> | undefined;

  constructor(server: ServerCore) {
    this.#server = server;
  }

  /** Undefined for other paths. */
  answer(request: ApiRequest): ApiResponse | undefined {
    const { path } = request.info;
    const [, version, below = ''] = /^\/openapi\/(v[23])(?:\/(.*?))?\/?$/.exec(path) ?? [];
    if (!version || (version === 'v2' && below)) return undefined;
    this.#refresh();
    if (version === 'v2' && wantsV2Protobuf(request.headers.accept)) return { code: 200, raw: this.#protobuf() };
    if (!acceptsJson(request.headers.accept)) return { code: 406, text: '' };
    const document =
      version === 'v2'
        ? this.#document('v2', () => this.#v2())
        : below === ''
          ? this.#document('v3', () => this.#root())
          : this.#groupVersion(below);
    if (!document) return undefined;
    const { hash } = request.query;
    if (hash !== undefined && hash !== document.hash) return { code: 301, text: '', headers: { location: urlOf(below, document) } };
    const headers = headersOf(document, hash === undefined ? undefined : this.#server.simulation.wallTime);
    return { code: 200, text: document.text, headers, ...(version === 'v2' ? { gzipOver: V2_GZIP_THRESHOLD } : {}) };
  }

  #protobuf(): Response {
    this.#encoded ??= encodeV2(this.#v2());
    const headers = { 'content-type': V2_PROTOBUF_TYPE, vary: 'Accept' };
    return compressible(new Response(this.#encoded, { headers }), V2_GZIP_THRESHOLD);
  }

  #refresh(): void {
    const stamp = schemaStamp(this.#server, this.#resources());
    if (stamp === this.#stamp) return;
    this.#documents.clear();
    this.#encoded = undefined;
    this.#stamp = stamp;
  }

  #document(name: string, make: () => Json): Document {
    let document = this.#documents.get(name);
    if (!document) {
      const text = JSON.stringify(make());
      document = { text, hash: digestOf(text) };
      this.#documents.set(name, document);
    }
    return document;
  }

  #resources(): Resource[] {
    return [...this.#server.resources()];
  }

  /** The root names a document for each group version, with its hash. */
  #root(): Json {
    const names = [...new Set(this.#resources().map(nameOf))].sort();
    const paths = names.map((name) => [name, { serverRelativeURL: urlOf(name, this.#groupVersion(name)) }]);
    return { paths: Object.fromEntries(paths) };
  }

  #groupVersion(name: string): Document | undefined {
    const resources = this.#resources().filter((resource) => nameOf(resource) === name);
    return resources.length === 0 ? undefined : this.#document(`v3/${name}`, () => this.#v3(resources));
  }

  #v3(resources: readonly Resource[]): Json {
    const schemas = new OpenApiSchemas(this.#server);
    const paths = pathsOf(resources, schemas);
    const named = resources.flatMap(({ group, version, kind }) => schemas.nameOf({ group, version, kind }) ?? []);
    const used = [...JSON.stringify(paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, ref = '']) => ref);
    const components = { schemas: schemas.closure([...named, ...used]), securitySchemes: SECURITY };
    return { openapi: '3.0.0', info: { title: 'Kubernetes', version: '1.34' }, paths, components };
  }

  #v2(): Json {
    const schemas = new OpenApiSchemas(this.#server);
    const paths = pathsOf(this.#resources(), schemas);
    const used = [...JSON.stringify(paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, ref = '']) => ref);
    return openApiV2(paths, schemas.closure(used));
  }
}

function nameOf({ group, version }: Resource): string {
  return group ? `apis/${group}/${version}` : `api/${version}`;
}

function pathsOf(resources: readonly Resource[], schemas: OpenApiSchemas): Record<string, Json> {
  const all = resources.flatMap((resource) => Object.entries(new ResourcePaths(resource, schemas).paths()));
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function urlOf(name: string, document: Document | undefined): string {
  return `/openapi/v3/${name}?hash=${document?.hash ?? ''}`;
}

/** A document asked for by its hash never changes. */
function headersOf({ hash }: Document, now: number | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    etag: `"${hash}"`,
    vary: 'Accept',
    ...(now === undefined ? {} : { 'cache-control': 'public, immutable', expires: inAYear(now) }),
  };
}

/** In the form of RFC 1123, as Go writes it. */
function inAYear(now: number): string {
  const date = new Date(now);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.toUTCString().replace('GMT', 'UTC');
}

function acceptsJson(accept = ''): boolean {
  return accept === '' || /\*\/\*|application\/(json|\*)/.test(accept);
}
