import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestTerminal } from '../fixtures/terminal.ts';
import { runMenu } from './Menu.tsx';

const ci = process.env['CI'];

beforeEach(() => {
  // Ink draws only the last frame where it believes to run in continuous integration.
  delete process.env['CI'];
});

afterEach(() => {
  if (ci !== undefined) process.env['CI'] = ci;
});

const ITEMS = [
  { id: 'lessons', label: 'Lessons' },
  { id: 'sandbox', label: 'Sandbox', note: 'an empty cluster' },
];

async function choose(
  ...keys: string[]
): Promise<{ readonly screen: readonly string[]; readonly chosen: string | undefined; readonly alternate: boolean }> {
  const terminal = new TestTerminal(80, 24);
  const { stdin, stdout } = terminal;
  const look = { theme: 'mono', glyphs: 'ascii', lang: 'en' } as const;
  const answer = runMenu({ title: 'What would you like to do?', items: ITEMS, ...look, stdin, stdout, env: { NO_COLOR: '1' } });
  await terminal.shows('Sandbox');
  const { screen } = terminal;
  await terminal.type(...keys);
  const chosen = await answer;
  await terminal.flush();
  return { screen, chosen, alternate: terminal.alternate };
}

test('shows what there is, and gives the terminal back with the choice', async () => {
  const { screen, chosen, alternate } = await choose('j', '\r');
  expect(screen.join('\n')).toContain(' > Lessons');
  expect(screen.every((line) => line.length <= 80)).toBe(true);
  expect(chosen).toBe('sandbox');
  expect(alternate).toBe(false);
});

test('/ seeks in names and notes; Esc shows all again', async () => {
  expect((await choose('/', 'e', 'm', 'p', 't', '\r')).chosen).toBe('sandbox');
  expect((await choose('/', 'z', '\r', '\u001B', '\r')).chosen).toBe('lessons');
  expect((await choose('/', 'q', '\u0003')).chosen).toBeUndefined();
});

test('a digit moves there, q chooses nothing', async () => {
  expect((await choose('2', '\r')).chosen).toBe('sandbox');
  expect((await choose('q')).chosen).toBeUndefined();
  expect((await choose('\u0003')).chosen).toBeUndefined();
});

test('keys that arrive together count one after the other', async () => {
  expect((await choose('j\rq')).chosen).toBe('sandbox');
  expect((await choose('\u001B[B\r')).chosen).toBe('sandbox');
});
