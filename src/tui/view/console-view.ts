import type { ConsoleLine, UiState } from '../app/ui-state.ts';
import { cellWidth, takeCells, wrap } from '../text/cells.ts';
import { wordsOf } from '../words/words.ts';
import type { PaneContent } from './frame.ts';
import { type Line, span, type Token } from './span.ts';

const TOKENS: Readonly<Record<ConsoleLine['kind'], Token>> = { prompt: 'input', out: 'text', error: 'bad', note: 'dim' };

/** The kubectl pane: what was typed and what came back, newest last. */
export function consoleContent(state: UiState, size: { width: number; height: number }): PaneContent {
  const { views } = wordsOf(state.lang);
  const lines = state.console.slice(-size.height - state.consoleScroll).flatMap((line) => drawLine(line, size.width));
  const end = Math.max(size.height, lines.length - state.consoleScroll);
  const empty: Line[] = wrap(views.consoleEmpty, size.width - 2).map((text) => [span(` ${text}`, 'dim')]);
  return {
    title: views.console,
    note: state.consoleScroll ? 'PgUp PgDn' : '',
    lines: state.console.length ? lines.slice(Math.max(0, end - size.height), end) : empty,
  };
}

/** Long lines go on in the next row, as in a terminal: nothing of an answer is hidden. */
function drawLine({ kind, text }: ConsoleLine, width: number): Line[] {
  const full = kind === 'prompt' ? `$ ${text}` : kind === 'note' ? `  (${text})` : text.replaceAll('\t', '        ');
  const lines: Line[] = [];
  let rest = full;
  do {
    const part = takeCells(rest, width);
    lines.push([span(part, TOKENS[kind])]);
    rest = rest.slice(part.length);
  } while (cellWidth(rest) > 0);
  return lines;
}
