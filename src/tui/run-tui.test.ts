import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KEY_TABLE } from './app/keys.ts';
import { deleteAPod } from './fixtures/delete-a-pod.ts';
import { liveWeb } from './fixtures/live-web.ts';
import { TestTerminal } from './fixtures/terminal.ts';
import { cellWidth } from './text/cells.ts';

const CLEAR_SCREENS = ['\u001B[2J', '\u001B[3J', '\u001Bc'];
/** How each key name is typed. */
const BYTES: Readonly<Record<string, string>> = {
  space: ' ',
  right: '\u001B[C',
  left: '\u001B[D',
  up: '\u001B[A',
  down: '\u001B[B',
  home: '\u001B[H',
  end: '\u001B[F',
  pagedown: '\u001B[6~',
  pageup: '\u001B[5~',
  tab: '\t',
  'shift-tab': '\u001B[Z',
  enter: '\r',
  esc: '\u001B',
  'ctrl-c': '\u0003',
  'ctrl-d': '\u0004',
  'ctrl-u': '\u0015',
  'ctrl-r': '\u0012',
  'ctrl-z': '\u001A',
};

const ESCAPE = String.fromCharCode(27);
const COLOR = new RegExp(`${ESCAPE}\\[(?:[0-9]+;)*(?:3[0-8]|9[0-7])[;m]`);
const ATTRIBUTE = new RegExp(`${ESCAPE}\\[[0-9;]*m`);

let terminal: TestTerminal | undefined;
const ci = process.env.CI;

beforeEach(() => {
  // Ink draws only the last frame where it believes to run in continuous integration.
  delete process.env.CI;
});

afterEach(() => {
  terminal?.dispose();
  if (ci !== undefined) process.env.CI = ci;
});

async function open(columns: number, rows: number, options: Partial<Parameters<TestTerminal['mount']>[0]> = {}): Promise<TestTerminal> {
  terminal = new TestTerminal(columns, rows);
  await terminal.mount({ ...(options.live ? {} : { run: deleteAPod() }), title: 'Delete a pod', ...options });
  return terminal;
}

describe('what a person sees', () => {
  const screens: [name: string, size: [number, number], options: Parameters<typeof open>[2], keys: string[]][] = [
    ['80x24-stage-ascii', [80, 24], { at: 66 }, ['.', '.', '.', '.', '.']],
    ['80x24-objects-ascii', [80, 24], { at: 74 }, ['2']],
    ['80x24-diff-ascii', [80, 24], { at: 66 }, ['3']],
    ['80x24-log-ascii', [80, 24], { at: 74 }, ['5']],
    ['80x24-why-ascii', [80, 24], { at: 80 }, ['w']],
    ['80x24-yaml-ascii', [80, 24], { at: 66 }, ['y']],
    ['80x24-details-ascii', [80, 24], { at: 66 }, ['d']],
    ['80x24-help-ascii', [80, 24], {}, ['?']],
    ['80x24-find-ascii', [80, 24], {}, ['/', 'p', 'o', 'd']],
    ['100x30-unicode', [100, 30], { at: 80, glyphs: 'unicode' }, []],
    ['120x36-unicode', [120, 36], { at: 66, glyphs: 'unicode' }, []],
    ['120x36-end-ascii', [120, 36], { at: 'end' }, []],
    ['120x36-zoom-ascii', [120, 36], { at: 80 }, ['5', 'z']],
    ['80x24-stage-ja', [80, 24], { at: 66, lang: 'ja' }, []],
    ['80x24-help-ja', [80, 24], { lang: 'ja' }, ['?']],
    ['80x24-cache-ascii', [80, 24], { at: 66 }, ['v']],
    ['120x36-side-ascii', [120, 36], { at: 66 }, ['D']],
    ['60x12-too-small', [60, 12], {}, []],
  ];
  test.each(screens)('%s', async (name, [columns, rows], options, keys) => {
    const shown = await open(columns, rows, options);
    await shown.type(...keys);
    await expect(`${shown.screen.join('\n')}\n`).toMatchFileSnapshot(`./screens/${name}.txt`);
  });

  const live: [name: string, size: [number, number], keys: string[]][] = [
    ['80x24-kubectl-ascii', [80, 24], ['i', ...'get pods', '\r']],
    ['120x36-kubectl-ascii', [120, 36], ['i', ...'describe deployment web', '\r']],
    ['80x24-request-ascii', [80, 24], ['.', '\r']],
    ['80x24-branch-ascii', [80, 24], ['.', '.', 'f']],
    ['120x36-compare-ascii', [120, 36], ['.', '.', ':', ...'fault crash kube-scheduler', '\r', ':', ...'compare main', '\r']],
  ];
  test.each(live)('a running cluster: %s', async (name, [columns, rows], keys) => {
    const shown = await open(columns, rows, { live: await liveWeb() });
    for (const key of keys) {
      await shown.type(key);
      await shown.calm();
    }
    await expect(`${shown.screen.join('\n')}\n`).toMatchFileSnapshot(`./screens/${name}.txt`);
  });

  test('full-width letters of an input method work like plain ones', async () => {
    const shown = await open(80, 24);
    await shown.type('？');
    expect(shown.screen[1]).toContain('Keys and commands');
  });

  test('without colour, NO_COLOR keeps bold, FORCE_COLOR=0 drops everything', async () => {
    const attributes = await open(80, 24);
    expect(attributes.take()).not.toMatch(COLOR);
    attributes.dispose();
    const nothing = await open(80, 24, { env: { FORCE_COLOR: '0', LANG: 'C' } });
    expect(nothing.take()).not.toMatch(ATTRIBUTE);
  });

  test('the ASCII theme uses nothing but ASCII, everywhere', async () => {
    const shown = await open(120, 36, { theme: 'ascii', env: { TERM: 'xterm', LANG: 'en_US.UTF-8' } });
    for (const key of ['.', 'w', 'esc', 'y', 'esc', 'd', 'esc', '?', 'esc', '5', 'z']) {
      await shown.type(BYTES[key] ?? key);
      expect(shown.screen.join('')).toMatch(/^[ -~]*$/);
    }
  });
});

describe('keys', () => {
  /** What to type before, for keys that do nothing at the start of the test; most need a cluster that runs. */
  const before: Readonly<Record<string, string[]>> = {
    esc: ['w'],
    n: ['/', 'p', 'o', 'd', '\r'],
    N: ['/', 'p', 'o', 'd', '\r'],
    '1': ['2'],
    '{': ['G'],
    '}': ['g'],
    G: ['.'],
    end: ['.'],
    "'": ['m', 'x'],
    o: ['G', '2', '\u0015'],
    y: ['2', 'j'],
    d: ['2', 'j'],
    l: ['/', 's', 't', 'a', 'r', 't', 'e', 'd', '\r'],
    'ctrl-r': ['G', 'u'],
  };
  const keys = KEY_TABLE.flatMap((binding) => binding.keys).filter((key) => key !== 'ctrl-z');

  test.each(keys)('%s is seen on the screen', async (key) => {
    const live = await liveWeb();
    const shown = await open(80, 24, { live });
    await shown.type('.', '.', '.', ...(before[key] ?? []));
    await shown.calm();
    const screen = shown.screen;
    await shown.type(BYTES[key] ?? key);
    await shown.calm();
    expect(shown.screen).not.toEqual(screen);
  });
});

describe('a run that goes on', () => {
  test('whoever looks at the newest moment follows; whoever looks back is left alone', async () => {
    const whole = deleteAPod();
    const entries = whole.entries.splice(66);
    const listeners = new Set<() => void>();
    const subscribe = (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    const run = Object.assign(whole, { subscribe });
    const grow = async (count: number): Promise<void> => {
      whole.entries.push(...entries.splice(0, count));
      for (const listener of listeners) listener();
      await new Promise((resolve) => setTimeout(resolve, 120));
      await terminal?.flush();
    };
    const shown = await open(80, 24, { run, at: 'end' });
    expect(shown.screen[0]).toContain('event 33/33');
    await grow(10);
    expect(shown.screen[0]).toContain('event 38/38');
    await shown.type(',');
    await grow(14);
    expect(shown.screen[0]).toContain('event 37/46');
  });
});

describe('on the wire', () => {
  test('never clears the screen after the first frame, stays in its rows, and takes few bytes for a step', async () => {
    const shown = await open(120, 36, { at: 'start', env: { TERM: 'xterm-256color', LANG: 'C' } });
    shown.take();
    let bytes = 0;
    let steps = 0;
    for (let before: string[] = []; before.join() !== shown.screen.join(); steps++) {
      before = shown.screen;
      await shown.type('.');
      const written = shown.take();
      bytes += Buffer.byteLength(written);
      expect(CLEAR_SCREENS.filter((sequence) => written.includes(sequence))).toEqual([]);
    }
    expect(steps).toBeGreaterThan(40);
    expect(bytes / steps).toBeLessThan(4096);
    expect(shown.screen.every((line) => cellWidth(line) <= 120)).toBe(true);
  });

  test('a running cluster: few bytes for a step, none while nobody does anything, and no clear-screen while commands run', async () => {
    const shown = await open(120, 36, { live: await liveWeb(), at: 'start', env: { TERM: 'xterm-256color', LANG: 'C' } });
    shown.take();
    const STEPS = 60;
    let bytes = 0;
    for (let step = 0; step < STEPS; step++) {
      await shown.type('.');
      await shown.calm();
      bytes += Buffer.byteLength(shown.take());
    }
    expect(bytes / STEPS).toBeLessThan(4096);
    await shown.type('i', ...'get pods -A -o wide', '\r');
    await shown.calm();
    await shown.type('\u001B');
    const written = shown.take();
    expect(CLEAR_SCREENS.filter((sequence) => written.includes(sequence))).toEqual([]);
    expect(shown.screen.every((line) => cellWidth(line) <= 120)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(shown.take()).toBe('');
  });

  test('keys that were echoed before the first frame do not shift it', async () => {
    const calm = (await open(80, 24, { at: 66 })).screen;
    terminal?.dispose();
    terminal = new TestTerminal(80, 24);
    terminal.echo('..q');
    await terminal.mount({ run: deleteAPod(), title: 'Delete a pod', at: 66 });
    expect(terminal.screen).toEqual(calm);
  });

  test('scrolling beyond the end is not remembered', async () => {
    const shown = await open(80, 24, { at: 66 });
    await shown.type('?', ...Array.from({ length: 9 }, () => BYTES['ctrl-d'] ?? ''));
    const end = shown.screen;
    await shown.type('k');
    expect(shown.screen).not.toEqual(end);
  });

  test('the cursor of the terminal stands where text is typed', async () => {
    const shown = await open(80, 24, { at: 66 });
    await shown.type('/', 'p', 'o', 'd');
    expect(shown.cursor).toEqual({ x: ' FIND /pod'.length, y: 23 });
  });

  test('an idle screen writes nothing', async () => {
    const shown = await open(120, 36);
    shown.take();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(shown.take()).toBe('');
  });

  test('motion none: space goes at once to where playing would stop', async () => {
    const shown = await open(80, 24, { at: 'start', motion: 'none' });
    await shown.type('G');
    const end = shown.screen;
    await shown.type('g', ' ');
    expect(shown.screen).toEqual(end);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(shown.screen).toEqual(end);
  });

  test('motion full: a message travels, arrives where step draws it at once, and then nothing is written', async () => {
    const calm = await open(80, 24, { at: 66 });
    const arrived = calm.screen;
    calm.dispose();
    const shown = await open(80, 24, { at: 66, motion: 'full' });
    expect(shown.screen).toEqual(arrived);
    await shown.type(',');
    expect(shown.screen).not.toEqual(arrived);
    shown.take();
    await shown.type('.');
    const arrow = (): string => shown.screen.find((line) => line.startsWith('|>')) ?? '';
    const seen = new Set([arrow()]);
    for (let tries = 0; tries < 200 && shown.screen.join() !== arrived.join(); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await shown.flush();
      seen.add(arrow());
    }
    expect(shown.screen).toEqual(arrived);
    expect(seen.size).toBeGreaterThan(1);
    shown.take();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(shown.take()).toBe('');
  });

  test('a storm of sizes ends in the screen of the last', async () => {
    const shown = await open(120, 36, { at: 66 });
    const calm = shown.screen;
    for (const [columns, rows] of [
      [80, 24],
      [40, 10],
      [200, 60],
      [79, 24],
      [100, 30],
      [1, 1],
    ] as const) {
      await shown.resize(columns, rows);
      expect(shown.screen.length).toBe(rows);
    }
    await shown.resize(120, 36);
    // Sizes that come in a storm are drawn when it is over.
    await new Promise((resolve) => setTimeout(resolve, 150));
    await shown.flush();
    expect(shown.screen).toEqual(calm);
  });

  test('leaving gives the screen back', async () => {
    const shown = await open(80, 24, { at: 66 });
    expect(shown.alternate).toBe(true);
    await shown.type('q');
    expect(shown.screen.at(-1)).toContain('Leave?');
    await shown.type('y');
    expect(await shown.left()).toBe('Delete a pod: left at event 33 of 46 (#66), t=7.251s');
    expect(shown.alternate).toBe(false);
    expect(shown.screen.join('')).toBe('');
  });

  test('playing goes on to the end and then rests', async () => {
    const shown = await open(80, 24, { at: 83 });
    await shown.type('+', '+', '+', '+', ' ');
    for (let tries = 0; tries < 100 && !shown.screen.at(-1)?.includes('the end'); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await shown.flush();
    }
    expect(shown.screen[0]).toContain('[PAUSED] t=8.159s  event 46/46');
  });
});
