import type { Moment, Session } from '../app/session.ts';
import type { UiState } from '../app/ui-state.ts';
import { entryAt } from '../model/run-view.ts';
import { sentenceOf } from '../model/sentence.ts';
import { cellWidth, padCells, truncate } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import type { Words } from '../words/en.ts';
import { CanvasRow } from './canvas.ts';
import type { PaneContent, PaneSize } from './frame.ts';
import type { Glyphs } from './glyphs.ts';
import { type Line, span } from './span.ts';
import { windowStart } from './stage-view.ts';

const MARK_CHARACTERS = { input: 'o', fault: '!', crash: 'x' } as const;
const TIME_CELLS = 11;
const WHO_CELLS = 24;

/** One row: passed and coming events with the marks of inputs (`o`), faults (`!`) and crashes (`x`), and where we are. */
export function scrubber(session: Session, moment: Moment, size: { width: number; glyphs: Glyphs; state: UiState }): Line {
  const { width, glyphs, state } = size;
  const { rows, row } = moment;
  const canvas = new CanvasRow(width);
  const label = `[${row + 1}/${rows.count}]`;
  const here = columnOf(row, rows.count, width);
  for (let column = 0; column < width; column++) canvas.put(column, column <= here ? glyphs.passed : glyphs.ahead, 'dim');
  for (const seq of session.breakHits(state.breaks)) canvas.put(columnOf(rows.rowOf(seq), rows.count, width), 'B', 'busy');
  for (const mark of session.timeline.marks) {
    canvas.put(columnOf(rows.rowOf(mark.seq), rows.count, width), MARK_CHARACTERS[mark.kind], mark.kind === 'input' ? 'input' : 'bad');
  }
  for (const [letter, seq] of Object.entries(state.marks)) canvas.put(columnOf(rows.rowOf(seq), rows.count, width), letter, 'key');
  if (session.forkedAt !== undefined) canvas.put(columnOf(rows.rowOf(session.forkedAt), rows.count, width), glyphs.fork, 'key');
  canvas.put(Math.min(Math.max(0, here - Math.floor(label.length / 2)), width - label.length), label, 'focus');
  return canvas.toLine();
}

function columnOf(row: number, count: number, width: number): number {
  return count <= 1 ? 0 : Math.round((Math.max(row, 0) * (width - 1)) / (count - 1));
}

/** The names of the marks below the scrubber, as far as they do not overlap. */
function markLabels(session: Session, moment: Moment, { width, words }: { width: number; words: Words }): Line {
  const canvas = new CanvasRow(width);
  let free = 0;
  const columns = session.timeline.marks.map((mark) => columnOf(moment.rows.rowOf(mark.seq), moment.rows.count, width));
  for (const [index, mark] of session.timeline.marks.entries()) {
    const column = columns[index] ?? 0;
    if (column < free) continue;
    const next = columns.find((other) => other > column) ?? width;
    const room = Math.max(next, column + 10) - column - 1;
    const text = truncate(`^${words.telling.message(mark.text).replace(/^kubectl /, '')}`, Math.min(room, width - column));
    canvas.put(column, text, mark.seq === moment.entry?.seq ? 'focus' : 'dim');
    free = column + cellWidth(text) + 1;
  }
  return canvas.toLine();
}

/** Pane 5: the scrubber with its marks, and, where there is room, the log of events around the present one. */
export function timelineContent(session: Session, moment: Moment, size: PaneSize & { state: UiState }): PaneContent {
  const inner = size.width - 2;
  const head: Line[] = [
    [span(' '), ...scrubber(session, moment, { ...size, width: inner }), span(' ')],
    [span(' '), ...markLabels(session, moment, { width: inner, words: size.words }), span(' ')],
  ];
  const room = size.height - head.length - 1;
  const log = room > 0 ? [[span('')], ...logLines(session, moment, { height: room, words: size.words })] : [];
  return { title: `5 ${size.words.panes.timeline}`, note: timelineNote(session, moment, size.words), lines: [...head, ...log] };
}

/** How long the run is, and its branches: the one on the screen with a star. */
function timelineNote(session: Session, moment: Moment, words: Words): string {
  const events = words.views.events(moment.rows.count, session.run.entries.length);
  const { branches } = session.family;
  if (branches.length < 2) return events;
  const names = branches.map(
    (branch) => `${branch.name}${branch === session ? '*' : ''}${branch.forkedAt === undefined ? '' : ` (#${branch.forkedAt})`}`,
  );
  return `${events}  ${words.views.branches}: ${names.join('  ')}`;
}

function logLines(session: Session, moment: Moment, { height, words }: { height: number; words: Words }): Line[] {
  const first = windowStart(moment.row, height);
  const lines: Line[] = [];
  for (let row = first; row <= moment.row && lines.length < height; row++) {
    const entry = entryAt(session.run, moment.rows.at(row));
    if (!entry) continue;
    const { who, what } = sentenceOf(session.run, entry, words.telling);
    const current = row === moment.row;
    const text = `${formatVirtualTime(entry.time).padStart(TIME_CELLS)}  ${padCells(truncate(who, WHO_CELLS), WHO_CELLS)} `;
    lines.push([span(current ? '> ' : '  ', 'cursor'), span(text, current ? 'actor' : 'dim'), span(what, current ? 'cursor' : 'text')]);
  }
  return lines;
}
