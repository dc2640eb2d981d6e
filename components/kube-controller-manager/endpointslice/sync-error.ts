/** A sync of a Service did not do all that it should have; it is tried again. */
export class SyncError extends Error {
  override name = 'SyncError';
}
