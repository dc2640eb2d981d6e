const WIDE =
  /[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
/** Control characters, C1 ones among them, and the line and paragraph separators: none may reach the terminal from an object's text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g;
const PLAIN = /^[\u0020-\u007E]*$/;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Terminal cells that `text` takes: 2 for a wide character, 0 for a combining one. */
export function cellWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2;
  return ZERO.test(grapheme) ? 0 : 1;
}

/** The characters that a person sees, one by one. */
export function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** `text` without anything that could move the cursor or change the screen. */
export function printable(text: string): string {
  return PLAIN.test(text) ? text : text.replace(CONTROL, ' ');
}

/** The longest beginning of `text` that fits into `width` cells. */
export function takeCells(text: string, width: number): string {
  if (width <= 0) return '';
  if (PLAIN.test(text)) return text.slice(0, width);
  let taken = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}

/** `text` cut to `width` cells; the cut is marked with `..`. */
export function truncate(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  return width <= 2 ? takeCells(text, width) : `${takeCells(text, width - 2)}..`;
}

/** `text` cut to `width` cells in its middle, which keeps the end of generated names. */
export function truncateMiddle(text: string, width: number): string {
  if (cellWidth(text) <= width || width < 8 || !PLAIN.test(text)) return truncate(text, width);
  const tail = Math.floor((width - 2) / 2);
  return `${text.slice(0, width - 2 - tail)}..${text.slice(-tail)}`;
}

/** `text` cut or filled with blanks to exactly `width` cells. */
export function padCells(text: string, width: number): string {
  const cut = truncate(text, width);
  return cut + ' '.repeat(Math.max(0, width - cellWidth(cut)));
}

/** What no line of Japanese begins or ends with. */
const NO_START = /^[、。，．・：；？！）」』】〉》ーぁぃぅぇぉっゃゅょァィゥェォッャュョ%)\]},.:;?!]/;
const NO_END = /[（「『【〈《([{]$/;

/** As much of a text without blanks as fits, cut where a reader of Japanese would: not before 。 or ー, not after 「, not inside a Latin word. */
function cutLine(text: string, width: number): string {
  const whole = takeCells(text, width) || text;
  const letters = graphemes(whole);
  const mayCut = (count: number): boolean => {
    const [head, tail] = [letters.slice(0, count).join(''), text.slice(letters.slice(0, count).join('').length)];
    return !NO_START.test(tail) && !NO_END.test(head) && !(/\w$/.test(head) && /^\w/.test(tail));
  };
  for (let count = letters.length; count > 0; count--) if (mayCut(count)) return letters.slice(0, count).join('');
  return whole;
}

/** Breaks `text` between words into lines of at most `width` cells; a longer word is cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (cellWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = word;
    while (cellWidth(line) > width) {
      const head = cutLine(line, width);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  lines.push(line);
  return lines;
}
