import type { Moment } from '../app/session.ts';
import { displayNameOf } from '../model/field.ts';
import { shortStatus } from '../model/object-status.ts';
import type { TreeRow } from '../model/owner-tree.ts';
import { cellWidth, truncateMiddle } from '../text/cells.ts';
import type { Words } from '../words/en.ts';
import type { PaneContent, PaneSize } from './frame.ts';
import type { Glyphs } from './glyphs.ts';
import { type Line, type Span, span, type Token } from './span.ts';

const TONES: Readonly<Record<ReturnType<typeof shortStatus>['tone'], Token>> = { good: 'good', busy: 'busy', bad: 'bad', plain: 'dim' };

/** Pane 2: the objects below their owners, as they are at this moment. `~` marks what this entry is about, `>` the selection. */
export function objectsContent(moment: Moment, size: PaneSize): PaneContent {
  const { tree, touched } = moment;
  const touchedRow = tree.findIndex(({ key }) => key === touched);
  const anchor = moment.selected >= 0 ? moment.selected : touchedRow;
  const first = Math.min(Math.max(0, anchor - Math.floor(size.height / 2)), Math.max(0, tree.length - size.height));
  const lines = tree
    .slice(first, first + size.height)
    .map((row, index) => drawObject(row, { ...size, touched: row.key === touched, selected: first + index === moment.selected }));
  if (tree.length === 0) lines.push([span(` ${size.words.views.nothing}`, 'dim')]);
  return {
    title: `2 ${size.words.panes.objects}`,
    note: tree.length > size.height ? size.words.views.of(first + 1, Math.min(tree.length, first + size.height), tree.length) : '',
    lines,
  };
}

function drawObject(row: TreeRow, look: { width: number; glyphs: Glyphs; words: Words; touched: boolean; selected: boolean }): Line {
  const { width, glyphs, words, touched, selected } = look;
  const status = shortStatus(row.object, words);
  const guide = row.follows
    .map((follows, level) =>
      level < row.follows.length - 1 ? (follows ? glyphs.guide : '  ') : follows ? glyphs.branch : glyphs.lastBranch,
    )
    .join('');
  const mark = `${selected ? '>' : ' '}${touched ? '~' : ' '}`;
  const room = width - mark.length - guide.length - 2;
  const note = status.text ? ` ${status.text}` : '';
  const name = truncateMiddle(
    `${displayNameOf(row.object).replace(' ', '/')}${row.hidden ? ` (+${row.hidden})` : ''}`,
    Math.max(10, room - cellWidth(note)),
  );
  const filler = ' '.repeat(Math.max(1, room - cellWidth(name) - cellWidth(note) + 1));
  const line: Span[] = [
    span(mark, touched ? 'changed' : 'cursor'),
    span(guide, 'dim'),
    span(name, selected ? 'selected' : touched ? 'cursor' : 'text'),
    span(filler),
  ];
  line.push(span(note.trimStart(), TONES[status.tone]));
  return line;
}
