import type { TraceEntry } from '../../sim/trace.ts';
import type { Telling } from '../words/telling.ts';
import { EN_TELLING } from '../words/telling-en.ts';
import { describeChange } from './change.ts';
import { displayName } from './field.ts';
import { entryAt, type RunView, type WriteEntry } from './run-view.ts';
import { decisionWithoutName, runtimeWords } from './runtime-words.ts';

/** More causes than this are not followed: a bound against a trace that went wrong. */
const MAX_CHAIN = 10_000;

/** The entry and what led to it, newest first, back to the first cause that the run still has. */
export function causeChain(run: RunView, entry: TraceEntry): TraceEntry[] {
  const chain: TraceEntry[] = [entry];
  for (let at = entry; chain.length < MAX_CHAIN; ) {
    const cause = at.cause < at.seq ? entryAt(run, at.cause) : undefined;
    if (!cause) break;
    chain.push(cause);
    at = cause;
  }
  return chain;
}

/** The write that a watch delivery tells of. */
function deliveredWrite(run: RunView, entry: TraceEntry): WriteEntry | undefined {
  const cause = entryAt(run, entry.cause);
  return cause?.kind === 'write' ? cause : undefined;
}

/** What an actor saw when this arrived: `Pod web-1 is being deleted`. */
export function sightOf(run: RunView, watch: Extract<TraceEntry, { kind: 'watch' }>, telling: Telling = EN_TELLING): string {
  const write = deliveredWrite(run, watch);
  if (write) return describeChange(run, write, telling).state;
  const name = displayName(watch.object);
  const { entry } = telling;
  return watch.type === 'DELETED' ? entry.gone(name) : watch.type === 'ADDED' ? entry.isThere(name) : entry.changed(name);
}

/** What moved an actor to do something, as far as one looks back to the moment at which it learned of it. */
export interface Reason {
  readonly kind: 'input' | 'saw' | 'decision' | 'runtime' | 'fault';
  readonly text: string;
  /** The entry that is the reason. */
  readonly seq: number;
}

/** The nearest reasons of an entry, nearest first; empty where an actor acted of its own accord (a timer). */
export function reasonsOf(run: RunView, entry: TraceEntry, telling: Telling = EN_TELLING): Reason[] {
  const reasons: Reason[] = [];
  for (const cause of causeChain(run, entry).slice(1)) {
    const { seq } = cause;
    if (cause.kind === 'write') break;
    if (cause.kind === 'decision') reasons.push({ kind: 'decision', text: decisionWithoutName(cause, telling), seq });
    if (cause.kind === 'runtime') reasons.push({ kind: 'runtime', text: runtimeWords(cause, telling), seq });
    if (cause.kind === 'fault') reasons.push({ kind: 'fault', text: telling.message(cause.message), seq });
    if (cause.kind === 'input') reasons.push({ kind: 'input', text: cause.text, seq });
    if (cause.kind === 'watch') reasons.push({ kind: 'saw', text: sightOf(run, cause, telling), seq });
    if (cause.kind === 'watch' || cause.kind === 'input') break;
  }
  return reasons;
}
