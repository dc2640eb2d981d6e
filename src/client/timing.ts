/**
 * How long things between components take, in virtual milliseconds. One model for all; a fault may slow a single way down.
 * The values stand for a quiet cluster on one machine: what matters is their order, not their size.
 */
export interface Timing {
  /** From the sender of a request to kube-apiserver. */
  readonly requestMs: number;
  /** From kube-apiserver back. etcd's commit is part of it. */
  readonly responseMs: number;
  /** From the commit of a change to a watcher's event handler. Longer than `responseMs`, so that a writer hears its own answer before its watch tells of it. */
  readonly watchMs: number;
  /**
   * From the commit of a change to kube-apiserver's own watch cache, out of which it answers a GET with resourceVersion=0. Part of `watchMs`, and no longer than
   * `requestMs` and `responseMs` together: who was answered sees what he wrote. With it controllers that read a node out of the cache lose the races that the recordings show lost.
   */
  readonly watchCacheMs: number;
}

export const DEFAULT_TIMING: Timing = { requestMs: 1, responseMs: 1, watchMs: 2, watchCacheMs: 1 };
