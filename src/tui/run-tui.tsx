import type { Instance } from 'ink';
import { invariant } from '../sim/invariant.ts';
import { App } from './app/App.tsx';
import { lookFor, renderFullScreen, suspendProcess } from './app/full-screen.ts';
import { press } from './app/press.ts';
import { initialState, type UiState } from './app/ui-state.ts';
import { type Files, Workbench } from './app/workbench.ts';
import type { LiveRun } from './live/live-run.ts';
import { entryAt, type RunView } from './model/run-view.ts';
import { formatVirtualTime } from './text/format-time.ts';
import { glyphsOf } from './view/glyphs.ts';
import { chooseLook } from './view/look.ts';
import { colorDepth } from './view/theme.ts';
import { type Language, languageOf } from './words/words.ts';

export interface TuiOptions {
  /** Absent where `live` is given. */
  readonly run?: RunView | undefined;
  /** The cluster behind the run: commands and faults enter it, and its time goes on. */
  readonly live?: LiveRun | undefined;
  /** Files that commands name. */
  readonly files?: Files | undefined;
  /** `en` or `ja`; what the locale says by default. */
  readonly lang?: Language | undefined;
  /** Begin on the kubectl line. */
  readonly kubectl?: boolean | undefined;
  /** Named in the header, e.g. the scenario's title. */
  readonly title: string;
  /** One of `THEME_NAMES`; `ascii` is `mono` with ASCII glyphs. */
  readonly theme?: string | undefined;
  /** `ascii` or `unicode`; what suits the terminal by default. */
  readonly glyphs?: string | undefined;
  /** One of `MOTIONS`; `step` by default. */
  readonly motion?: string | undefined;
  /** Where to begin: the first moment, the newest, or an entry. The first input by default. */
  readonly at?: 'start' | 'end' | number | undefined;
  /** What `:truth` lists. */
  readonly truth?: readonly string[];
  /** What `:lesson` leads to. */
  readonly lessons?: readonly string[];
  readonly stdin?: NodeJS.ReadStream | undefined;
  readonly stdout?: NodeJS.WriteStream | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface TuiSummary {
  /** To be printed after the screen is restored. */
  readonly lines: readonly string[];
  /** The entry that was looked at last. */
  readonly cursor: number;
  /** The cluster behind the branch that was looked at last. */
  readonly live: LiveRun | undefined;
  /** The lesson for which the person left, and how the screen was then. */
  readonly next?: string | undefined;
  readonly lang: Language;
}

/**
 * Shows a run in the terminal until the person leaves; returns what is to be printed then. Needs a terminal at both ends: ask `canRunTui` first.
 * @throws RangeError for a theme or glyphs that do not exist
 */
export async function runTui(options: TuiOptions): Promise<TuiSummary> {
  const { stdin = process.stdin, stdout = process.stdout, env = process.env } = options;
  const { instance, summary } = mountTui({ ...options, ...(await lookFor(options, { stdin, stdout }, env)) });
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
  const { live, title, truth, lessons, files, lang = languageOf(env) } = options;
  const run = options.run ?? live?.view;
  invariant(run, 'there is a run to look at');
  const bench = new Workbench({ run, live, title, truth, lessons, files });
  const first = initialState({ cursor: startOf(bench.session, options.at), theme: look.theme, motion: look.motion, lang });
  const initial: UiState = options.kubectl ? press(first, 'i', bench.session).state : first;
  let last: UiState = initial;
  const app = (
    <App
      bench={bench}
      initial={initial}
      depth={colorDepth(env)}
      glyphs={glyphsOf(look.glyphs)}
      suspend={suspendProcess}
      onLeave={(state) => {
        last = state;
      }}
    />
  );
  const instance = renderFullScreen(app, { stdin, stdout });
  return { instance, summary: () => summaryOf(bench, last) };
}

function startOf(session: Workbench['session'], at: TuiOptions['at']): number {
  const { timeline } = session;
  if (typeof at === 'number') return at;
  if (at === 'end') return timeline.last;
  const input = timeline.marks.find((mark) => mark.kind === 'input');
  return at === 'start' || !input ? (timeline.rows[0] ?? 0) : input.seq;
}

function summaryOf({ session, branches }: Workbench, state: UiState): TuiSummary {
  const moment = session.momentOf(state);
  const entry = entryAt(session.run, state.cursor);
  const where = entry
    ? `left at event ${moment.row + 1} of ${moment.rows.count} (#${entry.seq}), t=${formatVirtualTime(entry.time)}`
    : 'nothing was looked at';
  const others =
    branches.length > 1 ? [`branches: ${branches.map(({ name }) => (name === session.name ? `${name}*` : name)).join(', ')}`] : [];
  return { lines: [`${session.title}: ${where}`, ...others], cursor: state.cursor, live: session.live, next: state.next, lang: state.lang };
}
