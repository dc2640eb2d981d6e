import { expect, test } from 'vitest';
import { canRunTui } from '../can-run-tui.ts';
import { chooseLook, needsProbe } from './look.ts';

test('theme and glyphs, from what was asked for and from the locale', () => {
  expect(chooseLook({}, { LANG: 'en_US.UTF-8' })).toEqual({ theme: 'dark', glyphs: 'unicode', motion: 'step' });
  expect(chooseLook({}, { LANG: 'C' })).toEqual({ theme: 'dark', glyphs: 'ascii', motion: 'step' });
  expect(chooseLook({}, { LANG: 'en_US.UTF-8', LC_ALL: 'ja_JP.UTF-8' })).toEqual({ theme: 'dark', glyphs: 'ascii', motion: 'step' });
  expect(chooseLook({ theme: 'ascii' }, { LANG: 'en_US.UTF-8' })).toEqual({ theme: 'mono', glyphs: 'ascii', motion: 'step' });
  expect(chooseLook({ theme: 'light', glyphs: 'unicode' }, {})).toEqual({ theme: 'light', glyphs: 'unicode', motion: 'step' });
  expect(() => chooseLook({ theme: 'pink' }, {})).toThrow(
    new RangeError('there is no theme "pink"; there are dark, light, deuter, trit, high, mono, ascii'),
  );
  expect(() => chooseLook({ glyphs: 'emoji' }, {})).toThrow(new RangeError('glyphs are ascii or unicode, not "emoji"'));
});

test('what the terminal answers decides about glyphs, unless a person has', () => {
  const japanese = { LANG: 'ja_JP.UTF-8' };
  const glyphs = (env: Record<string, string>, cells?: number): string => chooseLook({}, env, cells).glyphs;
  expect([glyphs(japanese), glyphs(japanese, 1), glyphs(japanese, 2)]).toEqual(['ascii', 'unicode', 'ascii']);
  expect([glyphs({ LANG: 'en_US.UTF-8' }, 2), glyphs({ LANG: 'C' }, 1)]).toEqual(['ascii', 'ascii']);
  expect(chooseLook({ glyphs: 'unicode' }, japanese, 2).glyphs).toBe('unicode');
  expect([needsProbe({}, japanese), needsProbe({ glyphs: 'ascii' }, japanese), needsProbe({}, { LANG: 'C' })]).toEqual([
    true,
    false,
    false,
  ]);
});

test('how much moves', () => {
  expect(chooseLook({ motion: 'none' }, {}).motion).toBe('none');
  expect(() => chooseLook({ motion: 'fast' }, {})).toThrow(new RangeError('motion is none, step, full, not "fast"'));
});

test('line mode is the way without a terminal, with a dumb one, or for a screen reader', () => {
  const terminal = { isTTY: true };
  expect(canRunTui(terminal, terminal, { TERM: 'xterm' })).toBe(true);
  expect(canRunTui({}, terminal, { TERM: 'xterm' })).toBe(false);
  expect(canRunTui(terminal, {}, { TERM: 'xterm' })).toBe(false);
  expect(canRunTui(terminal, terminal, { TERM: 'dumb' })).toBe(false);
  expect(canRunTui(terminal, terminal, { TERM: 'xterm', ACCESSIBLE: '1' })).toBe(false);
});
