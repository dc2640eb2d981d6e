import { KEY_TABLE } from '../app/keys.ts';
import type { Moment, Session } from '../app/session.ts';
import { SPEEDS, type UiState } from '../app/ui-state.ts';
import { cellWidth, graphemes, truncate } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import type { Words } from '../words/en.ts';
import { wordsOf } from '../words/words.ts';
import { type Layout, PANE_NUMBERS, PANE_ORDER } from './layout.ts';
import { type Line, lineWidth, type Span, span, spread } from './span.ts';

const KEY_NAMES: Readonly<Record<string, string>> = {
  enter: 'Enter',
  esc: 'Esc',
  tab: 'Tab',
  'shift-tab': 'Shift-Tab',
  left: 'left',
  right: 'right',
};

/** The first row: which run, which moment. */
export function headerLine(session: Session, state: UiState, { moment, layout }: { moment: Moment; layout: Layout }): Line {
  const words = wordsOf(state.lang);
  const { modes, header } = words;
  const mode = state.busy ? `[${modes.busy}]` : state.playing ? `[${modes.play} x${SPEEDS[state.speed] ?? 1}]` : `[${modes.paused}]`;
  const time = `t=${formatVirtualTime(moment.entry?.time ?? 0)}`;
  const branch = session.family.branches.length > 1 ? `  ${layout.columns >= 100 ? `${header.branch} ` : ''}${session.name}` : '';
  const where: Line = [
    span('  '),
    span(mode, 'focus'),
    span(` ${time}`, 'cursor'),
    span(`  ${header.event} ${moment.row + 1}/${moment.rows.count}${state.all ? ` ${header.all}` : ''}`),
    span(branch, 'key'),
  ];
  const tabs = layout.tier === 'tabs' || state.zoom;
  const right: Line = tabs ? [...tabLine(state, words), span(' ')] : [span(`${header.theme}:${state.theme}  ? ${header.keys} `, 'dim')];
  const room = layout.columns - lineWidth(where) - lineWidth(right) - 2;
  return spread([span(` ${truncate(session.title, Math.max(4, room))}`, 'title'), ...where], right, layout.columns);
}

function tabLine(state: UiState, { tabs }: Words): Line {
  return PANE_ORDER.flatMap((pane): Span[] => {
    const text = `${PANE_NUMBERS[pane]}${tabs[pane]}`;
    return state.focus === pane ? [span(`[${text}]`, 'focus')] : [span(` ${text} `, 'dim')];
  });
}

/** What stands before the text that is typed. */
function promptOf(state: UiState): { readonly mode: string; readonly sign: string; readonly help: readonly string[] } | undefined {
  const { modes, hints } = wordsOf(state.lang);
  const back = `Esc ${hints.back}`;
  switch (state.mode) {
    case 'command':
      return { mode: ` ${modes.command} `, sign: ':', help: [`Enter ${hints.run}`, `Tab ${hints.complete}`, back] };
    case 'find':
      return { mode: ` ${modes.find} `, sign: '/', help: [`Enter ${hints.find}`, back] };
    case 'kubectl':
      if (state.asks) return { mode: ` ${modes[state.asks]} `, sign: '> ', help: [`Enter ${hints.run}`, back] };
      return { mode: ` ${modes.kubectl} `, sign: '$ ', help: [`Enter ${hints.run}`, `Tab ${hints.complete}`, back] };
    default:
      return undefined;
  }
}

/** The last row: the keys that do something now, or the text that is being typed. */
export function footerLine(session: Session, state: UiState, width: number): Line {
  const { modes, notices } = wordsOf(state.lang);
  const prompt = promptOf(state);
  if (prompt) {
    const { text } = typedWindow(state, width);
    const help = state.notice || prompt.help.join('  ');
    return [span(prompt.mode, 'focus'), span(`${prompt.sign}${text}`, 'cursor'), span(`   ${help}`, state.notice ? 'key' : 'dim')];
  }
  if (state.mode === 'quit') return [span(` ${notices.leave} `, 'focus'), span(notices.leaveHow, 'cursor')];
  if (state.mode === 'mark' || state.mode === 'jump')
    return [span(` ${state.mode === 'mark' ? 'm' : "'"} `, 'focus'), span(notices.pressLetter, 'cursor')];
  if (state.notice) return [span(` ${modes.normal} `, 'focus'), span(state.notice, 'cursor')];
  return hints(session, state, width);
}

/** The part of a long line around the caret. */
function typedWindow(state: UiState, width: number): { readonly text: string; readonly caret: number } {
  const prompt = promptOf(state);
  const room = width - cellWidth(prompt?.mode ?? '') - cellWidth(prompt?.sign ?? '') - 2;
  const letters = graphemes(state.typed);
  let from = 0;
  while (cellWidth(letters.slice(from, state.caret).join('')) > room) from++;
  let to = letters.length;
  while (cellWidth(letters.slice(from, to).join('')) > room) to--;
  return { text: letters.slice(from, to).join(''), caret: cellWidth(letters.slice(from, state.caret).join('')) };
}

function hints(session: Session, state: UiState, width: number): Line {
  const { modes, hints: names } = wordsOf(state.lang);
  const mode = ` ${state.overlay ? modes.view : modes.normal} `;
  const usable = KEY_TABLE.flatMap(({ keys, hint, when }) => {
    if (!hint || !(when?.(state, session) ?? true)) return [];
    return [{ key: keyName(keys[0] ?? ''), text: hint.id === 'play' && state.playing ? names.pause : names[hint.id], rank: hint.rank }];
  });
  const back = state.overlay || state.zoom || state.consoleOpen ? [{ key: 'Esc', text: names.back, rank: 0 }] : [];
  const candidates = [...back, ...usable];
  let room = width - mode.length;
  const kept = new Set<(typeof candidates)[number]>();
  for (const hint of [...candidates].sort((a, b) => a.rank - b.rank)) {
    const size = cellWidth(hint.key) + cellWidth(hint.text) + 3;
    if (size > room) break;
    room -= size;
    kept.add(hint);
  }
  return [
    span(mode, 'focus'),
    ...candidates.filter((hint) => kept.has(hint)).flatMap(({ key, text }): Span[] => [span(key, 'key'), span(` ${text}  `)]),
  ];
}

/** A key as people call it. */
export function keyName(key: string): string {
  return KEY_NAMES[key] ?? key.replace(/^ctrl-(.)/, (_, letter: string) => `Ctrl-${letter}`);
}

/** Where the terminal's own cursor stands while text is typed, so that an input method shows its candidates there. */
export function caretColumn(state: UiState, width: number): number | undefined {
  const prompt = promptOf(state);
  return prompt && cellWidth(prompt.mode) + cellWidth(prompt.sign) + typedWindow(state, width).caret;
}
