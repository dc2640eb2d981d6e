import { cellWidth, takeCells } from './cells.ts';

const words = new Intl.Segmenter('ja', { granularity: 'word' });
/** Must not begin a line (JIS X 4051, the part that lessons need), nor end one. */
const NO_START = /^[、。，．・：；？！)\]}」』）】〉》〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!%’”…]/u;
const NO_END = /[([{「『（【〈《〔‘“]$/u;
const LATIN = /^[\u0021-\u007e]+$/;

/**
 * Breaks a sentence into lines of at most `width` cells: between words; in Japanese between the words that `Intl.Segmenter` finds, with no line that begins with a closing sign
 * or ends with an opening one. A line break in the text stays.
 */
export function wrapSentence(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width));
}

function wrapParagraph(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of piecesOf(text)) {
    const longer = line + piece;
    if (cellWidth(longer.trimEnd()) <= width) {
      line = longer;
      continue;
    }
    if (line.trimEnd()) lines.push(line.trimEnd());
    line = piece.trimStart();
    while (cellWidth(line.trimEnd()) > width) {
      const head = takeCells(line, width);
      if (!head) break;
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  if (line.trimEnd() || !lines.length) lines.push(line.trimEnd());
  return lines;
}

/** What must stay together: runs of Latin letters and signs, words of Japanese with the signs that cling to them. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const { segment } of words.segment(text)) {
    const last = pieces.at(-1);
    const clings = last !== undefined && (segment.trim() === '' || NO_START.test(segment) || NO_END.test(last) || bothLatin(last, segment));
    if (clings) pieces[pieces.length - 1] = last + segment;
    else pieces.push(segment);
  }
  return pieces;
}

function bothLatin(before: string, segment: string): boolean {
  return LATIN.test(segment) && /[\u0021-\u007e]$/.test(before);
}
