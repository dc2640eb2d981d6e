import type { TraceEntry } from '../../sim/trace.ts';
import { reasonsOf } from '../model/causes.ts';
import { describeChange } from '../model/change.ts';
import { displayName } from '../model/field.ts';
import type { RunView, WriteEntry } from '../model/run-view.ts';
import { nodeWork } from '../model/runtime-words.ts';
import { sentenceOf } from '../model/sentence.ts';
import { padCells, printable } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import type { Telling } from '../words/telling.ts';
import type { PodNote } from './pod-count.ts';

/** What a line may draw on besides the entry itself. */
export interface StoryContext {
  readonly run: RunView;
  /** In which language. */
  readonly telling: Telling;
  /** Known to the teller of the story. */
  readonly note?: PodNote | undefined;
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
  const { run, telling, names = [] } = context;
  const { story } = telling;
  if (entry.kind === 'actor' && names.length > 1) return label(entry, story.cluster, story.started(processes(names, telling)));
  const work = entry.kind === 'runtime' && names.length > 1 ? nodeWork(entry, telling) : undefined;
  const sentence = sentenceOf(run, entry, telling);
  const actor = work?.component ?? sentence.who;
  const what = work ? story.onTheseNodes(work.words, telling.listing(shortened(names, telling))) : sentence.what;
  const several = names.length > 1 && entry.kind === 'write' && entry.object.kind === 'Node';
  const who = several && actor.startsWith('kubelet/') ? story.kubelets : actor;
  const text = entry.kind === 'write' ? writeWords(entry, context) : context.retried ? story.tryAgain(what) : what;
  const because = entry.kind === 'input' || entry.kind === 'fault' || entry.kind === 'response' || several ? '' : becauseOf(entry, context);
  return label(entry, who, because ? story.because(text, because) : text);
}

function label(entry: TraceEntry, who: string, text: string): string {
  return printable(`${`t=${formatVirtualTime(entry.time)}`.padEnd(TIME_WIDTH)} ${padCells(who, WHO_WIDTH)} ${text}`);
}

function writeWords(entry: WriteEntry, { run, telling, names }: StoryContext): string {
  const change = describeChange(run, entry, telling);
  if (!names || names.length < 2) return telling.sentence(change, displayName(entry.object));
  return `${telling.several(change, { kind: entry.object.kind, names })}${telling.listing(shortened(names, telling))}`;
}

/** `etcd, kube-apiserver; on nodes n1 and n2: containerd, kubelet` */
function processes(actors: readonly string[], telling: Telling): string {
  const single = actors.filter((actor) => !actor.includes('/'));
  const placed = actors.filter((actor) => actor.includes('/')).map((actor) => actor.split('/'));
  const components = [...new Set(placed.map(([component = '']) => component))];
  const nodes = [...new Set(placed.map(([, node = '']) => node))];
  if (nodes.length < 2) return telling.listing(actors);
  const where = telling.story.onNodes(telling.listing(shortened(nodes, telling)));
  return `${telling.listing(single)}; ${where}: ${telling.listing(components)}`;
}

function shortened(names: readonly string[], telling: Telling): readonly string[] {
  return names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES - 1), telling.more(names.length - MAX_NAMES + 1)] : names;
}

function becauseOf(entry: TraceEntry, { run, telling, sameReason, note }: StoryContext): string {
  const { story } = telling;
  if (sameReason) return story.sameReason;
  const reason = reasonText(run, entry, telling);
  const decided = reasonsOf(run, entry).some(({ kind }) => kind === 'decision');
  const had =
    note && !decided ? [note.kind === 'had' ? story.had(note.count, note.wanted) : story.hadTooMany(note.count, note.wanted)] : [];
  return story.join([...(reason ? [reason] : []), ...had]);
}

/** Why an actor did this, as the words after "because"; empty when it acted of its own accord. */
export function reasonText(run: RunView, entry: TraceEntry, telling: Telling): string {
  const { story } = telling;
  const own = entry.kind === 'decision' || entry.kind === 'runtime';
  const reasons = reasonsOf(run, entry, telling);
  const near = reasons[0];
  if (!near) return '';
  if (near.kind === 'input') return own || entry.kind === 'write' ? story.youAsked : '';
  const seen = reasons.find((reason) => reason.kind === 'saw');
  const words = seen ? story.sawThat(seen.text) : '';
  if (near.kind === 'saw') return words;
  if (own) return near.kind === 'fault' ? near.text : words;
  if (near.kind !== 'decision' || !words) return near.text;
  return saysTheSame({ run, telling }, entry, near.text) ? words : story.join([words, near.text]);
}

/** A decision that the sentence itself quotes need not be given as its reason too. */
function saysTheSame({ run, telling }: Pick<StoryContext, 'run' | 'telling'>, entry: TraceEntry, decision: string): boolean {
  if (entry.kind !== 'write') return false;
  const tail = describeChange(run, entry, telling).tail.replace(/^: /, '');
  return tail.length >= 15 && decision.includes(tail);
}
