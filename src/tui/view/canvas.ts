import { cellWidth, graphemes, printable } from '../text/cells.ts';
import type { Line, Span, Token } from './span.ts';

interface Cell {
  readonly text: string;
  readonly token: Token;
}

const BLANK: Cell = { text: ' ', token: 'text' };

/** One row that is drawn piece by piece at given columns; later pieces cover earlier ones. */
export class CanvasRow {
  readonly width: number;
  readonly #cells: Cell[];

  constructor(width: number) {
    this.width = width;
    this.#cells = new Array<Cell>(width).fill(BLANK);
  }

  /** Draws `text` from column `x` on; what does not fit is cut. */
  put(x: number, text: string, token: Token): void {
    let at = x;
    for (const grapheme of graphemes(printable(text))) {
      const size = cellWidth(grapheme);
      if (at >= 0 && at + size <= this.width) {
        this.#cells[at] = { text: grapheme, token };
        if (size === 2) this.#cells[at + 1] = { text: '', token };
      }
      at += size;
    }
  }

  toLine(): Line {
    const spans: Span[] = [];
    let text = '';
    let token: Token = this.#cells[0]?.token ?? 'text';
    for (const cell of this.#cells) {
      if (cell.token !== token) {
        if (text) spans.push({ text, token });
        text = '';
        token = cell.token;
      }
      text += cell.text;
    }
    if (text) spans.push({ text, token });
    return spans;
  }
}
