import type { TraceEntry } from '../../sim/trace.ts';
import { type Session, writeInView } from '../app/session.ts';
import { reasonText } from '../line/story-line.ts';
import { displayName, isJsonObject } from '../model/field.ts';
import { withoutHeartbeat } from '../model/noise.ts';
import { type DiffLine, diffObjects } from '../model/object-diff.ts';
import { readWrite, type WriteEntry } from '../model/run-view.ts';
import { sentenceOf } from '../model/sentence.ts';
import { who } from '../model/who.ts';
import { wrap } from '../text/cells.ts';
import { formatVirtualTime, virtualTimeOf } from '../text/format-time.ts';
import type { PaneContent } from './frame.ts';
import { type Line, span, type Token } from './span.ts';

const MARK_TOKENS: Readonly<Record<DiffLine['mark'], Token>> = { '+': 'added', '-': 'removed', '~': 'changed', ' ': 'dim' };
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Pane 3: what this step changed, who wrote it and why. For entries that write nothing: what they say, and the write behind them. */
export function diffContent(
  session: Session,
  entry: TraceEntry | undefined,
  size: { width: number; height: number; scroll: number },
): PaneContent {
  if (!entry) return { title: '3 Diff', lines: [[span(' nothing has happened yet', 'dim')]] };
  const write = writeInView(session.run, entry);
  const head = entry.kind === 'write' ? [] : statement(session, entry, size.width);
  const changes = write ? diffLines(session, write) : [];
  const foot = footLines(session, entry, { write, width: size.width });
  const room = Math.max(1, size.height - head.length - foot.length);
  const maxScroll = Math.max(0, changes.length - room);
  const scroll = Math.min(size.scroll, maxScroll);
  const shown = changes.slice(scroll, scroll + room);
  const filler = Array.from({ length: Math.max(0, room - shown.length) }, (): Line => []);
  const note = changes.length > room ? `lines ${scroll + 1}-${scroll + shown.length} of ${changes.length}` : write ? revisions(write) : '';
  return { title: '3 Diff', note, lines: [...head, ...shown, ...filler, ...foot], maxScroll };
}

function revisions(write: WriteEntry): string {
  return write.previous ? `rv ${write.previous} > ${write.revision}` : `rv ${write.revision}`;
}

function statement(session: Session, entry: TraceEntry, width: number): Line[] {
  const { who: actor, what } = sentenceOf(session.run, entry);
  const lines = wrap(`${actor} ${what}`, width - 2).map((text): Line => [span(` ${text}`, 'cursor')]);
  if ((entry.kind === 'decision' || entry.kind === 'runtime') && isJsonObject(entry.details)) {
    for (const { depth, text } of diffObjects({}, entry.details)) lines.push([span(`   ${'  '.repeat(depth)}${text}`)]);
  }
  return lines;
}

function diffLines(session: Session, write: WriteEntry): Line[] {
  const read = readWrite(session.run, write);
  const [before, after] = [read.before && withoutHeartbeat(read.before), read.after && withoutHeartbeat(read.after)];
  const name = displayName(write.object).replace(' ', '/');
  if (write.verb === 'delete') return [[span('-', 'removed'), span(` ${name}`, 'removed'), span('  gone from the store', 'dim')]];
  const title: Line = [span(write.verb === 'create' ? '+' : '~', write.verb === 'create' ? 'added' : 'changed'), span(` ${name}`, 'title')];
  const body = diffObjects(before, after).map(({ depth, mark, text }): Line => {
    return [
      span(mark, MARK_TOKENS[mark]),
      span(`   ${'  '.repeat(depth)}${withVirtualTime(text, session.run.epoch)}`, mark === ' ' ? 'text' : MARK_TOKENS[mark]),
    ];
  });
  return [title, ...(body.length > 0 ? body : [[span('    nothing but bookkeeping', 'dim')]])];
}

/** Timestamps of the API with the virtual time that they stand for. */
function withVirtualTime(text: string, epoch: number): string {
  return text.replace(TIMESTAMP, (stamp) => {
    const time = virtualTimeOf(stamp, epoch);
    return time === undefined ? stamp : `${stamp} (t=${formatVirtualTime(time).replace('.000s', 's')})`;
  });
}

function footLines(session: Session, entry: TraceEntry, { write, width }: { write: WriteEntry | undefined; width: number }): Line[] {
  const lines: Line[] = [];
  if (write) lines.push([span(' writer : ', 'dim'), span(`${who(session.run, write)}${entry.kind === 'write' ? '' : ` (#${write.seq})`}`)]);
  const reason = reasonText(session.run, entry);
  if (!reason) return lines;
  for (const [index, text] of wrap(reason, width - 11)
    .slice(0, 2)
    .entries())
    lines.push([span(index === 0 ? ' because: ' : '          ', 'dim'), span(text)]);
  return lines;
}
