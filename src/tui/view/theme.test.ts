import { describe, expect, test } from 'vitest';
import { span } from './span.ts';
import { colorDepth, paint, paletteIndex, THEMES, type ThemeName } from './theme.ts';

const BACKGROUNDS: Readonly<Record<ThemeName, readonly string[]>> = {
  dark: ['#000000', '#1e1e1e'],
  light: ['#ffffff', '#fafafa'],
  deuter: ['#000000', '#1e1e1e'],
  trit: ['#000000', '#1e1e1e'],
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

/** Linear RGB as seen with one kind of cones missing: Machado, Oliveira and Fernandes 2009, severity 1. */
const EYES: Readonly<Record<'deuter' | 'trit', readonly (readonly [number, number, number])[]>> = {
  deuter: [
    [0.367, 0.861, -0.228],
    [0.28, 0.673, 0.047],
    [-0.012, 0.043, 0.969],
  ],
  trit: [
    [1.256, -0.077, -0.179],
    [-0.078, 0.931, 0.148],
    [0.005, 0.691, 0.304],
  ],
};

function seen(color: string, eyes: keyof typeof EYES): number[] {
  const rgb = [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return EYES[eyes].map((row) => row.reduce((sum, factor, index) => sum + factor * (rgb[index] ?? 0), 0));
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)));
}

describe('themes', () => {
  test.each(['deuter', 'trit'] as const)('%s: good and bad, added and removed can be told apart', (name) => {
    const theme = THEMES[name];
    for (const [one, other] of [
      ['good', 'bad'],
      ['added', 'removed'],
      ['good', 'busy'],
      ['bad', 'busy'],
      ['request', 'watch'],
    ] as const)
      expect(distance(seen(theme[one].color ?? '', name), seen(theme[other].color ?? '', name))).toBeGreaterThan(0.25);
  });

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
