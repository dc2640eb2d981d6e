import type { TraceEntry } from '../../sim/trace.ts';
import { sightOf } from './causes.ts';
import { changeSentence, describeChange } from './change.ts';
import { displayName } from './field.ts';
import { entryAt, type RunView } from './run-view.ts';
import { decisionWords, runtimeWords } from './runtime-words.ts';
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
      return entry.input === 'kubectl' ? `ran ${entry.text}` : entry.text;
    case 'fault':
      return entry.message;
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
      return decisionWords(entry);
    case 'runtime':
      return runtimeWords(entry);
  }
}

function actorWords(what: 'started' | 'crashed' | 'paused' | 'resumed'): string {
  return { started: 'started', crashed: 'crashed', paused: 'stopped responding', resumed: 'goes on' }[what];
}

/** A request as a person would name it: `update Pod web-1 status`. */
function requestWords(entry: Extract<TraceEntry, { kind: 'request' }>): string {
  return `asked to ${entry.verb} ${target(entry)}`;
}

/** `the status of Deployment web` */
function target(request: Extract<TraceEntry, { kind: 'request' }>): string {
  const name = request.object.name ? displayName(request.object) : request.object.resource;
  return request.subresource ? `the ${request.subresource} of ${name}` : name;
}

function responseWords(run: RunView, entry: Extract<TraceEntry, { kind: 'response' }>): string {
  const request = entryAt(run, entry.request);
  if (entry.code === 409 && entry.reason === 'Conflict' && request?.kind === 'request') {
    return `tried to ${request.verb} ${target(request)}, but it had changed since it was read (409 Conflict)`;
  }
  const tried = request?.kind === 'request' ? requestWords(request).replace('asked to', 'tried to') : 'asked';
  if (entry.code < 400) return `${tried}: ${entry.code}`;
  return `${tried}, but got ${entry.code}${entry.reason ? ` ${entry.reason}` : ''}${entry.message ? `: ${entry.message}` : ''}`;
}

function reconcileWords(entry: Extract<TraceEntry, { kind: 'reconcile' }>): string {
  if (entry.what === 'start') return `looks at ${entry.key}`;
  return entry.result === undefined ? `is done with ${entry.key}` : `will try ${entry.key} again: ${entry.result}`;
}
