import type { Line, Token } from './span.ts';

/**
 * How a token looks: a colour as `#rrggbb`, one of the 240 that are the same in every terminal with 256 colours, with the nearest of the sixteen colours of
 * any terminal; and attributes that need no colour.
 */
interface Style {
  readonly color?: string;
  readonly ansi?: number;
  readonly bold?: boolean;
  readonly inverse?: boolean;
  readonly underline?: boolean;
}

export type ThemeName = 'dark' | 'light' | 'deuter' | 'trit' | 'high' | 'mono';

export type Theme = Readonly<Record<Token, Style>>;

/** 0: nothing at all; 1: sixteen colours; 2: 256. `attributes`: bold and reverse, but no colour. */
export type ColorDepth = 0 | 1 | 2 | 'attributes';

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
  removed: { color: '#ffaf87', ansi: 91 },
  changed: { color: '#ffd75f', ansi: 93 },
  good: { color: '#87d787', ansi: 92 },
  busy: { color: '#ffd75f', ansi: 93 },
  bad: { color: '#ffaf87', ansi: 91, bold: true },
  cursor: { bold: true },
  selected: { inverse: true },
  key: { color: '#87d7ff', ansi: 96, bold: true },
};

const LIGHT: Theme = {
  text: {},
  dim: { color: '#4e4e4e', ansi: 90 },
  title: { bold: true },
  border: { color: '#4e4e4e', ansi: 90 },
  focus: { color: '#5f00af', ansi: 35, bold: true },
  actor: { color: '#5f00af', ansi: 35, bold: true },
  request: { color: '#000087', ansi: 34 },
  watch: { color: '#5f0087', ansi: 35 },
  input: { color: '#5f00af', ansi: 35, bold: true },
  added: { color: '#0000af', ansi: 34 },
  removed: { color: '#870000', ansi: 31 },
  changed: { color: '#5f005f', ansi: 35 },
  good: { color: '#005f00', ansi: 32 },
  busy: { color: '#5f005f', ansi: 35 },
  bad: { color: '#870000', ansi: 31, bold: true },
  cursor: { bold: true },
  selected: { inverse: true },
  key: { color: '#000087', ansi: 34, bold: true },
};

/** For eyes that mix up red and green: what is good is blue, what is bad is yellow. */
const DEUTER: Theme = {
  ...DARK,
  added: { color: '#87afff', ansi: 94 },
  removed: { color: '#ffd75f', ansi: 93 },
  changed: { color: '#ffffff', ansi: 97, bold: true },
  good: { color: '#87afff', ansi: 94 },
  busy: { color: '#dadada', ansi: 37, bold: true },
  bad: { color: '#ffd75f', ansi: 93, bold: true },
  watch: { color: '#ffffff', ansi: 97 },
};

/** For eyes that mix up blue and green, or yellow and violet: cyan against red. */
const TRIT: Theme = {
  ...DARK,
  focus: { color: '#ff87af', ansi: 95, bold: true },
  actor: { color: '#ff87af', ansi: 95, bold: true },
  request: { color: '#5fffff', ansi: 96 },
  watch: { color: '#ff87af', ansi: 95 },
  input: { color: '#ff87af', ansi: 95, bold: true },
  added: { color: '#5fffff', ansi: 96 },
  removed: { color: '#ff8787', ansi: 91 },
  changed: { color: '#ffffff', ansi: 97, bold: true },
  good: { color: '#5fffff', ansi: 96 },
  busy: { color: '#dadada', ansi: 37, bold: true },
  bad: { color: '#ff8787', ansi: 91, bold: true },
  key: { color: '#5fffff', ansi: 96, bold: true },
};

const HIGH: Theme = {
  text: { color: '#ffffff', ansi: 97 },
  dim: { color: '#dadada', ansi: 37 },
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

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  dark: DARK,
  light: LIGHT,
  deuter: DEUTER,
  trit: TRIT,
  high: HIGH,
  mono: MONO,
};

/** The names of all themes, for help texts. */
export const THEME_NAMES: readonly ThemeName[] = ['dark', 'light', 'deuter', 'trit', 'high', 'mono'];

export function isThemeName(name: string): name is ThemeName {
  return Object.hasOwn(THEMES, name);
}

/** What the terminal can show, from its environment. `NO_COLOR` keeps bold and reverse; `FORCE_COLOR=0` drops these too. */
export function colorDepth(env: Readonly<Record<string, string | undefined>>): ColorDepth {
  const { FORCE_COLOR: force, NO_COLOR: none, COLORTERM: colorTerm = '', TERM: term = '' } = env;
  if (force === '0' || force === 'false' || term === 'dumb') return 0;
  if (none) return 'attributes';
  if (force === '1') return 1;
  return force || /truecolor|24bit/.test(colorTerm) || /256|kitty|ghostty|alacritty/.test(term) ? 2 : 1;
}

/**
 * A row as text with the escape sequences for its colours; resets itself at the end. Blanks take on the colour before them, which nobody sees and which
 * makes far fewer sequences; those at the end are left out.
 */
export function paint(line: Line, theme: Theme, depth: ColorDepth): string {
  if (depth === 0) return line.map(({ text }) => text).join('');
  let painted = '';
  let run = '';
  let codes = '';
  let open = false;
  const close = (): void => {
    painted += codes && run ? `\u001B[${codes}m${run}\u001B[0m` : run;
    run = '';
  };
  for (const { text, token } of line) {
    const style = theme[token];
    const next = codesOf(style, depth);
    const joins = next === codes || (open && !style.inverse && text.trim() === '');
    if (!joins) {
      close();
      codes = next;
      open = !style.inverse && !style.underline;
    }
    run += text;
  }
  if (open) run = run.trimEnd();
  close();
  return painted;
}

function codesOf(style: Style, depth: Exclude<ColorDepth, 0>): string {
  const codes: (number | string)[] = [];
  if (style.bold) codes.push(1);
  if (style.underline) codes.push(4);
  if (style.inverse) codes.push(7);
  if (style.color && depth === 1) codes.push(style.ansi ?? 39);
  if (style.color && depth === 2) codes.push(`38;5;${paletteIndex(style.color)}`);
  return codes.join(';');
}

const LEVELS = [0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff];

/** The index of a colour in the palette of 256; -1 for one that is not in it. Greys have a ramp of their own. */
export function paletteIndex(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const cube = [red, green, blue].map((value) => LEVELS.indexOf(value));
  if (!cube.includes(-1)) return 16 + 36 * (cube[0] ?? 0) + 6 * (cube[1] ?? 0) + (cube[2] ?? 0);
  const step = (red - 8) / 10;
  return red === green && green === blue && Number.isInteger(step) && step >= 0 && step < 24 ? 232 + step : -1;
}
