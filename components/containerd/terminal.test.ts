import { expect, test } from 'vitest';
import { Input } from './shell/io.ts';
import { Terminal } from './terminal.ts';

function typed(keys: string): { shown: string; read: string; open: boolean } {
  let shown = '';
  const input = new Input('', true);
  const terminal = new Terminal(input, (text) => {
    shown += text;
  });
  terminal.type(keys);
  return { shown, read: input.readAll(), open: input.open };
}

test('a terminal shows what is typed, and hands on whole lines', () => {
  expect(typed('ls\r')).toEqual({ shown: 'ls\r\n', read: 'ls\n', open: true });
  expect(typed('ls')).toEqual({ shown: 'ls', read: '', open: true });
  expect(typed('lx\x7fs\r')).toEqual({ shown: 'lx\b \bs\r\n', read: 'ls\n', open: true });
  expect(typed('rm -rf /\x03')).toEqual({ shown: 'rm -rf /^C\r\n', read: '\n', open: true });
  expect(typed('\x04').open).toBe(false);
});
