import { KEY_TABLE } from '../app/keys.ts';
import type { Moment, Session } from '../app/session.ts';
import { SPEEDS, type UiState } from '../app/ui-state.ts';
import { cellWidth, truncate } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import { type Layout, PANE_NUMBERS, PANE_ORDER } from './layout.ts';
import { type Line, lineWidth, type Span, span, spread } from './span.ts';

const TAB_NAMES = { stage: 'Stage', objects: 'Objects', diff: 'Diff', timeline: 'Log' } as const;
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
  const mode = state.playing ? `[PLAY x${SPEEDS[state.speed] ?? 1}]` : '[PAUSED]';
  const time = `t=${formatVirtualTime(moment.entry?.time ?? 0)}`;
  const where: Line = [
    span('  '),
    span(mode, 'focus'),
    span(` ${time}`, 'cursor'),
    span(`  event ${moment.row + 1}/${moment.rows.count}${state.all ? ' (all)' : ''}`),
  ];
  const tabs = layout.tier === 'tabs' || state.zoom;
  const right: Line = tabs ? [...tabLine(state), span(' ')] : [span(`theme:${state.theme}  ? keys `, 'dim')];
  const room = layout.columns - lineWidth(where) - lineWidth(right) - 2;
  return spread([span(` ${truncate(session.title, Math.max(4, room))}`, 'title'), ...where], right, layout.columns);
}

function tabLine(state: UiState): Line {
  return PANE_ORDER.flatMap((pane): Span[] => {
    const text = `${PANE_NUMBERS[pane]}${TAB_NAMES[pane]}`;
    return state.focus === pane ? [span(`[${text}]`, 'focus')] : [span(` ${text} `, 'dim')];
  });
}

/** The last row: the keys that do something now, or the text that is being typed. */
export function footerLine(session: Session, state: UiState, width: number): Line {
  if (state.mode === 'command')
    return [span(' COMMAND ', 'focus'), span(`:${state.typed}`, 'cursor'), span('   Enter run  Tab complete  Esc back', 'dim')];
  if (state.mode === 'find') return [span(' FIND ', 'focus'), span(`/${state.typed}`, 'cursor'), span('   Enter find  Esc back', 'dim')];
  if (state.mode === 'quit') return [span(' Leave? ', 'focus'), span('y or q leaves, any other key stays', 'cursor')];
  if (state.notice) return [span(' NORMAL ', 'focus'), span(state.notice, 'cursor')];
  return hints(session, state, width);
}

function hints(session: Session, state: UiState, width: number): Line {
  const mode = state.overlay ? ' VIEW ' : ' NORMAL ';
  const usable = KEY_TABLE.filter((binding) => binding.hint && (binding.when?.(state, session) ?? true)).map((binding) => {
    const text = binding.keys[0] === 'space' && state.playing ? 'pause' : (binding.hint?.text ?? '');
    return { key: keyName(binding.keys[0] ?? ''), text, rank: binding.hint?.rank ?? 0 };
  });
  const back = state.overlay || state.zoom ? [{ key: 'Esc', text: 'back', rank: 0 }] : [];
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
export function caretColumn(state: UiState): number | undefined {
  if (state.mode === 'command') return ' COMMAND :'.length + cellWidth(state.typed);
  return state.mode === 'find' ? ' FIND /'.length + cellWidth(state.typed) : undefined;
}
