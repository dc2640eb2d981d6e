/** What a test expected of a cluster is not so. The message says what was found instead. */
export class ExpectationError extends Error {
  override name = 'ExpectationError';
}
