import { type ContainerRuntimeInterface, RuntimeError } from '../../../src/api/cri.ts';
import type { Container, LifecycleHandler, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { formatPod } from '../container/runtime.ts';
import { httpHeaders, httpUrl, resolvePort } from '../prober/http-target.ts';

/** A lifecycle hook failed. */
export class HandlerError extends Error {
  override name = 'HandlerError';
}

export interface HandlerRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly id: string;
  readonly handler: LifecycleHandler;
  readonly podIp: string;
}

/** How long an HTTP hook may take: pkg/kubelet/lifecycle lifecycleHTTPTimeout */
const HTTP_TIMEOUT_MS = 10_000;

/** pkg/kubelet/lifecycle handlerRunner: postStart and preStop hooks. */
export class HandlerRunner {
  readonly #actor: Actor;
  readonly #runtime: ContainerRuntimeInterface;

  constructor(actor: Actor, runtime: ContainerRuntimeInterface) {
    this.#actor = actor;
    this.#runtime = runtime;
  }

  /** pkg/kubelet/lifecycle Run. @throws HandlerError */
  async run(request: HandlerRequest): Promise<void> {
    const { handler } = request;
    if (handler.exec) return this.#runExec(request, handler.exec.command ?? []);
    if (handler.httpGet) return this.#runHttp(request, handler.httpGet);
    if (handler.sleep) return this.#actor.sleep((handler.sleep.seconds ?? 0) * 1000);
    throw new HandlerError(`invalid handler: ${JSON.stringify(handler)}`);
  }

  async #runExec({ pod, container, id }: HandlerRequest, command: readonly string[]): Promise<void> {
    const prefix = `Exec lifecycle hook ([${command.join(' ')}]) for Container "${container.name}" in Pod "${formatPod(pod)}" failed - error: `;
    try {
      const { stdout, stderr, exitCode } = await this.#runtime.execSync(id, command, 0);
      if (exitCode === 0) return;
      throw new HandlerError(
        `${prefix}command '${command.join(' ')}' exited with ${exitCode}: ${stderr}, message: ${JSON.stringify(stdout + stderr)}`,
      );
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      throw new HandlerError(`${prefix}${error.message}, message: ""`);
    }
  }

  async #runHttp({ pod, container, podIp }: HandlerRequest, action: NonNullable<LifecycleHandler['httpGet']>): Promise<void> {
    const port = resolvePort(action.port, container);
    const prefix = `HTTP lifecycle hook (${action.path ?? ''}) for Container "${container.name}" in Pod "${formatPod(pod)}" failed - error: `;
    if (typeof port === 'object') throw new HandlerError(`${prefix}${port.error}`);
    const host = action.host || podIp;
    const path = action.path ?? '/';
    const headers = httpHeaders('kube-lifecycle/1.34', action);
    const answer = await this.#runtime.network.http({ method: 'GET', path, host, port, headers }, HTTP_TIMEOUT_MS);
    const request = `Get "${httpUrl(action.scheme, { host, port, path })}"`;
    if (answer === 'refused') throw new HandlerError(`${prefix}${request}: dial tcp ${host}:${port}: connect: connection refused`);
    if (answer === 'timeout')
      throw new HandlerError(`${prefix}${request}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`);
  }
}
