import {
  type ContainerRuntimeInterface,
  type ExecListener,
  type ExecStream,
  type ExecSyncResponse,
  type LogLine,
  RuntimeError,
} from '../../src/api/cri.ts';
import type { ContainerStatus, Pod, PodStatus } from '../../src/api/kinds/core-v1.ts';
import type { KubeletApi, LogOptions } from '../../src/api/kubelet-api.ts';
import type { ApiRequest, ApiResponse } from '../../src/api/request.ts';
import { ApiStatusError, newBadRequest, newNotFound } from '../../src/api/status-error.ts';
import { formatMicroTime, parseTime } from '../../src/api/time.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { findContainer } from './container/runtime.ts';
import { formatResourceMetrics } from './metrics/resource-metrics.ts';
import { servePortForward } from './port-forward.ts';
import { serveCommand } from './streaming.ts';

interface KubeletServerParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  /** When its machine started, in milliseconds since 1970. */
  readonly bootTime: number;
  readonly podByName: (namespace: string, name: string) => Pod | undefined;
  readonly podStatus: (uid: string) => PodStatus | undefined;
}

const PODS = { group: '', resource: 'pods' };

/** The kubelet's own API, which kube-apiserver calls for `kubectl logs` and `kubectl exec`: pkg/kubelet/server Server. */
export class KubeletServer implements KubeletApi {
  readonly #parts: KubeletServerParts;

  constructor(parts: KubeletServerParts) {
    this.#parts = parts;
  }

  get actor(): Actor {
    return this.#parts.actor;
  }

  async handle(request: ApiRequest): Promise<ApiResponse> {
    const { isResourceRequest, namespace, name, subresource } = request.info;
    try {
      if (!isResourceRequest) return await this.#page(request.info.path);
      const at = { namespace, pod: name };
      if (subresource === 'exec' || subresource === 'attach') return this.#command(at, subresource, request);
      if (subresource === 'portforward') return this.#portForward(at);
      const options = logOptions(request.query);
      const text = await this.containerLogs(at, options);
      return request.query['follow'] === 'true' ? this.#follow(at, options, text) : { code: 200, text };
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
      return { code: error.code, body: error.status };
    }
  }

  /** What the kubelet serves besides its API. */
  async #page(path: string): Promise<ApiResponse> {
    if (path === '/healthz') return { code: 200, text: 'ok' };
    if (path !== '/metrics/resource') return { code: 404, text: '404 page not found\n' };
    const { actor, runtime, bootTime } = this.#parts;
    const stats = await runtime.listContainerStats();
    return { code: 200, text: formatResourceMetrics(stats, { bootTime, time: actor.wallTime }) };
  }

  /** pkg/kubelet/server getExec, getAttach */
  #command(
    at: { readonly namespace: string; readonly pod: string },
    what: 'exec' | 'attach',
    { query, repeated }: ApiRequest,
  ): ApiResponse {
    const { runtime } = this.#parts;
    const { name, status } = this.#find(at, query['container'] || undefined);
    const id = status?.state?.running ? bareId(status.containerID ?? '') : '';
    if (!id) throw internal(`container not found ("${name}")`);
    const [stdin, tty] = [query['stdin'] === 'true', query['tty'] === 'true'];
    const command = repeated?.['command'] ?? (query['command'] === undefined ? [] : [query['command']]);
    const join = (listener: ExecListener): Promise<ExecStream> =>
      what === 'exec' ? runtime.exec(id, { command, stdin, tty }, listener) : runtime.attach(id, { stdin }, listener);
    return { code: 101, upgrade: serveCommand(join, what) };
  }

  /** pkg/kubelet/server getPortForward */
  #portForward(at: { readonly namespace: string; readonly pod: string }): ApiResponse {
    const { runtime, podByName, podStatus } = this.#parts;
    const pod = podByName(at.namespace, at.pod);
    if (!pod) throw newNotFound(PODS, at.pod);
    const host = (podStatus(pod.metadata.uid ?? '') ?? pod.status)?.podIP;
    if (!host) throw internal(`unable to forward port because pod is not running`);
    return { code: 101, upgrade: servePortForward({ network: runtime.network, host }) };
  }

  /** The log so far, then what is written from now on, until the container ends. */
  #follow(at: { readonly namespace: string; readonly pod: string }, options: LogOptions, text: string): ApiResponse {
    const { status } = this.#find(at, options.container);
    const id = bareId(status?.containerID ?? '');
    const encoder = new TextEncoder();
    let stop = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (text) controller.enqueue(encoder.encode(text));
        const onLine = (line: LogLine): void => controller.enqueue(encoder.encode(formatLines([line], options.timestamps ?? false)));
        stop = this.#parts.runtime.followLogs(id, { onLine, onEnd: () => controller.close() });
      },
      cancel: () => stop(),
    });
    return { code: 200, raw: new Response(body, { headers: { 'content-type': 'text/plain' } }) };
  }

  /** pkg/kubelet/kubelet_pods.go GetKubeletContainerLogs. @throws ApiStatusError */
  async containerLogs(at: { readonly namespace: string; readonly pod: string }, options: LogOptions): Promise<string> {
    const { pod, name, status } = this.#find(at, options.container);
    const id = validateContainerLogStatus({ pod: pod.metadata.name ?? '', name, status, previous: options.previous ?? false });
    const lines = await this.#read(id);
    // The answer has begun when the runtime is asked, so this comes as if it were the log.
    if (!lines) return `unable to retrieve container logs for ${id}`;
    const text = formatLines(selectLines(lines, options, this.#parts.actor.wallTime), options.timestamps ?? false);
    return options.limitBytes === undefined ? text : text.slice(0, options.limitBytes);
  }

  /** Runs a command in a container: pkg/kubelet/server getExec. @throws ApiStatusError */
  async exec(
    at: { readonly namespace: string; readonly pod: string },
    options: { readonly container?: string; readonly command: readonly string[] },
  ): Promise<ExecSyncResponse> {
    const { name, status } = this.#find(at, options.container);
    const id = status?.state?.running ? (status.containerID ?? '') : '';
    if (!id) throw internal(`container not found ("${name}")`);
    try {
      return await this.#parts.runtime.execSync(bareId(id), options.command, 0);
    } catch (error) {
      throw error instanceof RuntimeError ? internal(error.message) : error;
    }
  }

  #find(
    at: { readonly namespace: string; readonly pod: string },
    container: string | undefined,
  ): { pod: Pod; name: string; status: ContainerStatus | undefined } {
    const pod = this.#parts.podByName(at.namespace, at.pod);
    if (!pod) throw newNotFound(PODS, at.pod);
    const name = container ?? pod.spec?.containers[0]?.name ?? '';
    if (!findContainer(pod, name)) throw newBadRequest(`container ${name} is not valid for pod ${at.pod}`);
    const held = this.#parts.podStatus(pod.metadata.uid ?? '') ?? pod.status ?? {};
    const all = [...(held.containerStatuses ?? []), ...(held.initContainerStatuses ?? []), ...(held.ephemeralContainerStatuses ?? [])];
    return { pod, name, status: all.find((candidate) => candidate.name === name) };
  }

  /** Undefined when the runtime has the container no longer: of each only the last dead one is kept. */
  async #read(id: string): Promise<readonly LogLine[] | undefined> {
    try {
      return await this.#parts.runtime.logs(bareId(id));
    } catch (error) {
      if (error instanceof RuntimeError) return undefined;
      throw error;
    }
  }
}

function logOptions(query: Readonly<Record<string, string>>): LogOptions {
  const number = (name: string): number | undefined => (query[name] === undefined ? undefined : Number(query[name]));
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map(number);
  const sinceTime = parseTime(query['sinceTime']);
  return {
    ...(query['container'] ? { container: query['container'] } : {}),
    previous: query['previous'] === 'true',
    timestamps: query['timestamps'] === 'true',
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
    ...(sinceTime === undefined ? {} : { sinceTime }),
  };
}

const bareId = (id: string): string => id.replace('containerd://', '');

function internal(message: string): ApiStatusError {
  return new ApiStatusError({ message, reason: 'InternalError', code: 500 });
}

interface LogTarget {
  readonly pod: string;
  readonly name: string;
  readonly status: ContainerStatus | undefined;
  readonly previous: boolean;
}

/** pkg/kubelet/kubelet_pods.go validateContainerLogStatus: the id of the container whose log is meant. */
function validateContainerLogStatus({ pod, name, status, previous }: LogTarget): string {
  const last = status?.lastState?.terminated?.containerID;
  if (previous) {
    if (!last) throw newBadRequest(`previous terminated container "${name}" in pod "${pod}" not found`);
    return last;
  }
  if (status?.state?.running) return status.containerID ?? '';
  const terminated = status?.state?.terminated;
  if (terminated) {
    const id = terminated.containerID || last;
    if (!id) throw newBadRequest(`container "${name}" in pod "${pod}" is terminated`);
    return id;
  }
  if (last) return last;
  const waiting = status?.state?.waiting;
  if (!waiting) throw newBadRequest(`container "${name}" in pod "${pod}" is not available`);
  const reasons: Readonly<Record<string, string>> = {
    ErrImagePull: "image can't be pulled",
    ImagePullBackOff: 'trying and failing to pull image',
  };
  throw newBadRequest(`container "${name}" in pod "${pod}" is waiting to start: ${reasons[waiting.reason ?? ''] ?? waiting.reason ?? ''}`);
}

function selectLines(lines: readonly LogLine[], { tailLines, sinceSeconds, sinceTime }: LogOptions, wallTime: number): readonly LogLine[] {
  const since = sinceTime ?? (sinceSeconds === undefined ? undefined : wallTime - sinceSeconds * 1000);
  const recent = since === undefined ? lines : lines.filter(({ time }) => time >= since);
  if (tailLines === undefined) return recent;
  return tailLines === 0 ? [] : recent.slice(-tailLines);
}

function formatLines(lines: readonly LogLine[], timestamps: boolean): string {
  return lines
    .map(({ time, text, partial }) => `${timestamps ? `${formatMicroTime(time).replace('Z', '000Z')} ` : ''}${text}${partial ? '' : '\n'}`)
    .join('');
}
