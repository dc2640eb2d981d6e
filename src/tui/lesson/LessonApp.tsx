import { useApp, useCursor, useInput, usePaste } from 'ink';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useCalmSize } from '../app/calm-size.ts';
import { decodeKeys } from '../app/decode-keys.ts';
import { isAtEnd, stepEvents } from '../app/motion.ts';
import { PaintContext } from '../app/paint-context.ts';
import { useTravel } from '../app/travel.ts';
import { SPEEDS } from '../app/ui-state.ts';
import { caretColumn } from '../view/bars-view.ts';
import { clampScroll } from '../view/clamp-scroll.ts';
import { BORDER } from '../view/frame.ts';
import type { Glyphs } from '../view/glyphs.ts';
import type { Line } from '../view/span.ts';
import { type ColorDepth, THEMES } from '../view/theme.ts';
import { wordsOf } from '../words/words.ts';
import { LessonScreen } from './LessonScreen.tsx';
import type { LessonBench } from './lesson-bench.ts';
import { type LessonLayout, lessonLayoutFor } from './lesson-layout.ts';
import { lessonRows } from './lesson-pane.ts';
import { pressLesson } from './lesson-press.ts';
import type { LessonState } from './lesson-state.ts';

export interface LessonAppProps {
  readonly bench: LessonBench;
  readonly initial: LessonState;
  readonly depth: ColorDepth;
  readonly glyphs: Glyphs;
  /** Told at the end: where the person was, and whether the lesson goes on after a sandbox. */
  readonly onLeave: (state: LessonState, wants: 'end' | 'sandbox') => void;
  /** Stops the process until the shell wakes it up. */
  readonly suspend: () => Promise<void>;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Wires keys and the clock of playback to the lesson; draws nothing itself. */
export function LessonApp({ bench, initial, depth, glyphs, suspend, onLeave }: LessonAppProps): ReactElement {
  const { exit, suspendTerminal } = useApp();
  const size = useCalmSize();
  const { setCursorPosition } = useCursor();
  const [state, setState] = useState(initial);
  const latest = useRef(state);
  const change = (update: (now: LessonState) => LessonState): void => {
    const next = update(latest.current);
    latest.current = { ...next, ui: clampScroll(next.ui, bench.view, size) };
    setState(latest.current);
  };
  const take = (name: string): void => {
    const { layout, text } = drawn(bench, latest.current, size);
    const place = { lesson: bench.lesson, view: bench.view, height: layout.lesson.height - BORDER, count: text.length };
    const { state: pressed, action } = pressLesson(latest.current, name, place);
    change(() => pressed);
    const leave = (wants: 'end' | 'sandbox'): void => {
      onLeave(latest.current, wants);
      exit();
    };
    if (action?.do === 'quit') leave('end');
    else if (action?.do === 'sandbox' && !latest.current.ui.busy) leave('sandbox');
    else if (action?.do === 'suspend') void suspendTerminal(suspend);
    // One thing at a time: what is asked while the run goes on is not meant for the step that comes next.
    else if (action && !latest.current.ui.busy) void bench.act(action, change).then((over) => over && leave('end'));
  };
  useInput((input, key) => decodeKeys(input, key).forEach(take));
  usePaste((text) => {
    if (latest.current.ui.mode !== 'normal') for (const letter of text.replace(/\s+/g, ' ')) take(letter === ' ' ? 'space' : letter);
  });
  const travelled = useTravel(state.ui.cursor, state.ui.motion);
  const caret = caretColumn(state.ui, size.columns);
  setCursorPosition(caret === undefined ? undefined : { x: Math.min(caret, size.columns - 1), y: size.rows - 1 });
  usePlayback(bench, latest, change);
  const { layout, text } = drawn(bench, state, size);
  return (
    <PaintContext value={{ theme: THEMES[state.ui.theme], depth, glyphs, words: wordsOf(state.ui.lang), travelled }}>
      <LessonScreen view={bench.view} state={state} lesson={bench.wordsIn(state.ui.lang)} layout={layout} text={text} />
    </PaintContext>
  );
}

/** The layout and the lesson's text in it: the height of the one follows from the length of the other. */
function drawn(bench: LessonBench, state: LessonState, { columns, rows }: Size): { layout: LessonLayout; text: readonly Line[] } {
  const words = bench.wordsIn(state.ui.lang);
  const { focus, lower } = state.ui;
  const request = { columns, rows, focus, lower, full: state.full };
  const { lesson } = lessonLayoutFor({ ...request, wanted: 0 });
  const text = lessonRows(state, { ...words, recalls: bench.recalls }, Math.max(20, lesson.width - BORDER));
  return { layout: lessonLayoutFor({ ...request, wanted: text.length }), text };
}

/** While playing, takes one step after the other through what has happened. */
function usePlayback(
  bench: LessonBench,
  latest: { readonly current: LessonState },
  change: (update: (now: LessonState) => LessonState) => void,
): void {
  const { playing, speed, cursor, busy } = latest.current.ui;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `latest` and `change` are of the last render by design; the cursor sets the next step
  useEffect(() => {
    if (!playing || busy) return undefined;
    const step = (): void =>
      change((now) => {
        const ui = stepEvents(now.ui, bench.view, 1);
        return { ...now, ui: { ...ui, playing: !isAtEnd(ui, bench.view) } };
      });
    const timer = setTimeout(step, 1000 / (SPEEDS[speed] ?? 1));
    return () => clearTimeout(timer);
  }, [playing, speed, cursor, busy]);
}
