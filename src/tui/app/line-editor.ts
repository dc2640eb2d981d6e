import { graphemes } from '../text/cells.ts';

/** A line that is being typed, and where in it the next letter goes. */
export interface TypedLine {
  readonly typed: string;
  readonly caret: number;
}

/** What stands on the kubectl line before anything is typed. */
export const PROMPT = 'kubectl ';
const MAX_TYPED = 2_000;

export function typedLine(text: string): TypedLine {
  return { typed: text, caret: graphemes(text).length };
}

/** The line after one key, with the habits of readline; undefined for a key that edits nothing. */
export function editLine({ typed, caret }: TypedLine, key: string): TypedLine | undefined {
  const letters = graphemes(typed);
  const cut = (from: number, to: number): TypedLine => ({ typed: [...letters.slice(0, from), ...letters.slice(to)].join(''), caret: from });
  switch (key) {
    case 'left':
      return { typed, caret: Math.max(0, caret - 1) };
    case 'right':
      return { typed, caret: Math.min(letters.length, caret + 1) };
    case 'home':
    case 'ctrl-a':
      return { typed, caret: 0 };
    case 'end':
    case 'ctrl-e':
      return { typed, caret: letters.length };
    case 'backspace':
      return caret > 0 ? cut(caret - 1, caret) : { typed, caret };
    case 'ctrl-u':
      return cut(0, caret);
    case 'ctrl-k':
      return { typed: letters.slice(0, caret).join(''), caret };
    case 'ctrl-w':
      return cut(wordStart(letters, caret), caret);
    default:
      return insert(letters, caret, key === 'space' ? ' ' : key);
  }
}

function insert(letters: readonly string[], caret: number, letter: string): TypedLine | undefined {
  if (graphemes(letter).length !== 1 || letters.length >= MAX_TYPED) return undefined;
  return { typed: [...letters.slice(0, caret), letter, ...letters.slice(caret)].join(''), caret: caret + 1 };
}

function wordStart(letters: readonly string[], caret: number): number {
  let at = caret;
  while (at > 0 && letters[at - 1] === ' ') at--;
  while (at > 0 && letters[at - 1] !== ' ') at--;
  return at;
}
