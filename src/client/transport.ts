import type { ApiRequest, ApiResponse, WatchSink } from '../api/request.ts';

/** An open watch as the client sees it. */
export interface WatchHandle {
  stop(): void;
}

/**
 * The way from a component to kube-apiserver. The cluster hands one to each component; faults live in it.
 * Rejects with `ActorUnavailable` when kube-apiserver cannot be reached; failures that it answers are responses.
 */
export interface Transport {
  request(request: ApiRequest): Promise<ApiResponse>;
  /** Resolves when the watch is open (code 200; events then go to `sink`, each batch in an event of the caller), or with the refusal. */
  watch(request: ApiRequest, sink: WatchSink): Promise<{ readonly response: ApiResponse; readonly handle: WatchHandle }>;
  /** Calls `listener` each time when the way to kube-apiserver, or kube-apiserver itself, is back; returns a function that ends it. */
  onReachable(listener: () => void): () => void;
}
