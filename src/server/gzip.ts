import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { gzipThresholdOf } from '../api/compressible-response.ts';

const compress = promisify(gzip);
/** apiserver pkg/endpoints/handlers/responsewriters: fast rather than small. */
const LEVEL = 1;

/** The answer as the client takes it: in gzip when it is long enough. apiserver responsewriters.deferredResponseWriter */
export async function compressed(answer: Response, acceptEncoding: string | string[] | undefined): Promise<Response> {
  const threshold = gzipThresholdOf(answer);
  const { status, headers } = answer;
  if (threshold === undefined || !takesGzip(String(acceptEncoding ?? '')) || !answer.body) return answer;
  const bytes = await answer.arrayBuffer();
  if (bytes.byteLength <= threshold) return new Response(bytes, { status, headers });
  const body = new Uint8Array(await compress(bytes, { level: LEVEL }));
  headers.set('content-encoding', 'gzip');
  headers.append('vary', 'Accept-Encoding');
  return new Response(body, { status, headers });
}

/** Preferences are not looked at. */
function takesGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((encoding) => encoding.trim() === 'gzip');
}
