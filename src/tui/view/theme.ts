import type { Line, Token } from './span.ts';

/** How a token looks: a colour as `#rrggbb` with the nearest of the sixteen colours of any terminal, and attributes that need no colour. */
interface Style {
  readonly color?: string;
  readonly ansi?: number;
  readonly bold?: boolean;
  readonly inverse?: boolean;
  readonly underline?: boolean;
}

export type ThemeName = 'dark' | 'light' | 'high' | 'mono';

export type Theme = Readonly<Record<Token, Style>>;

/** 0: nothing at all; 1: sixteen colours; 2: 256; 3: all. `attributes`: bold and reverse, but no colour. */
export type ColorDepth = 0 | 1 | 2 | 3 | 'attributes';

/** Blue rather than green stands for what is added, so that red and it can be told apart by everyone. */
const DARK: Theme = {
  text: {},
  dim: { color: '#b2b2b2', ansi: 37 },
  title: { bold: true },
  border: { color: '#b2b2b2', ansi: 37 },
  focus: { color: '#ffd75f', ansi: 93, bold: true },
  actor: { color: '#ffd75f', ansi: 93, bold: true },
  request: { color: '#87d7ff', ansi: 96 },
  watch: { color: '#d7afff', ansi: 95 },
  input: { color: '#ffd75f', ansi: 93, bold: true },
  added: { color: '#87afff', ansi: 94 },
  removed: { color: '#ff9f87', ansi: 91 },
  changed: { color: '#ffd75f', ansi: 93 },
  good: { color: '#87d787', ansi: 92 },
  busy: { color: '#ffd75f', ansi: 93 },
  bad: { color: '#ff9f87', ansi: 91, bold: true },
  cursor: { bold: true },
  selected: { inverse: true },
  key: { color: '#87d7ff', ansi: 96, bold: true },
};

const LIGHT: Theme = {
  text: {},
  dim: { color: '#505050', ansi: 90 },
  title: { bold: true },
  border: { color: '#505050', ansi: 90 },
  focus: { color: '#6a3d00', ansi: 35, bold: true },
  actor: { color: '#6a3d00', ansi: 35, bold: true },
  request: { color: '#004a7f', ansi: 34 },
  watch: { color: '#5f1a8f', ansi: 35 },
  input: { color: '#6a3d00', ansi: 35, bold: true },
  added: { color: '#00388f', ansi: 34 },
  removed: { color: '#8f1500', ansi: 31 },
  changed: { color: '#6a3d00', ansi: 35 },
  good: { color: '#005214', ansi: 32 },
  busy: { color: '#6a3d00', ansi: 35 },
  bad: { color: '#8f1500', ansi: 31, bold: true },
  cursor: { bold: true },
  selected: { inverse: true },
  key: { color: '#004a7f', ansi: 34, bold: true },
};

const HIGH: Theme = {
  text: { color: '#ffffff', ansi: 97 },
  dim: { color: '#e0e0e0', ansi: 37 },
  title: { color: '#ffffff', ansi: 97, bold: true },
  border: { color: '#ffffff', ansi: 97 },
  focus: { color: '#ffff00', ansi: 93, bold: true },
  actor: { color: '#ffff00', ansi: 93, bold: true },
  request: { color: '#00ffff', ansi: 96, bold: true },
  watch: { color: '#ffafff', ansi: 95, bold: true },
  input: { color: '#ffff00', ansi: 93, bold: true },
  added: { color: '#00ffff', ansi: 96, bold: true },
  removed: { color: '#ffaf87', ansi: 91, bold: true },
  changed: { color: '#ffff00', ansi: 93, bold: true },
  good: { color: '#87ff87', ansi: 92 },
  busy: { color: '#ffff00', ansi: 93 },
  bad: { color: '#ffaf87', ansi: 91, bold: true },
  cursor: { color: '#ffffff', ansi: 97, bold: true },
  selected: { inverse: true, bold: true },
  key: { color: '#00ffff', ansi: 96, bold: true },
};

const MONO: Theme = {
  text: {},
  dim: {},
  title: { bold: true },
  border: {},
  focus: { bold: true },
  actor: { bold: true },
  request: {},
  watch: {},
  input: { bold: true },
  added: { bold: true },
  removed: {},
  changed: { bold: true },
  good: {},
  busy: {},
  bad: { bold: true, underline: true },
  cursor: { bold: true },
  selected: { inverse: true },
  key: { bold: true },
};

export const THEMES: Readonly<Record<ThemeName, Theme>> = { dark: DARK, light: LIGHT, high: HIGH, mono: MONO };

/** The names of all themes, for help texts. */
export const THEME_NAMES: readonly ThemeName[] = ['dark', 'light', 'high', 'mono'];

export function isThemeName(name: string): name is ThemeName {
  return Object.hasOwn(THEMES, name);
}

/** What the terminal can show, from its environment. `NO_COLOR` keeps bold and reverse; `FORCE_COLOR=0` drops these too. */
export function colorDepth(env: Readonly<Record<string, string | undefined>>): ColorDepth {
  const { FORCE_COLOR: force, NO_COLOR: none, COLORTERM: colorTerm = '', TERM: term = '' } = env;
  if (force === '0' || force === 'false' || term === 'dumb') return 0;
  if (none) return 'attributes';
  if (force === '1' || force === '2' || force === '3') return Number(force) as 1 | 2 | 3;
  if (/truecolor|24bit/.test(colorTerm)) return 3;
  return /256|kitty|ghostty|alacritty/.test(term) ? 2 : 1;
}

/** A row as text with the escape sequences for its colours; resets itself at the end. */
export function paint(line: Line, theme: Theme, depth: ColorDepth): string {
  let text = '';
  for (const piece of line) {
    const codes = depth === 0 ? '' : codesOf(theme[piece.token], depth);
    text += codes ? `\u001B[${codes}m${piece.text}\u001B[0m` : piece.text;
  }
  return text;
}

function codesOf(style: Style, depth: Exclude<ColorDepth, 0>): string {
  const codes: (number | string)[] = [];
  if (style.bold) codes.push(1);
  if (style.underline) codes.push(4);
  if (style.inverse) codes.push(7);
  if (style.color && depth !== 'attributes') codes.push(colorCode(style, depth));
  return codes.join(';');
}

function colorCode({ color = '', ansi = 39 }: Style, depth: 1 | 2 | 3): string {
  if (depth === 1) return String(ansi);
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
  if (depth === 3) return `38;2;${red};${green};${blue}`;
  const cube = (value: number): number => (value < 48 ? 0 : value < 115 ? 1 : Math.floor((value - 35) / 40));
  return `38;5;${16 + 36 * cube(red) + 6 * cube(green) + cube(blue)}`;
}
