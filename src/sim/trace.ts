import { Digest } from './digest.ts';

/** Names an object of the API, as far as a reader of the trace needs it. */
export interface ObjectReference {
  readonly group: string;
  /** Plural, e.g. `pods`. */
  readonly resource: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

/** Everything that can be observed in a simulation. Fields are small and frozen; objects are named, not copied: read them from the store by revision. */
export type TraceEvent =
  /** Something came from outside: a command, a request over HTTP, a fault, a clock command. */
  | { readonly kind: 'input'; readonly input: string; readonly text: string }
  /** A component was started, crashed, stopped for a while, or went on. */
  | { readonly kind: 'actor'; readonly what: 'started' | 'crashed' | 'paused' | 'resumed'; readonly incarnation: number }
  /** The actor sent a request to kube-apiserver. `object.name` is '' where the name is not known yet (list, create with generateName). */
  | {
      readonly kind: 'request';
      readonly verb: string;
      readonly user: string;
      readonly object: ObjectReference;
      readonly subresource?: string;
    }
  /** kube-apiserver took the request (entry `request`) through one stage of its pipeline. */
  | {
      readonly kind: 'stage';
      readonly request: number;
      readonly stage: string;
      readonly outcome: 'ok' | 'changed' | 'refused';
      readonly message?: string;
    }
  /** The store committed a change. `previous` is the revision that it replaced. */
  | {
      readonly kind: 'write';
      readonly verb: 'create' | 'update' | 'delete';
      readonly object: ObjectReference;
      readonly subresource?: string;
      readonly user: string;
      readonly revision: number;
      readonly previous?: number;
    }
  /** The answer to a request reached the actor that sent it. */
  | { readonly kind: 'response'; readonly request: number; readonly code: number; readonly reason?: string; readonly message?: string }
  /** A watch event reached the actor. */
  | {
      readonly kind: 'watch';
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: ObjectReference;
      readonly revision: number;
    }
  /** A controller took a key from its queue, and is done with it. `result` is absent when all is well. */
  | {
      readonly kind: 'reconcile';
      readonly controller: string;
      readonly key: string;
      readonly what: 'start' | 'end';
      readonly result?: string;
    }
  /** What a component decided, in one sentence for people, with details for programs (e.g. a scheduling decision). */
  | {
      readonly kind: 'decision';
      readonly component: string;
      readonly object?: ObjectReference;
      readonly message: string;
      readonly details?: unknown;
    }
  /** Something happened on a node: image pulled, container created, started, exited, signalled, probed; rule table changed. */
  | {
      readonly kind: 'runtime';
      readonly what: string;
      readonly object?: ObjectReference;
      readonly container?: string;
      readonly message: string;
      readonly details?: unknown;
    }
  /** A fault was injected or lifted. */
  | { readonly kind: 'fault'; readonly message: string };

export type TraceEntry = {
  /** 1, 2, 3, … */
  readonly seq: number;
  /** Virtual milliseconds since the start. */
  readonly time: number;
  /** Who did it, e.g. `kube-apiserver`, `kubelet/n1`. */
  readonly actor: string;
  /** The sequence number of the entry that led to this one; 0 for none. */
  readonly cause: number;
} & TraceEvent;

export type TraceLevel = 'full' | 'off' | { readonly tail: number };

/** Who acts and why, at the moment of recording. */
export interface TraceContext {
  readonly time: number;
  readonly actor: string;
  readonly cause: number;
}

/**
 * The one record of what happened. Sequence numbers are given at every level, so that a run at level `off` behaves as one at level `full`.
 * @example const seq = trace.record({ kind: 'fault', message: 'node n1 is cut off' });
 */
export class Trace {
  readonly level: TraceLevel;
  readonly #context: () => TraceContext;
  readonly #entries: TraceEntry[] = [];
  readonly #listeners = new Set<(entry: TraceEntry) => void>();
  readonly #digest: Digest | undefined;
  #dropped = 0;
  #seq = 0;

  constructor(options: { level: TraceLevel; digest: boolean; context: () => TraceContext }) {
    this.level = options.level;
    this.#context = options.context;
    this.#digest = options.digest ? new Digest() : undefined;
  }

  /** The sequence number of the newest entry. */
  get last(): number {
    return this.#seq;
  }

  /** Entries that are kept, oldest first. */
  get entries(): readonly TraceEntry[] {
    return this.#entries;
  }

  /** Whether somebody wants entries: hot paths need not put an event together when nobody does. */
  get recording(): boolean {
    return this.level !== 'off' || this.#digest !== undefined || this.#listeners.size > 0;
  }

  /**
   * Records an event in the present context and returns its sequence number.
   * @param event may be left out while nothing is `recording`: the number is given all the same
   */
  record(event: TraceEvent | undefined): number {
    const seq = ++this.#seq;
    if (!event || !this.recording) return seq;
    const { time, actor, cause } = this.#context();
    const entry = { seq, time, actor, cause, ...event } as TraceEntry;
    this.#keep(entry);
    this.#digest?.update(JSON.stringify(entry));
    for (const listener of this.#listeners) listener(entry);
    return seq;
  }

  /** The entry with this number, if it is kept. */
  get(seq: number): TraceEntry | undefined {
    return this.#entries[seq - 1 - this.#dropped];
  }

  /** The entry and what led to it, newest first, back to the first cause that is kept. */
  why(seq: number): TraceEntry[] {
    const chain: TraceEntry[] = [];
    for (let entry = this.get(seq); entry; entry = entry.cause < entry.seq ? this.get(entry.cause) : undefined) chain.push(entry);
    return chain;
  }

  /** Calls `listener` for each entry from now on; returns a function that ends it. */
  listen(listener: (entry: TraceEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** 16 hex digits over all entries so far; '' when the simulation keeps no digest. */
  digest(): string {
    return this.#digest?.hex() ?? '';
  }

  #keep(entry: TraceEntry): void {
    if (this.level === 'off') return;
    this.#entries.push(entry);
    if (this.level === 'full' || this.#entries.length < 2 * this.level.tail) return;
    const surplus = this.#entries.length - this.level.tail;
    this.#entries.splice(0, surplus);
    this.#dropped += surplus;
  }
}
