import type { ExecSyncResponse } from './cri.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** core/v1 PodLogOptions, as far as it is modelled. */
export interface LogOptions {
  /** The pod's only or first one if absent. */
  readonly container?: string;
  /** The instance before the present one. */
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly sinceTime?: number;
  readonly timestamps?: boolean;
}

/** What a kubelet serves to kube-apiserver on port 10250. The cluster connects each node's with kube-apiserver. */
export interface KubeletApi {
  /** A request for a subresource of a pod that kube-apiserver hands on: `log`, also with `follow`. Failures are answers with a Status. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** What a container wrote. @throws ApiStatusError */
  containerLogs(at: { readonly namespace: string; readonly pod: string }, options: LogOptions): Promise<string>;
  /** Runs a command in a container to its end. @throws ApiStatusError */
  exec(
    at: { readonly namespace: string; readonly pod: string },
    options: { readonly container?: string; readonly command: readonly string[] },
  ): Promise<ExecSyncResponse>;
}
