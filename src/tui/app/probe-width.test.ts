import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { lookFor, type Terminal } from './full-screen.ts';
import { probeWidth } from './probe-width.ts';

const ASKS = '\u001B[6n';

/** A terminal that answers so when it is asked where the cursor is; undefined: not at all. */
function terminalThat(answers: string | undefined): Terminal & { readonly written: () => string; readonly keys: PassThrough } {
  const keys = new PassThrough();
  let written = '';
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      written += chunk;
      if (answers !== undefined && chunk.includes(ASKS)) keys.write(answers);
      done();
    },
  });
  const stdin = Object.assign(keys, { setRawMode: () => keys }) as unknown as NodeJS.ReadStream;
  return { stdin, stdout: stdout as unknown as NodeJS.WriteStream, written: () => written, keys };
}

test.each([
  ['\u001B[12;2R', 1],
  ['\u001B[12;3R', 2],
  ['jj\u001B[1;2Rk', 1],
])('the answer %j tells the width', async (answer, cells) => {
  const terminal = terminalThat(answer);
  expect(await probeWidth(terminal)).toBe(cells);
  expect(terminal.written()).toBe(`\r─${ASKS}\r\u001B[K`);
});

test('keys that were pressed meanwhile are not lost', async () => {
  const terminal = terminalThat('jj\u001B[1;2Rk');
  await probeWidth(terminal);
  expect(String(terminal.stdin.read())).toBe('jjk');
});

test('a terminal that says nothing is drawn on in ASCII where Japanese is spoken, else not', async () => {
  const look = async (answers: string | undefined, LANG: string): Promise<string> =>
    (await lookFor({}, terminalThat(answers), { LANG })).glyphs;
  expect(await look(undefined, 'ja_JP.UTF-8')).toBe('ascii');
  expect(await look('\u001B[1;2R', 'ja_JP.UTF-8')).toBe('unicode');
  expect(await look('\u001B[1;3R', 'en_US.UTF-8')).toBe('ascii');
  expect(await look(undefined, 'en_US.UTF-8')).toBe('unicode');
});

test('who has chosen, or has no UTF-8, is not asked', async () => {
  for (const [asked, LANG] of [
    [{ glyphs: 'unicode' }, 'ja_JP.UTF-8'],
    [{ theme: 'ascii' }, 'en_US.UTF-8'],
    [{}, 'C'],
  ] as const) {
    const terminal = terminalThat('\u001B[1;2R');
    await lookFor(asked, terminal, { LANG });
    expect(terminal.written()).toBe('');
  }
});
