import { type Instance, render } from 'ink';
import { App } from './app/App.tsx';
import { Session } from './app/session.ts';
import { initialState, type UiState } from './app/ui-state.ts';
import { entryAt, type RunView } from './model/run-view.ts';
import { formatVirtualTime } from './text/format-time.ts';
import { glyphsOf } from './view/glyphs.ts';
import { chooseLook } from './view/look.ts';
import { colorDepth } from './view/theme.ts';

export interface TuiOptions {
  readonly run: RunView;
  /** Named in the header, e.g. the scenario's title. */
  readonly title: string;
  /** One of `THEME_NAMES`; `ascii` is `mono` with ASCII glyphs. */
  readonly theme?: string | undefined;
  /** `ascii` or `unicode`. */
  readonly glyphs?: string | undefined;
  /** Where to begin: the first moment, the newest, or an entry. The first input by default. */
  readonly at?: 'start' | 'end' | number | undefined;
  /** What `:truth` lists. */
  readonly truth?: readonly string[];
  readonly stdin?: NodeJS.ReadStream | undefined;
  readonly stdout?: NodeJS.WriteStream | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface TuiSummary {
  /** To be printed after the screen is restored. */
  readonly lines: readonly string[];
  /** The entry that was looked at last. */
  readonly cursor: number;
}

/** Frames a second: a step that comes right after another is drawn within 33 ms. */
const MAX_FPS = 30;

/**
 * Shows a run in the terminal until the person leaves; returns what is to be printed then. Needs a terminal at both ends: ask `canRunTui` first.
 * @throws RangeError for a theme or glyphs that do not exist
 */
export async function runTui(options: TuiOptions): Promise<TuiSummary> {
  const { instance, summary } = mountTui(options);
  await instance.waitUntilExit();
  return summary();
}

/** The screen and the way to its summary, for whoever wants to look at it from outside. */
export interface MountedTui {
  readonly instance: Instance;
  summary(): TuiSummary;
}

export function mountTui(options: TuiOptions): MountedTui {
  const { stdin = process.stdin, stdout = process.stdout, env = process.env } = options;
  const look = chooseLook(options, env);
  const session = new Session({ run: options.run, title: options.title, ...(options.truth ? { truth: options.truth } : {}) });
  const initial = initialState({ cursor: startOf(session, options.at), theme: look.theme });
  let last: UiState = initial;
  const app = (
    <App
      session={session}
      initial={initial}
      depth={colorDepth(env)}
      glyphs={glyphsOf(look.glyphs)}
      suspend={suspendProcess}
      onLeave={(state) => {
        last = state;
      }}
    />
  );
  // Before the first frame, not after it: keys that are pressed at once must neither be taken for signals nor be echoed.
  if (stdin.isTTY) stdin.setRawMode(true);
  // What was echoed before that has moved the cursor, and the alternate screen begins at its column.
  stdout.write('\r');
  const instance = render(app, {
    stdin,
    stdout,
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    maxFps: MAX_FPS,
    isScreenReaderEnabled: false,
  });
  return { instance, summary: () => summaryOf(session, last) };
}

function startOf(session: Session, at: TuiOptions['at']): number {
  const { timeline } = session;
  if (typeof at === 'number') return at;
  if (at === 'end') return timeline.last;
  const input = timeline.marks.find((mark) => mark.kind === 'input');
  return at === 'start' || !input ? (timeline.rows[0] ?? 0) : input.seq;
}

/** Stops this process as Ctrl-Z would in a cooked terminal, and goes on after `fg`. */
function suspendProcess(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGCONT', () => resolve());
    process.kill(process.pid, 'SIGTSTP');
  });
}

function summaryOf(session: Session, state: UiState): TuiSummary {
  const moment = session.momentOf(state);
  const entry = entryAt(session.run, state.cursor);
  const where = entry
    ? `left at event ${moment.row + 1} of ${moment.rows.count} (#${entry.seq}), t=${formatVirtualTime(entry.time)}`
    : 'nothing was looked at';
  return { lines: [`${session.title}: ${where}`], cursor: state.cursor };
}
