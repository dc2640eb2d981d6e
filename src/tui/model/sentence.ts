import type { TraceEntry } from '../../sim/trace.ts';
import { sightOf } from './causes.ts';
import { changeSentence, describeChange } from './change.ts';
import { displayName } from './field.ts';
import { entryAt, type RunView } from './run-view.ts';
import { who } from './who.ts';

/** An entry in words: who, and what. */
export interface Sentence {
  readonly who: string;
  readonly what: string;
}

/** Puts any entry of the trace into words; the same ones in the log, in the line mode and in `why`. */
export function sentenceOf(run: RunView, entry: TraceEntry): Sentence {
  const actor = who(run, entry);
  // What a person asks for is carried out by kube-apiserver: it may refuse, and it does not always do what the words seem to say.
  return { who: actor === 'you' && entry.kind === 'write' ? 'kube-apiserver' : actor, what: whatOf(run, entry) };
}

function whatOf(run: RunView, entry: TraceEntry): string {
  switch (entry.kind) {
    case 'input':
    case 'fault':
      return entry.kind === 'input' ? entry.text : entry.message;
    case 'actor':
      return entry.what === 'started' && entry.incarnation > 1 ? `started again (run ${entry.incarnation})` : actorWords(entry.what);
    case 'request':
      return requestWords(entry);
    case 'stage':
      return `${entry.stage}: ${entry.outcome}${entry.message ? ` (${entry.message})` : ''}`;
    case 'write':
      return changeSentence(describeChange(run, entry), displayName(entry.object));
    case 'response':
      return responseWords(run, entry);
    case 'watch':
      return `saw that ${sightOf(run, entry)}`;
    case 'reconcile':
      return reconcileWords(entry);
    case 'decision':
    case 'runtime':
      return entry.message;
  }
}

function actorWords(what: 'started' | 'crashed' | 'paused' | 'resumed'): string {
  return { started: 'started', crashed: 'crashed', paused: 'stopped responding', resumed: 'goes on' }[what];
}

/** A request as a person would name it: `update Pod web-1 status`. */
export function requestWords(entry: Extract<TraceEntry, { kind: 'request' }>): string {
  const { object } = entry;
  const named = object.name ? displayName(object) : object.resource || object.kind;
  return `asked to ${entry.verb} ${named}${entry.subresource ? ` ${entry.subresource}` : ''}`;
}

function responseWords(run: RunView, entry: Extract<TraceEntry, { kind: 'response' }>): string {
  const request = entryAt(run, entry.request);
  const tried = request?.kind === 'request' ? requestWords(request).replace('asked to', 'tried to') : 'asked';
  if (entry.code < 400) return `${tried}: ${entry.code}`;
  return `${tried}, but got ${entry.code}${entry.reason ? ` ${entry.reason}` : ''}${entry.message ? `: ${entry.message}` : ''}`;
}

function reconcileWords(entry: Extract<TraceEntry, { kind: 'reconcile' }>): string {
  if (entry.what === 'start') return `looks at ${entry.key}`;
  return entry.result === undefined ? `is done with ${entry.key}` : `will try ${entry.key} again: ${entry.result}`;
}
