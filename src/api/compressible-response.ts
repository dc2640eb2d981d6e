/** apiserver pkg/endpoints/handlers/responsewriters: what is shorter is sent as it is. */
const GZIP_THRESHOLD_BYTES = 128 * 1024;

const thresholds = new WeakMap<Response, number>();

/** Lets who sends the answer compress it, if it is longer than so many bytes and the client takes gzip. */
export function compressible(response: Response, threshold = GZIP_THRESHOLD_BYTES): Response {
  thresholds.set(response, threshold);
  return response;
}

/** Above how many bytes the answer may be compressed; undefined: never. */
export function gzipThresholdOf(response: Response): number | undefined {
  return thresholds.get(response);
}
