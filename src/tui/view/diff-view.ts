import type { KubernetesObject } from '../../api/object.ts';
import type { TraceEntry } from '../../sim/trace.ts';
import { type Moment, type Session, writeInView } from '../app/session.ts';
import type { DiffMode } from '../app/ui-state.ts';
import { reasonText } from '../line/story-line.ts';
import { displayName, displayNameOf, isJsonObject } from '../model/field.ts';
import { referenceOf } from '../model/kind-of.ts';
import { withoutHeartbeat } from '../model/noise.ts';
import { type DiffLine, diffObjects } from '../model/object-diff.ts';
import { readWrite, type WriteEntry } from '../model/run-view.ts';
import { sentenceOf } from '../model/sentence.ts';
import { who } from '../model/who.ts';
import { padCells } from '../text/cells.ts';
import { formatVirtualTime, virtualTimeOf } from '../text/format-time.ts';
import { wrapSentence } from '../text/wrap-sentence.ts';
import type { Words } from '../words/en.ts';
import type { PaneContent } from './frame.ts';
import { type Line, span, type Token } from './span.ts';

const MARK_TOKENS: Readonly<Record<DiffLine['mark'], Token>> = { '+': 'added', '-': 'removed', '~': 'changed', ' ': 'dim' };
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

interface DiffSize {
  readonly width: number;
  readonly height: number;
  readonly scroll: number;
  readonly mode: DiffMode;
  readonly words: Words;
}

/** Two versions of an object, and how they are called. */
interface Comparison {
  readonly name: string;
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
}

/** Pane 3: what this step changed, who wrote it and why. For entries that write nothing: what they say, and the write behind them. */
export function diffContent(session: Session, moment: Moment, size: DiffSize): PaneContent {
  const { views, panes } = size.words;
  const title = `3 ${panes.diff}`;
  const { entry } = moment;
  if (!entry) return { title, lines: [[span(` ${views.nothingHappened}`, 'dim')]] };
  const write = writeInView(session.run, entry);
  const head = entry.kind === 'write' ? [] : statement(session, entry, size);
  const since = size.mode === 'since' ? sinceCommand(session, moment) : undefined;
  const compared = since ?? (write && versions(session, write));
  const changes = compared ? diffLines(session, compared, size) : [];
  const foot = footLines(session, entry, { write, width: size.width, words: size.words });
  const room = Math.max(1, size.height - head.length - foot.length);
  const maxScroll = Math.max(0, changes.length - room);
  const scroll = Math.min(size.scroll, maxScroll);
  const shown = changes.slice(scroll, scroll + room);
  const filler = Array.from({ length: Math.max(0, room - shown.length) }, (): Line => []);
  const about = since ? views.since(size.words.telling.message(since.from)) : write ? revisions(write) : '';
  const note = changes.length > room ? views.lines(scroll + 1, scroll + shown.length, changes.length) : about;
  return { title, note, lines: [...head, ...shown, ...filler, ...foot], maxScroll };
}

function revisions(write: WriteEntry): string {
  return write.previous ? `rv ${write.previous} > ${write.revision}` : `rv ${write.revision}`;
}

function versions(session: Session, write: WriteEntry): Comparison {
  return { name: displayName(write.object).replace(' ', '/'), ...readWrite(session.run, write) };
}

/** The selected object before the last command, and now. */
function sinceCommand(session: Session, moment: Moment): (Comparison & { from: string }) | undefined {
  const object = moment.tree[moment.selected]?.object;
  const reference = object && referenceOf(object);
  const mark = session.timeline.marks.findLast(({ seq }) => seq <= (moment.entry?.seq ?? 0));
  if (!object || !reference || !mark) return undefined;
  const before = session.run.readObject(reference, session.timeline.revisionAt(mark.seq));
  return { name: displayNameOf(object).replace(' ', '/'), before, after: object, from: mark.text };
}

function statement(session: Session, entry: TraceEntry, { width, words }: { width: number; words: Words }): Line[] {
  const { who: actor, what } = sentenceOf(session.run, entry, words.telling);
  const lines = wrapSentence(`${actor} ${what}`, width - 2).map((text): Line => [span(` ${text}`, 'cursor')]);
  if ((entry.kind === 'decision' || entry.kind === 'runtime') && isJsonObject(entry.details)) {
    for (const { depth, text } of diffObjects({}, entry.details)) lines.push([span(`   ${'  '.repeat(depth)}${text}`)]);
  }
  return lines;
}

function diffLines(session: Session, { name, before, after }: Comparison, { words, mode, width }: DiffSize): Line[] {
  if (!after) return [[span('-', 'removed'), span(` ${name}`, 'removed'), span(`  ${words.views.goneFromStore}`, 'dim')]];
  const title: Line = [span(before ? '~' : '+', before ? 'changed' : 'added'), span(` ${name}`, 'title')];
  const changes = diffObjects(before && withoutHeartbeat(before), withoutHeartbeat(after));
  if (changes.length === 0) return [title, [span(`    ${words.views.bookkeeping}`, 'dim')]];
  return [title, ...(mode === 'side' ? sideBySide(session, changes, { words, width }) : changes.map((line) => oneLine(session, line)))];
}

function oneLine(session: Session, { depth, mark, text }: DiffLine): Line {
  const token = mark === ' ' ? 'text' : MARK_TOKENS[mark];
  return [span(mark, MARK_TOKENS[mark]), span(`   ${'  '.repeat(depth)}${withVirtualTime(text, session.run.epoch)}`, token)];
}

function sideBySide(session: Session, changes: readonly DiffLine[], { words, width }: { words: Words; width: number }): Line[] {
  const half = Math.floor((width - 3) / 2);
  const row = (mark: DiffLine['mark'], left: string, right: string): Line => [
    span(`${mark} ${padCells(left, half)}`, mark === ' ' ? 'text' : mark === '+' ? 'dim' : 'removed'),
    span(' '),
    span(right, mark === ' ' ? 'text' : mark === '-' ? 'dim' : 'added'),
  ];
  const head: Line = [span(`  ${padCells(words.views.before, half)} ${words.views.after}`, 'dim')];
  return [
    head,
    ...changes.map(({ depth, mark, text, sides }) => {
      const lead = '  '.repeat(depth);
      const [left, right] = sides ?? [mark === '+' ? '' : text, mark === '-' ? '' : text];
      return row(mark, left && lead + withVirtualTime(left, session.run.epoch), right && lead + withVirtualTime(right, session.run.epoch));
    }),
  ];
}

/** Timestamps of the API with the virtual time that they stand for. */
function withVirtualTime(text: string, epoch: number): string {
  return text.replace(TIMESTAMP, (stamp) => {
    const time = virtualTimeOf(stamp, epoch);
    return time === undefined ? stamp : `${stamp} (t=${formatVirtualTime(time).replace('.000s', 's')})`;
  });
}

const LABEL = 8;

function footLines(
  session: Session,
  entry: TraceEntry,
  { write, width, words }: { write: WriteEntry | undefined; width: number; words: Words },
): Line[] {
  const { writer, because } = words.views;
  const lines: Line[] = [];
  const label = (text: string): string => ` ${text ? `${padCells(text, LABEL - 1)}: ` : ' '.repeat(LABEL + 1)}`;
  if (write)
    lines.push([span(label(writer), 'dim'), span(`${who(session.run, write)}${entry.kind === 'write' ? '' : ` (#${write.seq})`}`)]);
  const reason = reasonText(session.run, entry, words.telling);
  if (!reason) return lines;
  for (const [index, text] of wrapSentence(reason, width - LABEL - 3)
    .slice(0, 2)
    .entries())
    lines.push([span(label(index === 0 ? because : ''), 'dim'), span(text)]);
  return lines;
}
