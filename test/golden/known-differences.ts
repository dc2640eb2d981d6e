/** Cases that do not match yet, and why. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  'cluster/node/only-node-stops-reporting': 'the recording has an annotation that comparing leaves out',
  'extensions/csi/claim-in-use':
    'who takes its finalizer off the deleted volume first, attacher, provisioner or the protection controller, is a race',
  'extensions/operator/delete-without-operator':
    'whether the look that its own status write leads to still sees the Database is a race: here it does (and is answered 404, as in database-delete), in this recording it did not',
  'extensions/operator/drift-corrected': 'the recording shows a Service that is created anew as a change of the one before; comparing shows all of it',
};

/** Cases that match when neighbouring writes of one component to one object are joined (`--relaxed`), and why not write for write. */
export const EQUAL_WHEN_RELAXED: Readonly<Record<string, string>> = {
  'workloads/daemonset/rolling-update-max-surge':
    'whether the first status counts pods made in the same sync is a race; here it always does, in this recording it never did',
  'workloads/deployment/proportional-scaling': 'two status syncs that the recordings have apart come together, and the other way round',
};

/**
 * Cases whose recording shows pods of the case that was recorded before it in the same cluster, and a case that leaves such pods behind: the case is played after it.
 * A namespace is deleted at the end of a case, and its pods five seconds later: until then they hold their devices.
 */
export const RECORDED_AFTER: Readonly<Record<string, string>> = {
  'extensions/device-plugin/three-pods-two-gpus': 'deployment-of-three',
  'extensions/device-plugin/unhealthy-device': 'three-pods-two-gpus',
};
