/** An attempt to start a container came to nothing. `reason` is what the container's waiting state will show; pkg/kubelet/container SyncResult. */
export class StartContainerError extends Error {
  override name = 'StartContainerError';
  readonly reason: string;
  /** The next try is held back by a back-off that has reached its maximum. */
  readonly slow: boolean;

  constructor(reason: string, message: string, options: { readonly slow?: boolean } = {}) {
    super(message);
    this.reason = reason;
    this.slow = options.slow ?? false;
  }
}

/** What a sync reports when something failed: the pod comes again after a while. */
export class SyncPodError extends Error {
  override name = 'SyncPodError';
  readonly slow: boolean;
  readonly networkNotReady: boolean;

  constructor(message: string, options: { readonly slow?: boolean; readonly networkNotReady?: boolean } = {}) {
    super(message);
    this.slow = options.slow ?? false;
    this.networkNotReady = options.networkNotReady ?? false;
  }
}
