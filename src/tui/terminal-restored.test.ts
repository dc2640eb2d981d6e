import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from '@lydell/node-pty';
import { afterEach, describe, expect, test } from 'vitest';

const APP = fileURLToPath(new URL('fixtures/pty-app.ts', import.meta.url));
const ENTER = '\u001B[?1049h';
const LEAVE = '\u001B[?1049l';
const SHOW_CURSOR = '\u001B[?25h';
const WAIT_MS = 20_000;

interface Program {
  readonly pty: IPty;
  /** Everything that it wrote so far. */
  output(): string;
  /** Resolves once it has written this, after so many characters. */
  shows(text: string, from?: number): Promise<void>;
  readonly exited: Promise<{ exitCode: number; signal?: number }>;
}

let running: IPty | undefined;

const COMMAND = [process.execPath, '--import', 'tsx', '--conditions=bottleship-source', APP];

function start(...args: string[]): Program {
  return open([...COMMAND, ...args]);
}

function open([file = '', ...args]: readonly string[], more: Readonly<Record<string, string>> = {}): Program {
  const all = { ...process.env, ...more };
  const env = Object.fromEntries(Object.entries(all).filter(([name, value]) => name !== 'CI' && value !== undefined));
  const pty = spawn(file, args, {
    cols: 80,
    rows: 24,
    name: 'xterm-256color',
    env,
  });
  running = pty;
  let written = '';
  const waiting = new Set<() => void>();
  pty.onData((data) => {
    written += data;
    for (const look of waiting) look();
  });
  const exited = new Promise<{ exitCode: number; signal?: number }>((resolve) => pty.onExit(resolve));
  const shows = (text: string, from = 0): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`never showed ${JSON.stringify(text)}; it wrote ${JSON.stringify(written.slice(-2000))}`)),
        WAIT_MS,
      );
      const look = (): void => {
        if (!written.includes(text, from)) return;
        waiting.delete(look);
        clearTimeout(timer);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { pty, output: () => written, shows, exited };
}

/** The alternate screen was left after it was entered, and the cursor is to be seen. */
function expectRestored(output: string): void {
  expect(output.lastIndexOf(LEAVE)).toBeGreaterThan(output.lastIndexOf(ENTER));
  expect(output.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(output.indexOf(ENTER));
}

afterEach(() => {
  try {
    running?.kill('SIGKILL');
  } catch {
    // It has ended already.
  }
});

describe('the terminal is asked how wide its characters are, before anything is drawn', () => {
  test.each([
    ['one cell', '\u001B[1;2R', true],
    ['two cells', '\u001B[1;3R', false],
    ['nothing', '', false],
  ])('it says %s; a key that was pressed meanwhile counts', async (_, answer, unicode) => {
    const program = open([...COMMAND, 'ask'], { LC_ALL: 'ja_JP.UTF-8' });
    await program.shows('\u001B[6n');
    program.pty.write(`G${answer}`);
    await program.shows('46/46');
    expect(program.output().slice(program.output().indexOf(ENTER)).includes('┌')).toBe(unicode);
    expect(program.output().indexOf('\r\u001B[K')).toBeLessThan(program.output().indexOf(ENTER));
  });
});

describe('the terminal is left as it was found', () => {
  test('when a person quits; a summary is printed', async () => {
    const program = start();
    await program.shows('Delete a pod');
    program.pty.write('q');
    await program.shows('Leave?');
    program.pty.write('y');
    expect((await program.exited).exitCode).toBe(0);
    expectRestored(program.output());
    expect(program.output().slice(program.output().lastIndexOf(LEAVE))).toContain('Delete a pod: left at event 3 of 46 (#7), t=1.000s');
  });

  test('after Ctrl-C twice', async () => {
    const program = start();
    await program.shows('Delete a pod');
    program.pty.write('\u0003');
    await program.shows('Leave?');
    program.pty.write('\u0003');
    expect((await program.exited).exitCode).toBe(0);
    expectRestored(program.output());
  });

  test('while it is suspended, and fg brings the screen back', async () => {
    const shell = open(['bash', '--norc', '--noprofile', '-i']);
    shell.pty.write(`${COMMAND.join(' ')}\r`);
    await shell.shows('Delete a pod');
    shell.pty.write('\u001A');
    await shell.shows('Stopped');
    expectRestored(shell.output());
    const { length } = shell.output();
    shell.pty.write('fg\r');
    await shell.shows('NORMAL', length);
    expect(shell.output().lastIndexOf(ENTER)).toBeGreaterThan(length);
  });

  test('after SIGTERM', async () => {
    const program = start();
    await program.shows('Delete a pod');
    program.pty.kill('SIGTERM');
    await program.exited;
    expectRestored(program.output());
  });

  test('after an error that nobody catches, which is told', async () => {
    const program = start('crash');
    await program.shows('made to crash');
    expect((await program.exited).exitCode).not.toBe(0);
    expectRestored(program.output());
  });
});
