import { isThemeName, THEMES } from '../view/theme.ts';
import type { Outcome } from './keys.ts';
import { find, toRow } from './motion.ts';
import type { Session } from './session.ts';
import type { UiState } from './ui-state.ts';

/** One command of the palette. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  readonly run: (state: UiState, session: Session, argument: string) => UiState | Outcome;
}

export const COMMANDS: readonly Command[] = [
  { name: 'q', usage: ':q', help: 'leave', run: (state) => ({ state, effect: 'quit' }) },
  {
    name: 'theme',
    usage: `:theme ${Object.keys(THEMES).join('|')}`,
    help: 'change the colours',
    run: (state, _session, argument) =>
      isThemeName(argument)
        ? { ...state, theme: argument, notice: `theme ${argument}` }
        : { ...state, notice: `themes: ${Object.keys(THEMES).join(', ')}` },
  },
  {
    name: 'all',
    usage: ':all',
    help: 'show everything, or only what matters',
    run: (state) => ({ ...state, all: !state.all, notice: state.all ? 'only what matters is shown' : 'everything is shown' }),
  },
  { name: 'goto', usage: ':goto NUMBER|TIME', help: 'to an event (#140) or a moment (7.25s)', run: goTo },
  {
    name: 'find',
    usage: ':find TEXT',
    help: 'the next event with this text',
    run: (state, session, argument) => find({ ...state, sought: argument }, session, 1),
  },
  {
    name: 'truth',
    usage: ':truth',
    help: 'what is simpler here than in a real cluster',
    run: (state, session) =>
      session.truth.length > 0
        ? { ...state, overlay: { kind: 'truth', scroll: 0 } }
        : { ...state, notice: 'bottleship truth lists what is simpler here than in a real cluster' },
  },
  { name: 'help', usage: ':help', help: 'keys and commands', run: (state) => ({ ...state, overlay: { kind: 'help', scroll: 0 } }) },
];

/** Runs what was typed after the colon. */
export function runCommand(state: UiState, session: Session, typed: string): UiState | Outcome {
  const [name = '', ...words] = typed.trim().split(/\s+/);
  if (name === '') return state;
  const command = COMMANDS.find((candidate) => candidate.name === name) ?? uniqueCommand(name);
  if (!command) return { ...state, notice: `no command :${name}; there are ${COMMANDS.map((each) => `:${each.name}`).join(' ')}` };
  return command.run(state, session, words.join(' '));
}

/** What could follow, for the completion by Tab. */
export function completeCommand(typed: string): string {
  if (typed.startsWith('theme ')) {
    const found = Object.keys(THEMES).filter((name) => name.startsWith(typed.slice(6)));
    return found.length === 1 ? `theme ${found[0]}` : typed;
  }
  const command = uniqueCommand(typed);
  return command ? `${command.name}${command.usage.includes(' ') ? ' ' : ''}` : typed;
}

function uniqueCommand(start: string): Command | undefined {
  const found = COMMANDS.filter(({ name }) => name.startsWith(start));
  return found.length === 1 ? found[0] : undefined;
}

function goTo(state: UiState, session: Session, argument: string): UiState {
  const rows = session.rows(state.all);
  const time = /^(?:(\d+)m)?(\d+(?:\.\d+)?)s$/.exec(argument);
  if (time) return toRow(state, session, rowAtTime(session, state, (Number(time[1] ?? 0) * 60 + Number(time[2])) * 1000));
  const seq = Number(argument.replace(/^#/, ''));
  if (!argument || !Number.isInteger(seq)) return { ...state, notice: 'an event or a time, e.g. :goto 140 or :goto 7.25s' };
  return toRow(state, session, rows.rowOf(seq));
}

/** The last row up to a moment; entries are in order of time. */
function rowAtTime(session: Session, state: UiState, time: number): number {
  const { entries } = session.run;
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.time ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return session.rows(state.all).rowOf(entries[low - 1]?.seq ?? 0);
}
