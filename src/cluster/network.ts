import type { ApiRequest, ApiResponse, WatchEvent } from '../api/request.ts';

/** Decides whether one watch event is lost on its way. */
export type DropRule = (event: WatchEvent) => boolean;

/** What becomes of a request that goes wrong. */
export interface RequestFault {
  /** What the sender hears in place of the true answer; if absent, that the connection was reset. */
  readonly answer?: ApiResponse;
  /** kube-apiserver did what was asked all the same. */
  readonly carriedOut: boolean;
  /** Nothing is wrong with the request itself: its sender crashes, before it is sent or when its answer arrives. */
  readonly crash?: 'unsent' | 'answered';
}

/** Decides whether one request goes wrong, and how. */
export type RequestRule = (request: ApiRequest) => RequestFault | undefined;

/**
 * The state of the ways between kube-apiserver and everyone else: cut, slow, or losing watch events. All is well unless a fault says otherwise.
 * @example network.cut('kubelet/n1'); network.restore('kubelet/n1');
 */
export class Network {
  /** Virtual milliseconds after which a request over a cut way fails. */
  readonly timeoutMs = 10_000;
  readonly #cut = new Set<string>();
  readonly #lag = new Map<string, number>();
  readonly #watchLag = new Map<string, number>();
  readonly #drops = new Map<string, DropRule[]>();
  readonly #requestRules = new Map<string, RequestRule[]>();
  readonly #watches = new Map<string, Set<() => void>>();
  readonly #reachable = new Map<string, Set<() => void>>();

  /** How much longer than usual a message from or to `actor` takes, or that it does not arrive. */
  lag(actor: string): number | 'cut' {
    return this.#cut.has(actor) ? 'cut' : (this.#lag.get(actor) ?? 0);
  }

  /** How much longer than usual a watch event to `actor` takes. */
  watchLag(actor: string): number {
    return (this.#watchLag.get(actor) ?? 0) + (this.#lag.get(actor) ?? 0);
  }

  /** Whether this event is lost for `actor`. A rule that matched once is used up. */
  drops(actor: string, event: WatchEvent): boolean {
    if (this.#cut.has(actor)) return true;
    const rules = this.#drops.get(actor);
    const index = rules?.findIndex((rule) => rule(event)) ?? -1;
    if (index < 0) return false;
    rules?.splice(index, 1);
    return true;
  }

  /** Open watches are closed, new requests time out. */
  cut(actor: string): void {
    this.#cut.add(actor);
    for (const close of [...(this.#watches.get(actor) ?? [])]) close();
  }

  restore(actor: string): void {
    if (this.#cut.delete(actor)) this.#tellReachable(actor);
  }

  /** kube-apiserver is up again: tells everyone whose way to it is not cut. */
  restoreAll(): void {
    for (const actor of [...this.#reachable.keys()]) if (!this.#cut.has(actor)) this.#tellReachable(actor);
  }

  /** Calls `listener` each time when `actor` can reach kube-apiserver again; returns a function that ends it. */
  onReachable(actor: string, listener: () => void): () => void {
    const listeners = this.#reachable.get(actor) ?? new Set();
    this.#reachable.set(actor, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  slow(actor: string, ms: number): void {
    this.#lag.set(actor, ms);
  }

  slowWatches(actor: string, ms: number): void {
    this.#watchLag.set(actor, ms);
  }

  /** Loses the next watch event to `actor` that the rule accepts. */
  dropNext(actor: string, rule: DropRule): void {
    this.#drops.set(actor, [...(this.#drops.get(actor) ?? []), rule]);
  }

  /** Nothing more is lost for `actor`: rules that have not matched are forgotten. */
  dropNone(actor: string): void {
    this.#drops.delete(actor);
  }

  /** Spoils the next request of `actor` that the rule accepts. */
  failNext(actor: string, rule: RequestRule): void {
    this.#requestRules.set(actor, [...(this.#requestRules.get(actor) ?? []), rule]);
  }

  /** How this request goes wrong, if it does. A rule that matched once is used up. */
  faultOf(actor: string, request: ApiRequest): RequestFault | undefined {
    const rules = this.#requestRules.get(actor);
    for (const [index, rule] of rules?.entries() ?? []) {
      const fault = rule(request);
      if (!fault) continue;
      rules?.splice(index, 1);
      return fault;
    }
    return undefined;
  }

  /** Closes the open watches of every actor, as when kube-apiserver goes down. */
  closeAll(): void {
    for (const closers of [...this.#watches.values()]) for (const close of [...closers]) close();
  }

  /** @returns a function that forgets the watch */
  register(actor: string, close: () => void): () => void {
    const closers = this.#watches.get(actor) ?? new Set();
    this.#watches.set(actor, closers);
    closers.add(close);
    return () => closers.delete(close);
  }

  #tellReachable(actor: string): void {
    for (const listener of [...(this.#reachable.get(actor) ?? [])]) listener();
  }
}
