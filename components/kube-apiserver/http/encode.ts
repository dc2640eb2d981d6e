import { stringify } from 'yaml';
import { compressible } from '../../../src/api/compressible-response.ts';
import type { ApiResponse, WatchEvent, WatchSource } from '../../../src/api/request.ts';
import { upgradeResponse } from '../../../src/api/upgrade-response.ts';
import { type MediaType, negotiate, OBJECT_ALTERNATIVES } from '../endpoints/negotiate.ts';
import { isTyped, PROTOBUF, protobufAnswer, protobufFrame } from './encode-protobuf.ts';
import { jsonOf, withTypeFirst } from './json-form.ts';
import { warningHeaders } from './warnings.ts';

/** How an answer is written. */
export interface Encoding {
  readonly mediaType: MediaType;
  readonly pretty: boolean;
  readonly head: boolean;
}

export function negotiateEncoding(request: Request): Encoding {
  const chosen = negotiate(request.headers.get('accept') ?? '', OBJECT_ALTERNATIVES);
  const { searchParams } = new URL(request.url);
  const wanted = searchParams.get('pretty');
  const agent = request.headers.get('user-agent') ?? '';
  const pretty = wanted === null ? /^(curl|Wget)/.test(agent) : wanted !== 'false' && wanted !== '0';
  return {
    mediaType: chosen?.mediaType ?? 'application/json',
    pretty: pretty || (chosen?.pretty ?? false),
    head: request.method === 'HEAD',
  };
}

/** The answer as HTTP. */
export function encodeResponse(response: ApiResponse, encoding: Encoding, signal: AbortSignal): Response {
  if (response.raw) return response.raw;
  if (response.upgrade) return upgradeResponse(response.upgrade);
  const headers = new Headers({ 'cache-control': 'no-cache, private', ...response.headers });
  if (response.warnings) for (const header of warningHeaders(response.warnings)) headers.append('warning', header);
  const retryAfter = (response.body as { details?: { retryAfterSeconds?: number } } | undefined)?.details?.retryAfterSeconds;
  if (response.code >= 400 && retryAfter) headers.set('retry-after', String(retryAfter));
  if (response.watch) return encodeWatch(response.watch, { headers, encoding, signal });
  if (response.text !== undefined) {
    if (!headers.has('content-type')) headers.set('content-type', 'text/plain; charset=utf-8');
    const answer = new Response(encoding.head ? null : response.text, { status: response.code, headers });
    return response.gzipOver === undefined ? answer : compressible(answer, response.gzipOver);
  }
  if (response.body === undefined) return new Response(null, { status: response.code, headers });
  const protobuf = encoding.mediaType === PROTOBUF && !headers.has('content-type');
  if (protobuf && isTyped(response.body)) {
    const { code, bytes } = protobufAnswer(response);
    headers.set('content-type', PROTOBUF);
    return compressible(new Response(encoding.head ? null : bytes, { status: code, headers }));
  }
  if (!headers.has('content-type')) headers.set('content-type', protobuf ? 'application/json' : encoding.mediaType);
  return compressible(new Response(encoding.head ? null : encodeBody(response.body, encoding), { status: response.code, headers }));
}

function encodeBody(body: unknown, { mediaType, pretty }: Encoding): string {
  if (mediaType === 'application/yaml')
    return stringify(withTypeFirst(body), { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false });
  return `${pretty ? JSON.stringify(withTypeFirst(body), null, 2) : jsonOf(body)}\n`;
}

interface WatchAnswer {
  readonly headers: Headers;
  readonly encoding: Encoding;
  readonly signal: AbortSignal;
}

/** A watch as a stream until the watch or the client ends it: one JSON object a line, or frames of protobuf. */
function encodeWatch(watch: WatchSource, { headers, encoding, signal }: WatchAnswer): Response {
  const protobuf = encoding.mediaType === PROTOBUF;
  headers.set('content-type', protobuf ? `${PROTOBUF};stream=watch` : 'application/json');
  const encoder = new TextEncoder();
  const encode = (event: WatchEvent): Uint8Array =>
    protobuf ? protobufFrame(event) : encoder.encode(`{"type":"${event.type}","object":${jsonOf(event.object)}}\n`);
  let open = true;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const close = (): void => {
        if (!open) return;
        open = false;
        watch.stop();
        controller.close();
      };
      signal.addEventListener('abort', close);
      watch.start({
        next: (event: WatchEvent) => {
          if (open) controller.enqueue(encode(event));
        },
        end: close,
      });
      if (signal.aborted) close();
    },
    cancel: () => {
      open = false;
      watch.stop();
    },
  });
  return new Response(stream, { status: 200, headers });
}
