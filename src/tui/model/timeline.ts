import type { TraceEntry } from '../../sim/trace.ts';
import { isEcho, isHeartbeat, isNoisyWrite } from './noise.ts';
import type { RunView } from './run-view.ts';
import { isQuestion, requestBehind } from './who.ts';

/** Something a person would look for on the scrubber. */
export interface Mark {
  readonly seq: number;
  readonly kind: 'input' | 'fault' | 'crash';
  readonly text: string;
}

/** An actor's state from an entry on. */
interface ActorChange {
  readonly seq: number;
  readonly what: 'started' | 'crashed' | 'paused' | 'resumed';
}

/** A pause of this length, in virtual milliseconds, ends an actor's turn: what comes after it is a new thought. */
const TURN_GAP_MS = 100;
const READ_VERBS = new Set(['get', 'list', 'watch']);

/**
 * Chooses the entries that a person steps through, and keeps what is needed to draw any moment at once: entry to row, entry to revision, entry to
 * turn. Grows with the run; nothing is computed twice.
 */
export class Timeline {
  readonly #run: RunView;
  readonly #rows: number[] = [];
  readonly #marks: Mark[] = [];
  readonly #revisions: number[] = [];
  readonly #turns: number[] = [];
  readonly #shown = new Set<number>();
  readonly #actors = new Map<string, ActorChange[]>();
  readonly #acting = new Set<string>();
  #first = 1;
  #taken = 0;

  constructor(run: RunView) {
    this.#run = run;
    this.extend();
  }

  /** Takes in what the run has got since. */
  extend(): void {
    const { entries } = this.#run;
    for (; this.#taken < entries.length; this.#taken++) {
      const entry = entries[this.#taken];
      if (entry) this.#add(entry);
    }
  }

  /** Sequence numbers of the chosen entries, in order. */
  get rows(): readonly number[] {
    return this.#rows;
  }

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** The newest entry, chosen or not; 0 for an empty run. */
  get last(): number {
    return this.#taken === 0 ? 0 : this.#first + this.#taken - 1;
  }

  get first(): number {
    return this.#first;
  }

  /** The row of the newest chosen entry up to `seq`; -1 before the first. */
  rowOf(seq: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle] ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The store's revision after this entry. */
  revisionAt(seq: number): number {
    return this.#revisions[Math.min(seq, this.last) - this.#first] ?? 0;
  }

  /** The first entry of the turn that this entry is part of: all that an actor does for one reason. */
  turnOf(seq: number): number {
    return this.#turns[seq - this.#first] ?? seq;
  }

  isShown(seq: number): boolean {
    return this.#shown.has(seq);
  }

  /** Everyone who does something in a chosen entry, in order of appearance. */
  get actors(): readonly string[] {
    return [...this.#acting];
  }

  /** Whether an actor runs at this moment; `started` where the run does not say. */
  actorState(actor: string, seq: number): ActorChange['what'] {
    return this.#actors.get(actor)?.findLast((change) => change.seq <= seq)?.what ?? 'started';
  }

  #add(entry: TraceEntry): void {
    if (this.#taken === 0) this.#first = entry.seq;
    this.#addActor(entry);
    const revision = entry.kind === 'write' ? entry.revision : 0;
    this.#revisions.push(Math.max(revision, this.#revisions.at(-1) ?? 0));
    this.#turns.push(this.#turnFor(entry));
    if (!this.#isBeat(entry)) return;
    this.#show(entry.seq);
    this.#showReasons(entry);
    const mark = markOf(entry);
    if (mark) this.#marks.push(mark);
  }

  #addActor(entry: TraceEntry): void {
    let changes = this.#actors.get(entry.actor);
    if (!changes) {
      changes = [];
      this.#actors.set(entry.actor, changes);
    }
    if (entry.kind === 'actor') changes.push({ seq: entry.seq, what: entry.what });
  }

  #turnFor(entry: TraceEntry): number {
    const cause = this.#get(entry.cause);
    if (!cause || cause.seq >= entry.seq || cause.kind === 'write' || entry.kind === 'watch') return entry.seq;
    return entry.time - cause.time > TURN_GAP_MS ? entry.seq : this.turnOf(cause.seq);
  }

  #isBeat(entry: TraceEntry): boolean {
    switch (entry.kind) {
      case 'write':
        return !isNoisyWrite(this.#run, entry);
      case 'request':
        return READ_VERBS.has(entry.verb) && isQuestion(this.#run, entry);
      case 'response':
        return this.#isRefusal(entry);
      case 'decision':
      case 'runtime':
        return !entry.object || !isHeartbeat(entry.object);
      case 'reconcile':
        return entry.what === 'end' && entry.result !== undefined;
      case 'stage':
      case 'watch':
        return false;
      case 'fault':
        return !isEcho(this.#run, entry);
      default:
        return true;
    }
  }

  /** A failed answer is worth a step when a person asked, or when a component's write was turned down. */
  #isRefusal(entry: Extract<TraceEntry, { kind: 'response' }>): boolean {
    if (entry.code < 400) return false;
    const request = this.#get(entry.request);
    if (request?.kind !== 'request' || isHeartbeat(request.object)) return false;
    return !READ_VERBS.has(request.verb) || isQuestion(this.#run, request);
  }

  /** What led to a chosen entry is chosen too: the watch delivery and the reconcile behind it. */
  #showReasons(entry: TraceEntry): void {
    let cause = this.#get(entry.cause);
    let seq = entry.seq;
    while (cause && cause.seq < seq) {
      if (cause.kind === 'write' || cause.kind === 'input') return;
      if (this.#shown.has(cause.seq) && cause.kind !== 'decision' && cause.kind !== 'runtime') return;
      if (cause.kind === 'watch' || (cause.kind === 'reconcile' && cause.what === 'start')) this.#show(cause.seq);
      seq = cause.seq;
      cause = this.#get(cause.cause);
    }
  }

  #show(seq: number): void {
    if (this.#shown.has(seq)) return;
    this.#shown.add(seq);
    this.#addActing(this.#get(seq));
    if ((this.#rows.at(-1) ?? 0) < seq) this.#rows.push(seq);
    else this.#rows.splice(this.rowOf(seq) + 1, 0, seq);
  }

  /** That it was started is not enough to give an actor a lane. */
  #addActing(entry: TraceEntry | undefined): void {
    if (!entry || (entry.kind === 'actor' && entry.incarnation === 1 && entry.what === 'started')) return;
    const sender = entry.kind === 'write' ? requestBehind(this.#run, entry)?.actor : undefined;
    this.#acting.add(sender ?? entry.actor);
  }

  #get(seq: number): TraceEntry | undefined {
    return this.#run.entries[seq - this.#first];
  }
}

function markOf(entry: TraceEntry): Mark | undefined {
  if (entry.kind === 'input') return { seq: entry.seq, kind: entry.input === 'fault' ? 'fault' : 'input', text: entry.text };
  if (entry.kind === 'fault') return { seq: entry.seq, kind: 'fault', text: entry.message };
  if (entry.kind === 'actor' && entry.what === 'crashed') return { seq: entry.seq, kind: 'crash', text: `${entry.actor} crashed` };
  return undefined;
}
