import { expect, test } from 'vitest';
import { canRunTui } from '../can-run-tui.ts';
import { chooseLook } from './look.ts';

test('theme and glyphs, from what was asked for and from the locale', () => {
  expect(chooseLook({}, { LANG: 'en_US.UTF-8' })).toEqual({ theme: 'dark', glyphs: 'unicode' });
  expect(chooseLook({}, { LANG: 'C' })).toEqual({ theme: 'dark', glyphs: 'ascii' });
  expect(chooseLook({}, { LANG: 'en_US.UTF-8', LC_ALL: 'ja_JP.UTF-8' })).toEqual({ theme: 'dark', glyphs: 'ascii' });
  expect(chooseLook({ theme: 'ascii' }, { LANG: 'en_US.UTF-8' })).toEqual({ theme: 'mono', glyphs: 'ascii' });
  expect(chooseLook({ theme: 'light', glyphs: 'unicode' }, {})).toEqual({ theme: 'light', glyphs: 'unicode' });
  expect(() => chooseLook({ theme: 'pink' }, {})).toThrow(
    new RangeError('there is no theme "pink"; there are dark, light, deuter, trit, high, mono, ascii'),
  );
  expect(() => chooseLook({ glyphs: 'emoji' }, {})).toThrow(new RangeError('glyphs are ascii or unicode, not "emoji"'));
});

test('line mode is the way without a terminal, with a dumb one, or for a screen reader', () => {
  const terminal = { isTTY: true };
  expect(canRunTui(terminal, terminal, { TERM: 'xterm' })).toBe(true);
  expect(canRunTui({}, terminal, { TERM: 'xterm' })).toBe(false);
  expect(canRunTui(terminal, {}, { TERM: 'xterm' })).toBe(false);
  expect(canRunTui(terminal, terminal, { TERM: 'dumb' })).toBe(false);
  expect(canRunTui(terminal, terminal, { TERM: 'xterm', ACCESSIBLE: '1' })).toBe(false);
});
