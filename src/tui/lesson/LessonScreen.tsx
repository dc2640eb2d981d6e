import { Box } from 'ink';
import { type ReactElement, useContext } from 'react';
import { fill } from '../../lesson/fill.ts';
import type { LessonRun } from '../../lesson/lesson-run.ts';
import { Pane } from '../app/Pane.tsx';
import { PaintContext } from '../app/paint-context.ts';
import { Rows } from '../app/Rows.tsx';
import type { Moment, Session } from '../app/session.ts';
import { TooSmall } from '../app/TooSmall.tsx';
import { BORDER, framePane, type PaneContent } from '../view/frame.ts';
import { FIXED_ROWS, type PanePlace } from '../view/layout.ts';
import { overlayContent } from '../view/overlay-view.ts';
import { type Line, span } from '../view/span.ts';
import { stageContent, type Veil } from '../view/stage-view.ts';
import { scrubber } from '../view/timeline-view.ts';
import { whyLine } from '../view/why-view.ts';
import { lessonFooter, lessonHeader } from './lesson-bars.ts';
import type { LessonLayout } from './lesson-layout.ts';
import type { LessonWords } from './lesson-lines.ts';
import type { LessonState } from './lesson-state.ts';
import { lessonWordsOf } from './lesson-words.ts';

export interface LessonScreenProps {
  readonly view: Session;
  readonly state: LessonState;
  readonly lesson: LessonWords;
  readonly layout: LessonLayout;
  /** The lesson's text in rows. */
  readonly text: readonly Line[];
}

/** The whole screen of a lesson: a pure function of the run, the lesson, what a person has set, and the size of the terminal. */
export function LessonScreen(props: LessonScreenProps): ReactElement {
  const { view, state, lesson, layout, text } = props;
  const { glyphs, words } = useContext(PaintContext);
  const { columns, rows } = layout;
  if (layout.tier === 'none') return <TooSmall columns={columns} rows={rows} />;
  const moment = view.momentOf(state.ui);
  const more = state.scroll + layout.lesson.height - BORDER < text.length;
  const header = lessonHeader(state, { lesson: lesson.session, text: lesson.text, moment, columns });
  const footer = lessonFooter(state, { lesson: lesson.session, view, more, columns });
  const bar = veiledScrubber(props, moment, { width: columns - 2, glyphs });
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Rows lines={[header]} width={columns} height={1} />
      {state.ui.overlay ? <OverlayPane {...props} moment={moment} /> : <Body {...props} moment={moment} more={more} />}
      {state.ui.overlay ? null : <Rows lines={[[span(' '), ...bar, span(' ')]]} width={columns} height={1} />}
      <Rows lines={[whyLine(view.run, moment.entry, { width: columns - 1, words })]} width={columns} height={1} />
      <Rows lines={[footer]} width={columns} height={1} />
    </Box>
  );
}

interface BodyProps extends LessonScreenProps {
  readonly moment: Moment;
}

function Body(props: BodyProps & { readonly more: boolean }): ReactElement {
  const { layout } = props;
  const panes = (
    <Box flexDirection="column" flexShrink={0}>
      {layout.panes.map((place) => (
        <BesidePane key={place.id} {...props} place={place} />
      ))}
    </Box>
  );
  return (
    <Box flexDirection={layout.tier === 'beside' ? 'row' : 'column'} flexShrink={0}>
      {panes}
      <LessonPane {...props} />
    </Box>
  );
}

/** A pane beside the lesson; while a prediction is open, what decides it is hidden. */
function BesidePane(props: BodyProps & { readonly place: PanePlace }): ReactElement {
  const { view, state, moment, place } = props;
  const { glyphs, words, travelled } = useContext(PaintContext);
  const veil = veilOf(props);
  if (place.id !== 'stage' && !(veil && place.id === 'timeline'))
    return <Pane place={place} session={view} state={state.ui} moment={moment} />;
  const { width, height } = place;
  const inner = { width: width - BORDER, height: height - BORDER, glyphs, words };
  const content = stageContent(view, moment, { ...inner, veil, travelled, prefer: lanesOf(props) });
  return <Framed content={content} place={place} focused={state.ui.focus === place.id} />;
}

function LessonPane({ state, layout, text, more }: LessonScreenProps & { readonly more: boolean }): ReactElement {
  const { width, height } = layout.lesson;
  const words = lessonWordsOf(state.ui.lang);
  const shown = text.slice(state.scroll, state.scroll + height - BORDER);
  const note = text.length > shown.length ? `${state.scroll + shown.length}/${text.length}${more ? ` ${words.more}` : ''}` : '';
  return <Framed content={{ title: `4 ${words.pane}`, note, lines: shown }} place={{ width, height }} focused={true} />;
}

interface FramedProps {
  readonly content: PaneContent;
  readonly place: { readonly width: number; readonly height: number };
  readonly focused: boolean;
  /** Nothing stands beside the content, so that it can be copied. */
  readonly open?: boolean;
}

function Framed({ content, place: { width, height }, focused, open = false }: FramedProps): ReactElement {
  const { glyphs } = useContext(PaintContext);
  return <Rows lines={framePane(content, { width, height, focused, glyphs, open })} width={width} height={height} />;
}

/** Header, why and footer stay; everything between belongs to what was opened. */
function OverlayPane({ view, state, moment, layout }: BodyProps): ReactElement | null {
  const { overlay } = state.ui;
  if (!overlay) return null;
  const { columns: width, rows } = layout;
  const height = rows - FIXED_ROWS;
  const size = { width: width - BORDER, height: height - BORDER };
  const lines = overlay.kind === 'help' ? lessonHelp(state) : [];
  const content = overlayContent(view, moment, { overlay, state: state.ui, ...size, height: Math.max(1, size.height - lines.length) });
  const open = overlay.kind === 'yaml';
  return <Framed content={{ ...content, lines: [...lines, ...content.lines] }} place={{ width, height }} focused={true} open={open} />;
}

/** The keys of a lesson, above those of the panes. */
function lessonHelp(state: LessonState): Line[] {
  const { help, pane } = lessonWordsOf(state.ui.lang);
  return [[span(` ${pane}`, 'title')], ...help.map(([key, text]): Line => [span(`   ${key.padEnd(12)}`, 'key'), span(text)]), [span('')]];
}

const CONTROLLER_MANAGER = 'kube-controller-manager';

/** The lanes that the lesson is about. */
function lanesOf({ lesson }: LessonScreenProps): string[] {
  return lanesOfStage(lesson.session.lesson.lanes, lesson.session.run);
}

/** Controllers are in the lane of their process, unless they are one. */
function lanesOfStage(names: readonly string[], { variables, cluster }: LessonRun): string[] {
  const { actors } = cluster.simulation;
  return fill(names, variables).map((name) =>
    /-(controller|collector|binder|publisher|autoscaler)$/.test(name) && !actors.has(name) ? CONTROLLER_MANAGER : name,
  );
}

/** The lanes of the stage that the question hides. */
function veilOf({ lesson, state }: LessonScreenProps): Veil | undefined {
  const { veil, step, marks, run } = lesson.session;
  if (!veil || !step) return undefined;
  const after = (marks.get(step.id)?.seq ?? veil.after) - 1;
  return { after, lanes: lanesOfStage(veil.lanes, run), text: lessonWordsOf(state.ui.lang).now };
}

/** While a prediction is open the future is there, but hidden. */
function veiledScrubber(
  props: LessonScreenProps,
  moment: Moment,
  { width, glyphs }: { width: number; glyphs: Parameters<typeof scrubber>[2]['glyphs'] },
): Line {
  const { view, state, lesson } = props;
  if (!lesson.session.veil) return scrubber(view, moment, { width, glyphs, state: state.ui });
  const hidden = ` ? ? ? ? ${lessonWordsOf(state.ui.lang).hidden}`;
  const tail = Math.min(width - 20, 34);
  return [...scrubber(view, moment, { width: width - tail, glyphs, state: state.ui }), span(hidden, 'key')];
}
