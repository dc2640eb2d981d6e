import type { TraceEntry } from '../../sim/trace.ts';
import { describeChange } from '../model/change.ts';
import { displayName } from '../model/field.ts';
import { isEcho, isHeartbeat, isNoisyWrite } from '../model/noise.ts';
import { entryAt, type RunView, type WriteEntry } from '../model/run-view.ts';
import { nodeWork } from '../model/runtime-words.ts';
import { isPerson, isQuestion, who } from '../model/who.ts';
import type { Telling } from '../words/telling.ts';
import { EN_TELLING } from '../words/telling-en.ts';
import { PodCount, type PodNote } from './pod-count.ts';
import { reasonText, storyLine } from './story-line.ts';

export interface StoryOptions {
  /** Tell everything, heartbeats and event recording too. */
  readonly all?: boolean;
  /** In which language, asked for each line. Default: English. */
  readonly telling?: () => Telling;
}

/** Tells a run as it happens. */
export interface Story {
  /** Takes the next entry; returns the lines that are ready to be printed, in order. */
  next(entry: TraceEntry): string[];
  /** The lines that are still held back, e.g. before something else is printed; more may follow. */
  end(): string[];
}

/** Lines wait this long, in virtual milliseconds, for others that belong to them: a decision for its write, a pod for its siblings. */
const HOLD_MS = 20;
const CONFLICT = /the object has been modified/;
const READ_VERBS = new Set(['get', 'list', 'watch']);

interface Slot {
  readonly entry: TraceEntry;
  /** Writes of the same turn with the same key are told in one line. */
  readonly key: string;
  readonly reason: string;
  readonly names: string[];
  readonly note: PodNote | undefined;
  /** A decision that the line of its write tells already. */
  told: boolean;
  /** The actor said that it will try again. */
  retried: boolean;
}

/**
 * Tells a run in sentences, one entry at a time.
 * @example const story = createStory(run); simulation.trace.listen((entry) => story.next(entry).forEach(print));
 */
export function createStory(run: RunView, options: StoryOptions = {}): Story {
  return new StoryTeller(run, options);
}

class StoryTeller implements Story {
  readonly #run: RunView;
  readonly #all: boolean;
  readonly #telling: () => Telling;
  readonly #pods = new PodCount();
  /** What was last decided about each object and by whom, until somebody else writes it: saying it again is no news. */
  readonly #decided = new Map<string, { by: string; message: string }>();
  #slots: Slot[] = [];
  /** The held lines by what may be added to them, and decisions by their number. */
  readonly #byKey = new Map<string, Slot>();
  readonly #bySeq = new Map<number, Slot>();
  #last: Slot | undefined;

  constructor(run: RunView, { all = false, telling = () => EN_TELLING }: StoryOptions) {
    this.#run = run;
    this.#all = all;
    this.#telling = telling;
  }

  next(entry: TraceEntry): string[] {
    const note = entry.kind === 'write' ? this.#pods.take(this.#run, entry) : undefined;
    const lines = this.#release(entry.time - HOLD_MS);
    if (this.#isNews(entry)) this.#hold(entry, note);
    return lines;
  }

  end(): string[] {
    return this.#release(Number.POSITIVE_INFINITY);
  }

  #isNews(entry: TraceEntry): boolean {
    switch (entry.kind) {
      case 'watch':
      case 'stage':
        return false;
      case 'write':
        return this.#all || !isNoisyWrite(this.#run, entry);
      case 'request':
        return this.#all && READ_VERBS.has(entry.verb) && isQuestion(this.#run, entry);
      case 'response':
        return entry.code >= 400 && this.#isRefusalOfInterest(entry);
      case 'decision':
        return this.#all || this.#isNewDecision(entry);
      case 'runtime':
        return this.#all || !entry.object || !isHeartbeat(entry.object);
      case 'reconcile':
        return entry.what === 'end' && entry.result !== undefined && !this.#foldRetry(entry.result);
      case 'fault':
        return !isEcho(this.#run, entry);
      case 'actor':
        return !isPerson(entry.actor);
      default:
        return true;
    }
  }

  /** A lost race for a status is settled at once by trying again, and happens all the time: told only to those who want everything. */
  #isRefusalOfInterest({ request: seq, reason }: Extract<TraceEntry, { kind: 'response' }>): boolean {
    const request = entryAt(this.#run, seq);
    if (request?.kind === 'request' && reason === 'Conflict' && request.subresource === 'status' && !this.#all) return false;
    if (request?.kind !== 'request' || (isHeartbeat(request.object) && !this.#all)) return false;
    return !READ_VERBS.has(request.verb) || isQuestion(this.#run, request);
  }

  #isNewDecision(entry: Extract<TraceEntry, { kind: 'decision' }>): boolean {
    if (!entry.object) return true;
    const key = displayName(entry.object);
    if (isHeartbeat(entry.object) || this.#decided.get(key)?.message === entry.message) return false;
    this.#decided.set(key, { by: who(this.#run, entry), message: entry.message });
    return true;
  }

  /** A failed reconcile comes again; that belongs to the line of the answer that made it fail. */
  #foldRetry(result: string): boolean {
    const refusal = this.#slots.findLast(
      ({ entry }) => entry.kind === 'response' && entry.message !== undefined && result.includes(entry.message),
    );
    if (refusal) refusal.retried = true;
    return refusal !== undefined || (CONFLICT.test(result) && !this.#all);
  }

  #hold(entry: TraceEntry, note: PodNote | undefined): void {
    const reason = reasonText(this.#run, entry, this.#telling());
    if (entry.kind === 'write') {
      this.#foldDecision(entry);
      const name = displayName(entry.object);
      if (this.#decided.get(name)?.by !== who(this.#run, entry)) this.#decided.delete(name);
    }
    const key = this.#groupKey(entry, reason);
    const name = entry.kind === 'write' ? nameOf(entry) : entry.kind === 'runtime' ? (nodeWork(entry)?.node ?? '') : entry.actor;
    const sibling = this.#byKey.get(key);
    if (sibling) {
      sibling.names.push(name);
      return;
    }
    const slot: Slot = { entry, key, reason, names: [name], note, told: false, retried: false };
    this.#slots.push(slot);
    if (key) this.#byKey.set(key, slot);
    if (entry.kind === 'decision') this.#bySeq.set(entry.seq, slot);
  }

  /** A decision is the reason of the write that carries it out: told there, not by itself. */
  #foldDecision(write: WriteEntry): void {
    let cause = entryAt(this.#run, write.cause);
    for (; cause && cause.kind !== 'write' && cause.kind !== 'watch'; cause = entryAt(this.#run, cause.cause)) {
      const slot = this.#bySeq.get(cause.seq);
      if (slot) slot.told = true;
      if (cause.cause >= cause.seq) return;
    }
  }

  /**
   * Creations and removals of several objects of one kind, by one actor for one reason, make one line; so do components that start together, and nodes to
   * which the same happens.
   */
  #groupKey(entry: TraceEntry, reason: string): string {
    if (entry.kind === 'actor') return entry.what === 'started' && entry.incarnation === 1 ? `started|${entry.time}` : '';
    if (entry.kind === 'runtime') {
      const work = nodeWork(entry);
      return work ? [work.component, work.words, reason].join('|') : '';
    }
    if (entry.kind !== 'write') return '';
    const change = describeChange(this.#run, entry);
    if (entry.object.kind === 'Node')
      return ['Node', change.verb, change.tail, change.verb === 'registered' ? '' : who(this.#run, entry)].join('|');
    const groups = entry.verb !== 'update' || change.verb === 'marked';
    return groups ? [who(this.#run, entry), change.verb, entry.object.kind, change.tail, reason].join('|') : '';
  }

  #release(until: number): string[] {
    const lines: string[] = [];
    const rest = this.#slots.findIndex(({ entry }) => entry.time > until);
    const ready = rest === 0 ? [] : this.#slots.splice(0, rest < 0 ? this.#slots.length : rest);
    for (const slot of ready) {
      this.#byKey.delete(slot.key);
      this.#bySeq.delete(slot.entry.seq);
      if (slot.told) continue;
      const line = storyLine(slot.entry, { ...slot, run: this.#run, telling: this.#telling(), sameReason: this.#repeatsReason(slot) });
      if (line === undefined) continue;
      if (slot.entry.kind === 'input' && this.#last) lines.push('');
      lines.push(line);
      this.#last = slot;
    }
    return lines;
  }

  #repeatsReason(slot: Slot): boolean {
    if (!this.#last || slot.reason.length < 40 || slot.entry.kind === 'response') return false;
    return this.#last.reason === slot.reason && who(this.#run, this.#last.entry) === who(this.#run, slot.entry);
  }
}

function nameOf(write: WriteEntry): string {
  return displayName(write.object).replace(/^\S+ /, '');
}
