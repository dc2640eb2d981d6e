import type { TraceEntry } from '../../sim/trace.ts';
import { causeChain } from '../model/causes.ts';
import { describeChange } from '../model/change.ts';
import { displayName } from '../model/field.ts';
import { isEcho } from '../model/noise.ts';
import type { RunView, WriteEntry } from '../model/run-view.ts';
import { sentenceOf } from '../model/sentence.ts';
import { cellWidth, padCells, truncate } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import { wrapSentence } from '../text/wrap-sentence.ts';
import type { Words } from '../words/en.ts';
import type { Telling } from '../words/telling.ts';
import { type Line, span } from './span.ts';

/** Longer names only stand in the last link: a generated name helps nobody on the way. */
const LONG_NAME = 20;

/** What is worth saying of a chain of causes: requests and answers only carry the rest. */
function links(run: RunView, entry: TraceEntry): TraceEntry[] {
  const chain = causeChain(run, entry).reverse();
  return chain.filter(
    (link) => link === entry || (!isEcho(run, link) && link.kind !== 'request' && link.kind !== 'stage' && link.kind !== 'response'),
  );
}

/** The chain of causes as one sentence, from the input on, in at most `width` cells: as full as there is room for; the middle gives way last. */
export function whyLine(run: RunView, entry: TraceEntry | undefined, { width, words }: { width: number; words: Words }): Line {
  const { telling, hints } = words;
  const { why } = hints;
  if (!entry) return [span(` ${why}  `, 'key'), span(words.views.firstStep, 'dim')];
  const label = ` ${why} #${entry.seq}  `;
  const chain = links(run, entry).filter((link) => link === entry || link.kind !== 'reconcile');
  const room = width - cellWidth(label);
  const full = chain.map((link, index) => fullWords({ run, telling }, link, chain[index - 1])).join(' > ');
  const text = cellWidth(full) <= room ? full : shortest({ run, telling }, chain, room);
  return [span(label, 'key'), span(text)];
}

/** A run, and the language in which it is told. */
interface Told {
  readonly run: RunView;
  readonly telling: Telling;
}

function shortest(told: Told, chain: readonly TraceEntry[], width: number): string {
  const { steps, last } = shortSteps(told, chain);
  return shorten(steps, last, width);
}

/** Who did what; who acted in the link before is not named again. */
function fullWords({ run, telling }: Told, link: TraceEntry, before: TraceEntry | undefined): string {
  const { who, what } = sentenceOf(run, link, telling);
  if (link.kind === 'input') return `${who} ${what}`;
  if (link.kind === 'watch') return `${who} ${telling.entry.sawIt}`;
  return before && sentenceOf(run, before, telling).who === who ? what : `${who} ${what}`;
}

/** Only the writes and what a person did, in few words; then the last link, with and without its details. */
function shortSteps(told: Told, chain: readonly TraceEntry[]): { steps: string[]; last: string[] } {
  const steps: string[] = [];
  let last: string[] = [];
  let subject = '';
  for (const link of chain) {
    const name = 'object' in link && link.object ? link.object.name : '';
    const known = name !== '' && (name === subject || steps.at(-1)?.endsWith(` ${name}`) === true);
    if (link === chain.at(-1)) last = lastWords(told, link, known);
    else if (link.kind === 'input') steps.push(link.input === 'kubectl' ? link.text : told.telling.message(link.text));
    else if (link.kind === 'fault') steps.push(told.telling.message(link.message));
    else if (link.kind === 'write') steps.push(`${shortWho(sentenceOf(told.run, link).who)} ${writeWords(told, link, known)}`);
    if (link.kind === 'write') subject = name;
  }
  return { steps, last };
}

function shortWho(who: string): string {
  return who.replace(/^kube-/, '');
}

function lastWords({ run, telling }: Told, link: TraceEntry, known: boolean): string[] {
  const { who, what } = sentenceOf(run, link, telling);
  if (link.kind === 'watch' && known) return [`${who} ${telling.entry.sawIt}`];
  if (link.kind !== 'write') return [`${who} ${what}`];
  const name = known ? telling.entry.it : displayName(link.object);
  const change = describeChange(run, link, telling);
  const sentence = (tail: string): string => telling.sentence({ ...change, tail }, name);
  return [`${who} ${sentence(change.tail)}`, `${shortWho(who)} ${sentence(firstPart(change.tail))}`, `${shortWho(who)} ${sentence('')}`];
}

/** `for deletion` of `for deletion, with 30 s to stop` */
function firstPart(tail: string): string {
  return (tail.split(/[,;:(]/)[0] ?? '').trim();
}

function writeWords({ run, telling }: Told, write: WriteEntry, known: boolean): string {
  const change = describeChange(run, write, telling);
  const name = displayName(write.object);
  const short = name.length > LONG_NAME ? telling.entry.a(write.object.kind) : name;
  return telling.sentence({ ...change, tail: known ? firstPart(change.tail) : '' }, known ? telling.entry.it : short);
}

/** The steps with as much as fits: the last one may lose its details, then those in the middle go, nearest to the first cause first. */
function shorten(steps: readonly string[], last: readonly string[], width: number): string {
  for (const end of last) {
    const whole = [...steps, end].join(' > ');
    if (cellWidth(whole) <= width) return whole;
  }
  for (let kept = steps.length - 2; kept >= 0 && steps.length > 1; kept--) {
    for (const end of last) {
      const text = [steps[0], '..', ...steps.slice(steps.length - kept), end].join(' > ');
      if (cellWidth(text) <= width) return text;
    }
  }
  return truncate(steps.length === 0 ? (last[0] ?? '') : `.. > ${last.at(-1)}`, width);
}

/** The chain of causes as a list, oldest first, for the whole screen. */
export function whyList(run: RunView, entry: TraceEntry | undefined, { width, words }: { width: number; words: Words }): Line[] {
  if (!entry) return [[span(` ${words.views.nothingHappened}`, 'dim')]];
  const lines: Line[] = [];
  for (const link of links(run, entry)) {
    const { who, what } = sentenceOf(run, link, words.telling);
    const lead = `${`#${link.seq}`.padStart(8)} ${formatVirtualTime(link.time).padStart(11)}  ${padCells(truncate(who, 23), 23)} `;
    const parts = wrapSentence(what, Math.max(20, width - lead.length - 1));
    for (const [part, text] of parts.entries()) {
      const own = link === entry;
      lines.push([span(part === 0 ? lead : ' '.repeat(lead.length), own ? 'actor' : 'dim'), span(text, own ? 'cursor' : 'text')]);
    }
  }
  return lines;
}
