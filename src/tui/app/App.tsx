import { useApp, useCursor, useInput, usePaste } from 'ink';
import { type ReactElement, useEffect, useReducer, useRef, useState } from 'react';
import { breakpointAt } from '../model/breakpoints.ts';
import { entryAt } from '../model/run-view.ts';
import { caretColumn } from '../view/bars-view.ts';
import { clampScroll } from '../view/clamp-scroll.ts';
import type { Glyphs } from '../view/glyphs.ts';
import { type ColorDepth, THEMES } from '../view/theme.ts';
import { wordsOf } from '../words/words.ts';
import type { Action, Effect } from './action.ts';
import { useCalmSize } from './calm-size.ts';
import { decodeKeys } from './decode-keys.ts';
import { isAtEnd, stepEvents, toRow } from './motion.ts';
import { PaintContext } from './paint-context.ts';
import { press } from './press.ts';
import { Screen } from './Screen.tsx';
import { useTravel } from './travel.ts';
import { SPEEDS, type UiState } from './ui-state.ts';
import type { Change, Workbench } from './workbench.ts';

export interface AppProps {
  readonly bench: Workbench;
  readonly initial: UiState;
  readonly depth: ColorDepth;
  readonly glyphs: Glyphs;
  /** Stops the process until the shell wakes it up. */
  readonly suspend: () => Promise<void>;
  /** Told at the end where the person was. */
  readonly onLeave: (state: UiState) => void;
}

/** Wires keys, the clock of playback and the growth of the run to the state; draws nothing itself. */
export function App({ bench, initial, depth, glyphs, suspend, onLeave }: AppProps): ReactElement {
  const { exit, suspendTerminal } = useApp();
  const size = useCalmSize();
  const { columns, rows } = size;
  const { setCursorPosition } = useCursor();
  const [state, setState] = useState(initial);
  const latest = useRef(state);
  const change: Change = (update) => {
    latest.current = clampScroll(update(latest.current), bench.session, size);
    setState(latest.current);
  };
  const carryOut = (effect: Effect | undefined): void => {
    if (effect === 'quit') {
      onLeave(latest.current);
      exit();
    } else if (effect === 'suspend') void suspendTerminal(suspend);
    // A key that is held down asks for more time than can pass: one wish at a time.
    else if (effect && !(effect.do === 'pass' && latest.current.busy)) void bench.act(effect, latest.current, change);
  };
  const take = (name: string): void => {
    const { state: pressed, effect } = press(latest.current, name, bench.session);
    change(() => pressed);
    carryOut(effect);
  };
  useInput((input, key) => decodeKeys(input, key).forEach(take));
  usePaste((text) => {
    // What is pasted is text, never keys.
    if (['command', 'find', 'kubectl'].includes(latest.current.mode))
      for (const letter of text.replace(/\s+/g, ' ')) take(letter === ' ' ? 'space' : letter);
  });
  const travelled = useTravel(state.cursor, state.motion);
  const caret = caretColumn(state, columns);
  setCursorPosition(caret === undefined ? undefined : { x: Math.min(caret, columns - 1), y: rows - 1 });
  usePlayback(bench, latest, { change, pass: (action) => carryOut(action) });
  useGrowth(bench, latest, change);
  return (
    <PaintContext value={{ theme: THEMES[state.theme], depth, glyphs, words: wordsOf(state.lang), travelled }}>
      <Screen session={bench.session} state={state} columns={columns} rows={rows} />
    </PaintContext>
  );
}

/** How long a growing run may go on before it is looked at again, in milliseconds. */
const GROWTH_MS = 60;

interface Latest {
  readonly current: UiState;
}

/** While playing, takes one step after the other; otherwise no timer runs. */
function usePlayback(bench: Workbench, latest: Latest, { change, pass }: { change: Change; pass: (action: Action) => void }): void {
  const { playing, speed, cursor, busy } = latest.current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `latest` and `change` are of the last render by design; the cursor sets the next step
  useEffect(() => {
    if (!playing || busy) return undefined;
    const step = (): void => {
      if (bench.session.live && isAtEnd(latest.current, bench.session)) pass({ do: 'pass', until: 'event' });
      else change((now) => played(now, bench));
    };
    const timer = setTimeout(step, 1000 / (SPEEDS[speed] ?? 1));
    return () => clearTimeout(timer);
  }, [playing, speed, cursor, busy]);
}

/** One step of playing: stops at a breakpoint, and at the end of a run that is over. */
function played(state: UiState, { session }: Workbench): UiState {
  const next = stepEvents(state, session, 1);
  const { breakAt, end } = wordsOf(state.lang).notices;
  const entry = entryAt(session.run, next.cursor);
  const hit = entry && breakpointAt(state.breaks, session.run, entry);
  if (hit) return { ...next, playing: false, notice: breakAt(hit.text) };
  return isAtEnd(next, session) && !session.live ? { ...next, playing: false, notice: end } : next;
}

/** Takes in what a running simulation adds, many entries at a time; whoever looks at the newest moment stays there. */
function useGrowth(bench: Workbench, latest: Latest, change: Change): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { session } = bench;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one subscription for as long as a branch is on the screen
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (): void => {
      timer = undefined;
      const { motion, busy: runs } = latest.current;
      // What is still going on is shown when it is over.
      if (motion === 'none' && runs) {
        timer = setTimeout(take, GROWTH_MS);
        return;
      }
      const follows = isAtEnd(latest.current, session);
      session.timeline.extend();
      const { playing, busy } = latest.current;
      if (follows && !playing && !busy) change((now) => toRow(now, session, Number.MAX_SAFE_INTEGER));
      redraw();
    };
    const unsubscribe = session.run.subscribe?.(() => {
      timer ??= setTimeout(take, GROWTH_MS);
    });
    return () => {
      unsubscribe?.();
      clearTimeout(timer);
    };
  }, [session]);
}
