/** Cases that do not match yet, and why. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {};

/** Cases that match when neighbouring writes of one component to one object are joined (`--relaxed`), and why not write for write. */
export const EQUAL_WHEN_RELAXED: Readonly<Record<string, string>> = {
  'workloads/deployment/proportional-scaling': 'two status syncs that the recordings have apart come together, and the other way round',
  'workloads/deployment/rolling-update-of-two': 'two status syncs that the recordings have together come apart',
};
