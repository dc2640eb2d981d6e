import type { TraceEntry } from '../../sim/trace.ts';
import { reasonsOf } from '../model/causes.ts';
import { changeSentence, describeChange } from '../model/change.ts';
import { displayName } from '../model/field.ts';
import type { RunView, WriteEntry } from '../model/run-view.ts';
import { nodeWork } from '../model/runtime-words.ts';
import { sentenceOf } from '../model/sentence.ts';
import { printable } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';

/** What a line may draw on besides the entry itself. */
export interface StoryContext {
  readonly run: RunView;
  /** Known to the teller of the story, e.g. `2 of 3 wanted pods left`. */
  readonly note?: string | undefined;
  /** The reason was given in the line before. */
  readonly sameReason?: boolean;
  /** Names of the objects for which this line stands; the entry's own when absent. */
  readonly names?: readonly string[];
  /** The actor will try again. */
  readonly retried?: boolean;
}

/** Cells kept for the time and for the name of who acts, so that the sentences stand below each other. */
const TIME_WIDTH = 12;
const WHO_WIDTH = 24;
const MAX_NAMES = 5;

/**
 * One entry as one labelled sentence, e.g. `t=12.004s  replicaset-controller  created Pod web-2 (because: it saw that Pod web-1 is being deleted)`.
 * Undefined for entries that are no news by themselves: what a component saw is told as the reason of what it did.
 */
export function storyLine(entry: TraceEntry, context: StoryContext): string | undefined {
  if (entry.kind === 'watch' || entry.kind === 'stage') return undefined;
  if (entry.kind === 'reconcile' && (entry.what === 'start' || entry.result === undefined)) return undefined;
  if (entry.kind === 'actor' && context.names && context.names.length > 1)
    return label(entry, 'cluster', `started ${processes(context.names)}`);
  const work = entry.kind === 'runtime' && context.names && context.names.length > 1 ? nodeWork(entry) : undefined;
  const sentence = sentenceOf(context.run, entry);
  const actor = work?.component ?? sentence.who;
  const what = work ? `${work.words} on nodes ${listing(shortened(context.names ?? []))}` : sentence.what;
  const several = (context.names?.length ?? 0) > 1 && entry.kind === 'write' && entry.object.kind === 'Node';
  const who = several && actor.startsWith('kubelet/') ? 'kubelets' : actor;
  const text = entry.kind === 'write' ? writeWords(entry, context) : `${what}${context.retried ? '; it will try again' : ''}`;
  const because = entry.kind === 'input' || entry.kind === 'fault' || entry.kind === 'response' || several ? '' : becauseOf(entry, context);
  return label(entry, who, `${text}${because ? `  (because: ${because})` : ''}`);
}

function label(entry: TraceEntry, who: string, text: string): string {
  return printable(`${`t=${formatVirtualTime(entry.time)}`.padEnd(TIME_WIDTH)} ${who.padEnd(WHO_WIDTH)} ${text}`);
}

function writeWords(entry: WriteEntry, { run, names }: StoryContext): string {
  const change = describeChange(run, entry);
  if (!names || names.length < 2) return changeSentence(change, displayName(entry.object));
  const tail = change.tail.startsWith(': ') ? ` (${change.tail.slice(2)})` : change.tail && ` ${change.tail}`;
  return changeSentence({ ...change, tail: '' }, `${names.length} ${plural(entry.object.kind)}${tail}: ${listing(shortened(names))}`);
}

/** `etcd, kube-apiserver; on nodes n1 and n2: containerd, kubelet` */
function processes(actors: readonly string[]): string {
  const single = actors.filter((actor) => !actor.includes('/'));
  const placed = actors.filter((actor) => actor.includes('/')).map((actor) => actor.split('/'));
  const components = [...new Set(placed.map(([component = '']) => component))];
  const nodes = [...new Set(placed.map(([, node = '']) => node))];
  if (nodes.length < 2) return listing(actors);
  return `${listing(single)}; on nodes ${listing(shortened(nodes))}: ${listing(components)}`;
}

function shortened(names: readonly string[]): readonly string[] {
  return names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES - 1), `${names.length - MAX_NAMES + 1} more`] : names;
}

/** `a, b and c` */
function listing(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function plural(kind: string): string {
  if (/(s|ss|ch|x)$/.test(kind)) return `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

function becauseOf(entry: TraceEntry, context: StoryContext): string {
  if (context.sameReason) return 'same reason';
  const reason = reasonText(context.run, entry);
  const decided = reasonsOf(context.run, entry).some(({ kind }) => kind === 'decision');
  return [reason, decided ? '' : context.note].filter(Boolean).join('; ');
}

/** Why an actor did this, as the words after "because"; empty when it acted of its own accord. */
export function reasonText(run: RunView, entry: TraceEntry): string {
  const own = entry.kind === 'decision' || entry.kind === 'runtime';
  const reasons = reasonsOf(run, entry);
  const near = reasons[0];
  if (!near) return '';
  if (near.kind === 'input') return own || entry.kind === 'write' ? 'you asked for it' : '';
  const seen = reasons.find((reason) => reason.kind === 'saw');
  const words = seen ? `it saw that ${seen.text}` : '';
  if (near.kind === 'saw') return words;
  if (own) return near.kind === 'fault' ? near.text : words;
  if (near.kind !== 'decision' || !words) return near.text;
  return saysTheSame(run, entry, near.text) ? words : `${words}; ${near.text}`;
}

/** A decision that the sentence itself quotes need not be given as its reason too. */
function saysTheSame(run: RunView, entry: TraceEntry, decision: string): boolean {
  if (entry.kind !== 'write') return false;
  const tail = describeChange(run, entry).tail.replace(/^: /, '');
  return tail.length >= 15 && decision.includes(tail);
}
