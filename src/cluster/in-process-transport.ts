import type { KubernetesObject } from '../api/object.ts';
import type { ApiHandler, ApiRequest, ApiResponse, RequestInfo, WatchEvent, WatchSink } from '../api/request.ts';
import type { Timing } from '../client/timing.ts';
import type { Transport, WatchHandle } from '../client/transport.ts';
import type { Actor, Priority, Timer } from '../sim/actor.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';
import type { Network, RequestFault } from './network.ts';

/**
 * The way from one actor to kube-apiserver inside the process: each request, answer and batch of watch events is an event of the simulation.
 * `network` decides what is cut, slowed down or dropped.
 */
export class InProcessTransport implements Transport {
  readonly #actor: Actor;
  readonly #server: Actor;
  readonly #handler: () => ApiHandler;
  readonly #network: Network;
  readonly #timing: Timing;

  constructor(options: { actor: Actor; server: Actor; handler: () => ApiHandler; network: Network; timing: Timing }) {
    this.#actor = options.actor;
    this.#server = options.server;
    this.#handler = options.handler;
    this.#network = options.network;
    this.#timing = options.timing;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    const response = await this.#call(request, () => this.#handler().handle(request));
    this.#recordResponse(request, response);
    return response;
  }

  async watch(request: ApiRequest, sink: WatchSink): Promise<{ response: ApiResponse; handle: WatchHandle }> {
    const delivery = new WatchDelivery({
      actor: this.#actor,
      network: this.#network,
      watchMs: this.#timing.watchMs,
      info: request.info,
      sink,
    });
    const response = await this.#call(request, async () => {
      const answer = await this.#handler().handle(request);
      if (answer.watch) delivery.open(answer.watch);
      return answer;
    });
    this.#recordResponse(request, response);
    return { response, handle: delivery };
  }

  onReachable(listener: () => void): () => void {
    return this.#network.onReachable(this.#actor.name, listener);
  }

  #call(request: ApiRequest, serve: () => ApiResponse | Promise<ApiResponse>): Promise<ApiResponse> {
    const { simulation } = this.#actor;
    const priority: Priority = request.background ? 'background' : 'work';
    const lag = this.#network.lag(this.#actor.name);
    if (lag === 'cut') {
      return this.#actor
        .sleep(this.#network.timeoutMs, priority)
        .then(() => Promise.reject(new ActorUnavailable(this.#server.name, 'timeout')));
    }
    const { requestMs, responseMs } = this.#timing;
    const fault = this.#network.faultOf(this.#actor.name, request);
    if (fault?.crash === 'unsent') return this.#crash();
    const served = fault && !fault.crash ? () => this.#spoil(fault, serve) : serve;
    const answered = this.#actor.call(this.#server, () => simulation.withCause(request.traced, served), {
      requestMs: requestMs + lag,
      responseMs: responseMs + lag,
      priority,
    });
    return fault?.crash ? answered.then(() => this.#crash()) : answered;
  }

  /** Nothing comes after it. */
  #crash(): Promise<never> {
    this.#actor.crash();
    return new Promise(() => {});
  }

  async #spoil(fault: RequestFault, serve: () => ApiResponse | Promise<ApiResponse>): Promise<ApiResponse> {
    if (fault.carriedOut) await serve();
    if (!fault.answer) throw new ActorUnavailable(this.#server.name, 'reset');
    return fault.answer;
  }

  #recordResponse(request: ApiRequest, response: ApiResponse): void {
    const { trace } = this.#actor.simulation;
    if (!trace.recording) {
      trace.record(undefined);
      return;
    }
    const status = response.code >= 400 ? (response.body as { reason?: string; message?: string } | undefined) : undefined;
    trace.record({
      kind: 'response',
      request: request.traced,
      code: response.code,
      ...(status?.reason ? { reason: status.reason } : {}),
      ...(status?.message ? { message: status.message } : {}),
    });
  }
}

interface DeliveryOptions {
  readonly actor: Actor;
  readonly network: Network;
  readonly watchMs: number;
  readonly info: RequestInfo;
  readonly sink: WatchSink;
}

interface Delivery {
  /** Absent for the end of the stream. */
  readonly event?: WatchEvent;
  readonly due: number;
  readonly cause: number;
}

/** Carries the events of one watch to its actor: in order, those that are due together in one event of the simulation. */
class WatchDelivery implements WatchHandle {
  readonly #options: DeliveryOptions;
  readonly #incarnation: number;
  #queue: Delivery[] = [];
  #stop: (() => void) | undefined;
  #next: { readonly timer: Timer; readonly priority: Priority } | undefined;
  #stopped = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#incarnation = options.actor.incarnation;
  }

  open(source: { start(sink: WatchSink): void; stop(): void }): void {
    this.#stop = () => source.stop();
    const release = this.#options.network.register(this.#options.actor.name, () => this.#close());
    this.#stop = () => {
      release();
      source.stop();
    };
    source.start({ next: (event) => this.#take(event), end: () => this.#push(undefined) });
    // Asked for before the way was cut, answered after: nothing would come of it, and nobody would notice when the way is mended.
    if (this.#options.network.lag(this.#options.actor.name) === 'cut') this.#close();
  }

  stop(): void {
    this.#stopped = true;
    this.#queue = [];
    this.#next?.timer.cancel();
    this.#stop?.();
    this.#stop = undefined;
  }

  #take(event: WatchEvent): void {
    const { actor, network } = this.#options;
    if (!this.#stopped && !network.drops(actor.name, event)) this.#push(event);
  }

  /** @param event absent for the end of the stream */
  #push(event: WatchEvent | undefined): void {
    const { actor, network, watchMs } = this.#options;
    if (this.#stopped) return;
    if (actor.incarnation !== this.#incarnation || actor.state === 'crashed') {
      this.stop();
      return;
    }
    const { simulation } = actor;
    const due = Math.max(simulation.now + watchMs + network.watchLag(actor.name), this.#queue.at(-1)?.due ?? 0);
    this.#queue.push({ ...(event ? { event } : {}), due, cause: simulation.cause });
    this.#schedule(event && isHeartbeat(event) ? 'background' : 'work');
  }

  /** Delivers what is due first; of `priority` at least, so that an event that somebody waits for does not hide behind a heartbeat. */
  #schedule(priority: Priority): void {
    const first = this.#queue[0];
    if (!first || this.#next?.priority === 'work' || this.#next?.priority === priority) return;
    this.#next?.timer.cancel();
    const { actor } = this.#options;
    const delayMs = first.due - actor.simulation.now;
    const label = `watch of ${actor.name}`;
    this.#next = {
      priority,
      timer: actor.simulation.schedule({ actor, delayMs, run: () => this.#deliver(), priority, cause: first.cause, label }),
    };
  }

  #deliver(): void {
    this.#next = undefined;
    const { actor, sink } = this.#options;
    const { simulation } = actor;
    const { now } = simulation;
    const queue = this.#queue;
    let taken = 0;
    for (let head = queue[0]; head && head.due <= now && !this.#stopped; head = queue[taken]) {
      const { event, cause } = head;
      taken++;
      if (!event) {
        this.stop();
        sink.end();
        return;
      }
      simulation.withCause(cause, () => {
        this.#record(event);
        sink.next(event);
      });
    }
    if (this.#stopped) return;
    this.#queue = taken === queue.length ? [] : queue.slice(taken);
    if (this.#queue.length > 0) this.#schedule(this.#queue.every(({ event }) => event && isHeartbeat(event)) ? 'background' : 'work');
  }

  #record(event: WatchEvent): void {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') return;
    const { actor, info } = this.#options;
    if (!actor.simulation.trace.recording) {
      actor.simulation.recordCause(undefined);
      return;
    }
    const { kind = '', metadata } = aboutOf(event.object as KubernetesObject);
    const { name = '', namespace, uid } = metadata;
    const object = { group: info.group, resource: info.resource, kind, ...(namespace ? { namespace } : {}), name, ...(uid ? { uid } : {}) };
    actor.simulation.recordCause({ kind: 'watch', type: event.type, object, revision: event.revision });
  }

  /** The connection breaks: what is on its way is lost. */
  #close(): void {
    if (this.#stopped) return;
    this.stop();
    const { actor, sink, watchMs } = this.#options;
    if (actor.incarnation === this.#incarnation && actor.state !== 'crashed') actor.schedule(watchMs, () => sink.end());
  }
}

/** A renewed Lease is of interest to nobody at once, nor is a bookmark (but the one that ends the first state): they do not keep the simulation unsettled. */
function isHeartbeat({ type, object }: WatchEvent): boolean {
  if (type === 'BOOKMARK') return !(object as KubernetesObject).metadata.annotations?.['k8s.io/initial-events-end'];
  return object.kind === 'Lease';
}

/** What a watch event is about; one that comes as a Table (for `kubectl get -w`) names its object in its only row. */
function aboutOf(object: KubernetesObject): Pick<KubernetesObject, 'kind' | 'metadata'> {
  if (object.kind !== 'Table') return object;
  const [row] = (object as KubernetesObject & { rows?: readonly { readonly object?: KubernetesObject }[] }).rows ?? [];
  return { kind: '', metadata: row?.object?.metadata ?? {} };
}
