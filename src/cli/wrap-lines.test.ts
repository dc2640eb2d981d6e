import { expect, it } from 'vitest';
import { wrapLines } from './wrap-lines.ts';

const OPTION = '  --glyphs VALUE             ascii or unicode (terminal UI; default: what suits the terminal)';

it('puts what goes on below its beginning', () => {
  expect(wrapLines(OPTION, 60)).toBe(
    '  --glyphs VALUE             ascii or unicode (terminal UI;\n                             default: what suits the\n                             terminal)',
  );
  expect(wrapLines('  - one two three', 12)).toBe('  - one two\n    three');
  expect(wrapLines('  play     plays a scenario, or applies', 30)).toBe('  play     plays a scenario,\n           or applies');
  expect(wrapLines('a menu: where you were', 15)).toBe('a menu: where\nyou were');
});

it('leaves short lines, long words and all that goes to a pipe as they are', () => {
  expect(wrapLines(OPTION, undefined)).toBe(OPTION);
  expect(wrapLines('usage:\n\n  x', 20)).toBe('usage:\n\n  x');
  expect(wrapLines('a-word-that-is-too-long', 10)).toBe('a-word-that-is-too-long');
});
