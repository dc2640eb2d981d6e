import type { Key } from 'ink';
import { graphemes } from '../text/cells.ts';

/** Control characters, which arrive as text when they come in a burst. */
const CONTROL_NAMES: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007F': 'backspace',
  '\b': 'backspace',
  '\u0003': 'ctrl-c',
  '\u001A': 'ctrl-z',
};

/** Ink's report of a key as names of ours. A burst of letters (fast typing, an input method) gives one name each; full-width letters count as plain. */
export function decodeKeys(input: string, key: Key): string[] {
  const named = namedKey(key);
  if (named) return [named];
  if (key.ctrl) return input ? [`ctrl-${input.toLowerCase()}`] : [];
  return graphemes(input.normalize('NFKC')).map((grapheme) => (grapheme === ' ' ? 'space' : (CONTROL_NAMES[grapheme] ?? grapheme)));
}

function namedKey(key: Key): string | undefined {
  if (key.return) return 'enter';
  if (key.escape) return 'esc';
  if (key.tab) return key.shift ? 'shift-tab' : 'tab';
  if (key.backspace || key.delete) return 'backspace';
  if (key.upArrow) return 'up';
  if (key.downArrow) return 'down';
  if (key.leftArrow) return 'left';
  if (key.rightArrow) return 'right';
  if (key.pageDown) return 'pagedown';
  if (key.pageUp) return 'pageup';
  if (key.home) return 'home';
  return key.end ? 'end' : undefined;
}
