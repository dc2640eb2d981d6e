import { useApp, useCursor, useInput, useWindowSize } from 'ink';
import { type ReactElement, useEffect, useReducer, useRef, useState } from 'react';
import { caretColumn } from '../view/bars-view.ts';
import { clampScroll } from '../view/clamp-scroll.ts';
import type { Glyphs } from '../view/glyphs.ts';
import { type ColorDepth, THEMES } from '../view/theme.ts';
import { decodeKeys } from './decode-keys.ts';
import { isAtEnd, stepEvents, toRow } from './motion.ts';
import { PaintContext } from './paint-context.ts';
import { press } from './press.ts';
import { Screen } from './Screen.tsx';
import type { Session } from './session.ts';
import { SPEEDS, type UiState } from './ui-state.ts';

export interface AppProps {
  readonly session: Session;
  readonly initial: UiState;
  readonly depth: ColorDepth;
  readonly glyphs: Glyphs;
  /** Stops the process until the shell wakes it up. */
  readonly suspend: () => Promise<void>;
  /** Told at the end where the person was. */
  readonly onLeave: (state: UiState) => void;
}

/** Wires keys, the clock of playback and the growth of the run to the state; draws nothing itself. */
export function App({ session, initial, depth, glyphs, suspend, onLeave }: AppProps): ReactElement {
  const { exit, suspendTerminal } = useApp();
  const { columns, rows } = useWindowSize();
  const { setCursorPosition } = useCursor();
  const [state, setState] = useState(initial);
  const latest = useRef(state);
  const change = (next: UiState): void => {
    latest.current = next;
    setState(next);
  };
  useInput((input, key) => {
    for (const name of decodeKeys(input, key)) {
      const { state: pressed, effect } = press(latest.current, name, session);
      const next = clampScroll(pressed, session, { columns, rows });
      change(next);
      if (effect === 'quit') {
        onLeave(next);
        exit();
        return;
      }
      if (effect === 'suspend') void suspendTerminal(suspend);
    }
  });
  const caret = caretColumn(state);
  setCursorPosition(caret === undefined ? undefined : { x: Math.min(caret, columns - 1), y: rows - 1 });
  usePlayback(session, latest, change);
  useGrowth(session, latest, change);
  return (
    <PaintContext value={{ theme: THEMES[state.theme], depth, glyphs }}>
      <Screen session={session} state={state} columns={columns} rows={rows} />
    </PaintContext>
  );
}

/** How long a growing run may go on before it is looked at again, in milliseconds. */
const GROWTH_MS = 60;

interface Latest {
  readonly current: UiState;
}

/** While playing, takes one step after the other; otherwise no timer runs. */
function usePlayback(session: Session, latest: Latest, change: (next: UiState) => void): void {
  const { playing, speed, cursor } = latest.current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `latest` and `change` are of the last render by design; the cursor sets the next step
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setTimeout(
      () => {
        const next = stepEvents(latest.current, session, 1);
        change(isAtEnd(next, session) ? { ...next, playing: false, notice: 'the end: g goes back to the start' } : next);
      },
      1000 / (SPEEDS[speed] ?? 1),
    );
    return () => clearTimeout(timer);
  }, [playing, speed, cursor]);
}

/** Takes in what a running simulation adds, many entries at a time; whoever looks at the newest moment stays there. */
function useGrowth(session: Session, latest: Latest, change: (next: UiState) => void): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one subscription for the whole time
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (): void => {
      timer = undefined;
      const follows = isAtEnd(latest.current, session);
      session.timeline.extend();
      if (follows && !latest.current.playing) change(toRow(latest.current, session, Number.MAX_SAFE_INTEGER));
      redraw();
    };
    const unsubscribe = session.run.subscribe?.(() => {
      timer ??= setTimeout(take, GROWTH_MS);
    });
    return () => {
      unsubscribe?.();
      clearTimeout(timer);
    };
  }, []);
}
