import { BUILT_IN_RESOURCES } from '../../api/resources.ts';
import { parseDuration } from '../../scenario/duration.ts';
import { parseVisit } from '../../scenario/parse-visit.ts';
import { FAULT_USAGE, parseFault } from '../live/fault-command.ts';
import { parseBreakpoint } from '../model/breakpoints.ts';
import { isMotion, MOTIONS } from '../view/pace.ts';
import { isThemeName, THEMES } from '../view/theme.ts';
import type { Words } from '../words/en.ts';
import { isLanguage, LANGUAGES, wordsOf } from '../words/words.ts';
import type { Action, Outcome } from './action.ts';
import { toggleAll } from './keys.ts';
import { find, toRow, toSeq } from './motion.ts';
import { open } from './panes.ts';
import type { Session } from './session.ts';
import type { UiState } from './ui-state.ts';

/** One command of the palette. */
export interface Command {
  readonly name: keyof Words['commands'];
  readonly usage: string;
  readonly run: (state: UiState, session: Session, argument: string) => UiState | Outcome;
  /** What may stand after it. */
  readonly choices?: (session: Session) => readonly string[];
}

const themeNames = (): readonly string[] => Object.keys(THEMES);
const branchNames = (session: Session): readonly string[] => session.family.branches.map(({ name }) => name);

export const COMMANDS: readonly Command[] = [
  { name: 'q', usage: ':q', run: (state) => ({ state, effect: 'quit' }) },
  { name: 'theme', usage: `:theme ${Object.keys(THEMES).join('|')}`, run: setTheme, choices: themeNames },
  { name: 'motion', usage: `:motion ${MOTIONS.join('|')}`, run: setMotion, choices: () => MOTIONS },
  { name: 'lang', usage: `:lang ${LANGUAGES.join('|')}`, run: setLanguage, choices: () => LANGUAGES },
  { name: 'all', usage: ':all', run: (state) => toggleAll(state) },
  { name: 'goto', usage: ':goto NUMBER|TIME', run: goTo },
  { name: 'find', usage: ':find TEXT', run: (state, session, argument) => find({ ...state, sought: argument }, session, 1) },
  {
    name: 'break',
    usage: ':break kind=Pod verb=DELETED',
    run: setBreak,
    choices: () => ['kind=', 'verb=', 'name=', 'by=', 'trace=', 'off'],
  },
  {
    name: 'fault',
    usage: ':fault crash kube-scheduler',
    run: injectFault,
    choices: () => FAULT_USAGE.map((usage) => usage.split(' ')[0] ?? ''),
  },
  { name: 'wait', usage: ':wait 40s', run: wait },
  { name: 'visit', usage: ':visit SERVICE[:PORT]', run: visit },
  { name: 'load', usage: ':load SERVICE:PORT REQUESTS-PER-SECOND', run: load },
  { name: 'cache', usage: ':cache', run: (state) => open(state, 'cache') },
  { name: 'branch', usage: ':branch NAME', run: toBranch, choices: branchNames },
  { name: 'name', usage: ':name NAME', run: (state, session, name) => act(state, session, name ? { do: 'name', name } : undefined) },
  { name: 'compare', usage: ':compare main what-if-1', run: compare, choices: branchNames },
  { name: 'fork', usage: ':fork', run: (state, session) => act(state, session, { do: 'fork' }) },
  { name: 'save', usage: ':save [FILE]', run: (state, session, file) => act(state, session, { do: 'save', file }) },
  { name: 'export', usage: ':export test [FILE]', run: exportTest, choices: () => ['test'] },
  { name: 'lesson', usage: ':lesson 4', run: toLesson, choices: ({ lessons }) => lessons },
  { name: 'truth', usage: ':truth', run: showTruth },
  { name: 'help', usage: ':help', run: (state) => open({ ...state, overlay: undefined }, 'help') },
];

/** Runs what was typed after the colon. */
export function runCommand(state: UiState, session: Session, typed: string): UiState | Outcome {
  const [name = '', ...words] = typed.trim().split(/\s+/);
  if (name === '') return state;
  const command = COMMANDS.find((candidate) => candidate.name === name) ?? uniqueCommand(name);
  if (command) return command.run(state, session, words.join(' '));
  if (isResource(name) && session.live)
    return { state: { ...state, consoleOpen: true }, effect: { do: 'kubectl', line: ['kubectl', 'get', name, ...words].join(' ') } };
  const names = COMMANDS.map((each) => `:${each.name}`).join(' ');
  return { ...state, notice: wordsOf(state.lang).notices.noCommand(name, names) };
}

/** `pods`, `deploy`: what `kubectl get` takes. */
export function isResource(name: string): boolean {
  return BUILT_IN_RESOURCES.some(({ resource, shortNames }) => resource === name || shortNames.includes(name));
}

/** What could follow, for the completion by Tab. */
export function completeCommand(typed: string, session: Session): string {
  const [name = '', ...words] = typed.split(' ');
  if (words.length === 0) {
    const command = uniqueCommand(name);
    return command ? `${command.name}${command.usage.includes(' ') ? ' ' : ''}` : typed;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  const start = words.at(-1) ?? '';
  const found = command?.choices?.(session).filter((choice) => choice.startsWith(start)) ?? [];
  return found.length === 1 ? `${[name, ...words.slice(0, -1), found[0]].join(' ')}` : typed;
}

function uniqueCommand(start: string): Command | undefined {
  const found = COMMANDS.filter(({ name }) => name.startsWith(start));
  return found.length === 1 ? found[0] : undefined;
}

/** Hands it to the run, if that still goes on. */
function act(state: UiState, session: Session, effect: Action | undefined): UiState | Outcome {
  if (!effect) return state;
  return session.live ? { state, effect } : { ...state, notice: wordsOf(state.lang).notices.notLive };
}

function setTheme(state: UiState, _session: Session, name: string): UiState {
  const { theme, themes } = wordsOf(state.lang).notices;
  return isThemeName(name) ? { ...state, theme: name, notice: theme(name) } : { ...state, notice: themes(Object.keys(THEMES).join(', ')) };
}

function setMotion(state: UiState, _session: Session, name: string): UiState {
  const { motion, motions } = wordsOf(state.lang).notices;
  return isMotion(name)
    ? { ...state, motion: name, playing: false, notice: motion[name] }
    : { ...state, notice: motions(MOTIONS.join(', ')) };
}

function setLanguage(state: UiState, _session: Session, name: string): UiState {
  if (!isLanguage(name)) return { ...state, notice: wordsOf(state.lang).notices.languages(LANGUAGES.join(', ')) };
  return { ...state, lang: name, notice: wordsOf(name).notices.language };
}

function setBreak(state: UiState, _session: Session, argument: string): UiState {
  const { breakHow, breaksOff, breakSet } = wordsOf(state.lang).notices;
  if (argument === '') return state.breaks.length ? open(state, 'breaks') : { ...state, notice: breakHow };
  if (argument === 'off') return { ...state, breaks: [], notice: breaksOff };
  const made = parseBreakpoint(argument.split(/\s+/));
  if (!made) return { ...state, notice: breakHow };
  return { ...state, breaks: [...state.breaks.filter(({ text }) => text !== made.text), made], notice: breakSet(made.text) };
}

function injectFault(state: UiState, session: Session, argument: string): UiState | Outcome {
  const words = argument.split(/\s+/);
  if (argument === '') return open(state, 'faults');
  const fault = parseFault(words);
  if (fault) return act(state, session, { do: 'fault', fault });
  const usage = FAULT_USAGE.filter((each) => each.split(' ')[0] === words[0]);
  return usage.length ? { ...state, notice: wordsOf(state.lang).notices.faultHow(usage[0] ?? '') } : open(state, 'faults');
}

function wait(state: UiState, session: Session, argument: string): UiState | Outcome {
  const ms = parseDuration(argument);
  if (!ms) return { ...state, notice: wordsOf(state.lang).notices.waitHow };
  return act(state, session, { do: 'pass', until: ms });
}

function visit(state: UiState, session: Session, argument: string): UiState | Outcome {
  const asked = parseVisit(argument);
  if (!asked) return { ...state, notice: wordsOf(state.lang).notices.visitHow };
  return act(state, session, { do: 'visit', ...asked });
}

function load(state: UiState, session: Session, argument: string): UiState | Outcome {
  const [, service, port, rate] = /^((?:(?:service|ingress)\/)?[\w.-]+)(?::(\d+))?\s+(\d+(?:\.\d+)?)$/.exec(argument) ?? [];
  if (!service) return { ...state, notice: wordsOf(state.lang).notices.loadHow };
  const wanted = { service, ...(port ? { port: Number(port) } : {}), requestsPerSecond: Number(rate) };
  return act(state, session, { do: 'load', load: wanted });
}

function toBranch(state: UiState, session: Session, name: string): UiState | Outcome {
  if (name) return act(state, session, { do: 'branch', name });
  return { ...state, notice: wordsOf(state.lang).notices.branchNames(branchNames(session).join(', ')) };
}

function compare(state: UiState, session: Session, argument: string): UiState {
  const { noBranch, compareHow } = wordsOf(state.lang).notices;
  const names = argument.split(/\s+/).filter(Boolean);
  const pair = names.length === 1 ? [session.name, ...names] : names;
  const known = branchNames(session);
  const unknown = pair.find((name) => !known.includes(name));
  if (unknown !== undefined) return { ...state, notice: noBranch(unknown, known.join(', ')) };
  return pair.length === 2 ? open({ ...state, overlay: undefined }, 'compare', pair.join(' ')) : { ...state, notice: compareHow };
}

function toLesson(state: UiState, { lessons }: Session, name: string): UiState | Outcome {
  const { noLesson } = wordsOf(state.lang).notices;
  return lessons.includes(name) ? { state: { ...state, next: name }, effect: 'quit' } : { ...state, notice: noLesson(lessons.join(', ')) };
}

function exportTest(state: UiState, session: Session, argument: string): UiState | Outcome {
  const [what, file = ''] = argument.split(/\s+/);
  if (what !== 'test') return { ...state, notice: wordsOf(state.lang).notices.exportHow };
  return act(state, session, { do: 'export', file });
}

function showTruth(state: UiState, session: Session): UiState {
  if (session.truth.length === 0) return { ...state, notice: wordsOf(state.lang).notices.truth };
  return open({ ...state, overlay: undefined }, 'truth');
}

function goTo(state: UiState, session: Session, argument: string): UiState {
  const time = /^(?:(\d+)m)?(\d+(?:\.\d+)?)s$/.exec(argument);
  if (time) return toRow(state, session, rowAtTime(session, state, (Number(time[1] ?? 0) * 60 + Number(time[2])) * 1000));
  const seq = Number(argument.replace(/^#/, ''));
  if (!argument || !Number.isInteger(seq)) return { ...state, notice: wordsOf(state.lang).notices.gotoHow };
  return toSeq(state, session, seq);
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
