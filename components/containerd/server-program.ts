import type { GrpcHealth, HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import type { Timer } from '../../src/sim/actor.ts';
import { DEFAULT_CPU_PER_REQUEST_MS, EXIT_SIGKILL, EXIT_SIGTERM, OOM_AFTER_MS } from './constants.ts';
import type { ProgramDefinition } from './image-definition.ts';
import type { Process, ProcessContext, Service, Signal } from './process.ts';

/** The program of an image, as its definition describes it: it serves, writes its lines, ends by itself or when it is told to. */
export class ServerProgram implements Process {
  readonly #context: ProcessContext;
  readonly #definition: ProgramDefinition;
  readonly #startedAt: number;
  readonly #timers: Timer[] = [];
  readonly #service: Service;
  /** In thousandths of a CPU: what requests take that arrive as a load. */
  #loadMilli = 0;
  #ended = false;
  #stopping = false;

  constructor(context: ProcessContext, definition: ProgramDefinition) {
    this.#context = context;
    this.#definition = definition;
    this.#startedAt = context.actor.simulation.now;
    this.#service = this.#makeService();
    const { memoryBytes } = definition;
    if (memoryBytes !== undefined) context.usage.memoryBytes = Math.min(memoryBytes, context.memoryLimitBytes ?? memoryBytes);
    if (definition !== context.image) context.usage.addCpu((definition.cpuMilli ?? 0) - (context.image.cpuMilli ?? 0));
    for (const line of definition.logs ?? []) context.write('stdout', `${line}\n`);
    this.#after(definition.startDelayMs ?? 0, () => this.#listen());
    const needed = definition.memoryBytes ?? 0;
    if (context.memoryLimitBytes !== undefined && needed > context.memoryLimitBytes)
      this.#after(OOM_AFTER_MS, () => this.#end(EXIT_SIGKILL, 'OOMKilled'));
    const { exit } = definition;
    if (exit) this.#after(exit.afterMs, () => this.#end(exit.reason ? EXIT_SIGKILL : exit.code, exit.reason));
  }

  /** Whether it is well now; also what its own health commands say. */
  get healthy(): boolean {
    const age = this.#context.actor.simulation.now - this.#startedAt;
    if (age < (this.#definition.startDelayMs ?? 0)) return false;
    const begun = (this.#definition.health ?? []).filter(({ fromMs }) => fromMs <= age);
    return begun.at(-1)?.healthy ?? true;
  }

  signal(signal: Signal): void {
    if (this.#ended || this.#stopping) {
      if (signal === 'SIGKILL') this.#end(EXIT_SIGKILL);
      return;
    }
    if (signal === 'SIGKILL') {
      this.#end(EXIT_SIGKILL);
      return;
    }
    if (signal === 'SIGHUP' || signal === 'SIGUSR1' || signal === 'SIGUSR2' || this.#definition.ignoresSigterm) return;
    this.#stopping = true;
    this.#after(this.#definition.stopMs ?? 20, () => this.#end(this.#definition.stopCode ?? EXIT_SIGTERM));
  }

  #after(ms: number, run: () => void): void {
    if (ms <= 0) run();
    else this.#timers.push(this.#context.actor.schedule(ms, run));
  }

  #listen(): void {
    if (this.#ended) return;
    const { network, write } = this.#context;
    const { ports = [] } = this.#definition;
    if (ports === 'any') {
      network.listenEverywhere(this.#service);
      return;
    }
    for (const port of ports)
      if (!network.listen(port, this.#service)) write('stderr', `bind() to 0.0.0.0:${port} failed (98: Address already in use)\n`);
  }

  #end(code: number, reason?: 'OOMKilled'): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const timer of this.#timers) timer.cancel();
    this.#context.network.close(this.#service);
    this.#takeLoad(0);
    this.#context.exit(code, reason);
  }

  #makeService(): Service {
    const { protocol, answerMs = 0, ports } = this.#definition;
    const http = (call: HttpCall): HttpAnswer => this.#answer(call);
    const grpcHealth = (service: string): GrpcHealth => (this.healthy ? 'SERVING' : service ? 'SERVICE_UNKNOWN' : 'NOT_SERVING');
    return {
      onLoad: (requestsPerSecond) => this.#takeLoad(requestsPerSecond),
      ...(protocol === undefined || protocol === 'http' ? { http } : {}),
      ...(protocol === 'grpc' || ports === 'any' ? { grpcHealth } : {}),
      answerMs: () => answerMs,
    };
  }

  #takeLoad(requestsPerSecond: number): void {
    const milli = requestsPerSecond * this.#cpuPerRequestMs;
    this.#context.usage.addCpu(milli - this.#loadMilli);
    this.#loadMilli = milli;
  }

  get #cpuPerRequestMs(): number {
    return this.#definition.cpuPerRequestMs ?? DEFAULT_CPU_PER_REQUEST_MS;
  }

  #answer(call: HttpCall): HttpAnswer {
    this.#context.usage.spendCpu(this.#cpuPerRequestMs);
    if (!this.healthy) return { status: 500, body: 'Internal Server Error\n' };
    const { http = {}, answer } = this.#definition;
    if (answer) return answer(call);
    const path = call.path.split('?')[0] ?? call.path;
    return { status: http.paths?.[path] ?? http.status ?? 200, body: http.body ?? '' };
  }
}
