import type { Status } from './kinds/meta-v1.ts';
import type { KubernetesList, KubernetesObject } from './object.ts';
import type { Upgrade } from './streams.ts';

/** Who sends a request: apiserver pkg/authentication/user.Info */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** apiserver pkg/endpoints/request.RequestInfo, for resource and non-resource requests. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** get, list, watch, create, update, patch, delete, deletecollection; the lower-case HTTP method for non-resource requests. */
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * A request to kube-apiserver, the same for in-process callers and for HTTP. `query` holds the decoded query string (one value a key).
 * `body` is a parsed JSON value (in process), or the bytes as received (HTTP).
 */
export interface ApiRequest {
  readonly info: RequestInfo;
  /** Over HTTP: GET, POST, … */
  readonly method?: string;
  readonly query: Readonly<Record<string, string>>;
  /** All values of keys that come more than once in the query, such as `command` of exec. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
  readonly headers: {
    readonly accept?: string;
    /** `application/json`, or a patch type such as `application/strategic-merge-patch+json`. */
    readonly contentType?: string;
    readonly userAgent?: string;
  };
  readonly user: UserInfo;
  readonly body?: unknown;
  /** Heartbeats and lease renewals: what follows from them is background to the simulation. */
  readonly background?: boolean;
  /** Trace entry of the request; stages, writes and the response name it. */
  readonly traced: number;
}

export interface WatchEvent<T extends KubernetesObject = KubernetesObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  /** For ERROR a `Status`. */
  readonly object: T | Status;
  /** The revision of the change; also in `object.metadata.resourceVersion`. */
  readonly revision: number;
}

/** What an open watch feeds. `next` gets events in order; `end` is called once, when the stream closes by itself. */
export interface WatchSink {
  next(event: WatchEvent): void;
  end(): void;
}

/** kube-apiserver's end of a watch. Nothing is delivered before `start`. */
export interface WatchSource {
  start(sink: WatchSink): void;
  stop(): void;
}

export interface ApiResponse {
  readonly code: number;
  /** An object, a list, a Status, a Table …; absent for watches and for text answers. */
  readonly body?: KubernetesObject | KubernetesList | Status | unknown;
  readonly text?: string;
  /** A longer text may be compressed. */
  readonly gzipOver?: number;
  readonly warnings?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly watch?: WatchSource;
  /** The answer of a kubelet as it is: logs, streams. */
  readonly raw?: Response;
  /** The connection is taken over: exec, attach, portforward. */
  readonly upgrade?: Upgrade;
}

/** The door of kube-apiserver: answers never throw; failures are responses with a `Status`. */
export interface ApiHandler {
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
}
