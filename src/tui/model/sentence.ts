import type { TraceEntry } from '../../sim/trace.ts';
import type { Telling } from '../words/telling.ts';
import { EN_TELLING } from '../words/telling-en.ts';
import { sightOf } from './causes.ts';
import { describeChange } from './change.ts';
import { displayName } from './field.ts';
import { entryAt, type RunView } from './run-view.ts';
import { decisionWords, runtimeWords } from './runtime-words.ts';
import { who } from './who.ts';

/** An entry in words: who, and what. */
export interface Sentence {
  readonly who: string;
  readonly what: string;
}

/** Puts any entry of the trace into words of a language (English if absent); the same ones in the log, in the line mode and in `why`. */
export function sentenceOf(run: RunView, entry: TraceEntry, telling: Telling = EN_TELLING): Sentence {
  const actor = who(run, entry);
  // What a person asks for is carried out by kube-apiserver: it may refuse, and it does not always do what the words seem to say.
  return { who: actor === 'you' && entry.kind === 'write' ? 'kube-apiserver' : telling.who(actor), what: whatOf(run, entry, telling) };
}

function whatOf(run: RunView, entry: TraceEntry, telling: Telling): string {
  const words = telling.entry;
  switch (entry.kind) {
    case 'input':
      return entry.input === 'kubectl' ? words.ran(entry.text) : telling.message(entry.text);
    case 'fault':
      return telling.message(entry.message);
    case 'actor':
      return entry.what === 'started' && entry.incarnation > 1 ? words.startedAgain(entry.incarnation) : words.actor(entry.what);
    case 'request':
      return words.asked(entry.verb, target(entry, telling));
    case 'stage':
      return `${entry.stage}: ${entry.outcome}${entry.message ? ` (${entry.message})` : ''}`;
    case 'write':
      return telling.sentence(describeChange(run, entry, telling), displayName(entry.object));
    case 'response':
      return responseWords(run, entry, telling);
    case 'watch':
      return words.saw(sightOf(run, entry, telling));
    case 'reconcile':
      return reconcileWords(entry, telling);
    case 'decision':
      return decisionWords(entry, telling);
    case 'runtime':
      return runtimeWords(entry, telling);
  }
}

/** `the status of Deployment web` */
function target(request: Extract<TraceEntry, { kind: 'request' }>, telling: Telling): string {
  const name = request.object.name ? displayName(request.object) : request.object.resource;
  return request.subresource ? telling.entry.subresource(request.subresource, name) : name;
}

function responseWords(run: RunView, entry: Extract<TraceEntry, { kind: 'response' }>, telling: Telling): string {
  const sent = entryAt(run, entry.request);
  const request = sent?.kind === 'request' ? { verb: sent.verb, target: target(sent, telling) } : undefined;
  if (entry.code === 409 && entry.reason === 'Conflict' && request) return telling.entry.conflict(request.verb, request.target);
  const isRefusal = entry.code >= 400;
  const text = `${entry.code}${isRefusal && entry.reason ? ` ${entry.reason}` : ''}${isRefusal && entry.message ? `: ${entry.message}` : ''}`;
  return telling.entry.answered(request, { isRefusal, text });
}

function reconcileWords({ what, key, result }: Extract<TraceEntry, { kind: 'reconcile' }>, { entry }: Telling): string {
  if (what === 'start') return entry.looksAt(key);
  return result === undefined ? entry.isDoneWith(key) : entry.failedOn(key, result);
}
