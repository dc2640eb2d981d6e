import { describe, expect, test } from 'vitest';
import { span } from './span.ts';
import { colorDepth, paint, paletteIndex, THEMES, type ThemeName } from './theme.ts';

const BACKGROUNDS: Readonly<Record<ThemeName, readonly string[]>> = {
  dark: ['#000000', '#1e1e1e'],
  light: ['#ffffff', '#fafafa'],
  high: ['#000000'],
  mono: [],
};

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [bright = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (bright + 0.05) / (dark + 0.05);
}

describe('themes', () => {
  test('every colour stands out from its background by 7:1', () => {
    const weak = Object.entries(THEMES).flatMap(([name, theme]) =>
      Object.entries(theme).flatMap(([token, { color }]) =>
        BACKGROUNDS[name as ThemeName]
          .filter((background) => color && contrast(color, background) < 7)
          .map((background) => `${name} ${token} ${color} on ${background}`),
      ),
    );
    expect(weak).toEqual([]);
  });

  test('every colour is the same in all terminals with 256 colours', () => {
    const others = Object.values(THEMES).flatMap((theme) => Object.values(theme).filter(({ color }) => color && paletteIndex(color) < 0));
    expect(others).toEqual([]);
  });

  test('blanks do not interrupt a colour, but end a reversed one', () => {
    const line = [span('a', 'good'), span('  '), span('b', 'good'), span('c', 'selected'), span(' '), span('d')];
    expect(JSON.stringify(paint(line, THEMES.dark, 1))).toBe('"\\u001b[92ma  b\\u001b[0m\\u001b[7mc\\u001b[0m d"');
  });

  test('the environment decides how much colour there is', () => {
    expect([
      colorDepth({ TERM: 'xterm' }),
      colorDepth({ TERM: 'xterm-256color' }),
      colorDepth({ TERM: 'xterm-256color', COLORTERM: 'truecolor' }),
      colorDepth({ TERM: 'xterm-256color', NO_COLOR: '1' }),
      colorDepth({ TERM: 'xterm-256color', NO_COLOR: '' }),
      colorDepth({ TERM: 'xterm-256color', FORCE_COLOR: '0' }),
      colorDepth({ TERM: 'dumb' }),
    ]).toEqual([1, 2, 2, 'attributes', 2, 0, 0]);
  });

  test('a row in each depth', () => {
    const line = [span('ok', 'bad'), span(' plain')];
    const painted = ([0, 'attributes', 1, 2] as const).map((depth) => JSON.stringify(paint(line, THEMES.dark, depth)));
    expect(painted).toEqual([
      '"ok plain"',
      '"\\u001b[1mok\\u001b[0m plain"',
      '"\\u001b[1;91mok\\u001b[0m plain"',
      '"\\u001b[1;38;5;216mok\\u001b[0m plain"',
    ]);
  });
});
