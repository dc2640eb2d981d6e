import type { LessonText } from '../../lesson/lesson-text.ts';
import type { LessonSession } from '../../lesson/session.ts';
import type { Moment, Session } from '../app/session.ts';
import { cellWidth, truncate } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import { footerLine } from '../view/bars-view.ts';
import { type Line, lineWidth, type Span, span, spread } from '../view/span.ts';
import { wordsOf } from '../words/words.ts';
import { takesSeveral } from './draft.ts';
import type { LessonState } from './lesson-state.ts';
import { type KeyHint, lessonWordsOf } from './lesson-words.ts';

/** The first row: which lesson, how far, which moment, which panes. */
export function lessonHeader(
  state: LessonState,
  of: { readonly lesson: LessonSession; readonly text: LessonText; readonly moment: Moment; readonly columns: number },
): Line {
  const { lesson, text, moment, columns } = of;
  const { ui } = state;
  const { tabs, modes } = wordsOf(ui.lang);
  const { steps } = lesson.lesson;
  const number = lesson.step ? steps.indexOf(lesson.step) + 1 : steps.length;
  const bar = columns >= 100 ? ` [${'#'.repeat(Math.round((number * 10) / steps.length)).padEnd(10, '-')}]` : '';
  const where: Line = [
    span(`  ${number}/${steps.length}${bar}  `, 'key'),
    ...(ui.busy || ui.playing ? [span(`[${ui.busy ? modes.busy : modes.play}] `, 'focus')] : []),
    span(`t=${formatVirtualTime(moment.entry?.time ?? 0)}  ${moment.row + 1}/${moment.rows.count}`, 'cursor'),
  ];
  const panes = [`1${tabs.stage}`, `2${tabs.objects}`, `3${tabs.diff}`, `4${lessonWordsOf(ui.lang).pane}`, `5${tabs.timeline}`];
  const right: Line = [
    span(columns >= 100 ? `${panes.join(' ')} ` : `1-5 ${wordsOf(ui.lang).hints.focusNext}  ? ${wordsOf(ui.lang).header.keys} `, 'dim'),
  ];
  const room = columns - lineWidth(where) - lineWidth(right) - 2;
  return spread([span(` ${truncate(text.title, Math.max(6, room))}`, 'title'), ...where], right, columns);
}

/** The last row: what is typed, a notice, or the keys that do something now. */
export function lessonFooter(
  state: LessonState,
  of: { readonly lesson: LessonSession; readonly view: Session; readonly more: boolean; readonly columns: number },
): Line {
  const { ui } = state;
  if (ui.mode !== 'normal' || ui.overlay) return footerLine(of.view, ui, of.columns);
  const words = lessonWordsOf(ui.lang);
  const { waits } = of.lesson;
  const mode = waits === 'answer' ? words.modes.answer : waits === 'command' ? words.modes.task : words.modes.lesson;
  const head = ` ${mode} `;
  if (ui.notice) return [span(head, 'focus'), span(ui.notice, 'cursor')];
  let room = of.columns - cellWidth(head);
  const shown = hintsOf(of).filter(([key, id]) => {
    const size = cellWidth(key) + cellWidth(words.keys[id]) + 3;
    const fits = size <= room;
    room = fits ? room - size : -1;
    return fits;
  });
  return [span(head, 'focus'), ...shown.flatMap(([key, id]): Span[] => [span(key, 'key'), span(` ${words.keys[id]}  `)])];
}

/** Keys by how much they are needed. */
function hintsOf({ lesson, more }: { readonly lesson: LessonSession; readonly more: boolean }): (readonly [string, KeyHint])[] {
  const always = [
    ['4', 'full'],
    ['Tab', 'pane'],
    [', .', 'step'],
    ['w', 'why'],
    ['?', 'help'],
    [':', 'palette'],
    ['q', 'quit'],
  ] as const;
  const rest = [['H', 'hint'] as const, ...always];
  const page = more ? [['Enter', 'more'] as const] : [];
  const { waits, question } = lesson;
  if (waits === 'answer' && question) {
    const last = String.fromCharCode(96 + Math.max(1, question.options.length));
    const choose: readonly [string, KeyHint] =
      question.kind === 'number' ? ['0-9', 'number'] : [`a-${last}`, takesSeveral(question) ? 'inOrder' : 'choose'];
    const type: readonly [string, KeyHint] = ['i', question.kind === 'control' ? 'typeAnswer' : 'look'];
    return [...page, choose, type, ['Enter', 'commit'], ...rest];
  }
  if (waits === 'command') return [...page, ['i', lesson.step?.step === 'reconcile' ? 'write' : 'type'], ['u', 'undo'], ...rest];
  const enter: KeyHint = more ? 'more' : waits === 'nothing' ? 'quit' : 'goOn';
  return [['Enter', enter], ...(waits === 'next' ? [['i', 'look'] as const] : []), ...rest];
}
