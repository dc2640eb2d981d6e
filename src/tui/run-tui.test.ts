import { afterEach, describe, expect, test } from 'vitest';
import { deleteAPod } from './fixtures/delete-a-pod.ts';
import { TestTerminal } from './fixtures/terminal.ts';

const CLEAR_SCREEN = /\u001B\[[23]J|\u001Bc/;
let terminal: TestTerminal | undefined;

afterEach(() => terminal?.dispose());

async function open(
  columns: number,
  rows: number,
  options: { glyphs?: string; theme?: string; env?: Record<string, string> } = {},
): Promise<TestTerminal> {
  terminal = new TestTerminal(columns, rows);
  await terminal.mount({ run: deleteAPod(), title: 'Delete a pod', ...options });
  return terminal;
}

describe('on a terminal', () => {
  test('80 columns', async () => {
    const shown = await open(120, 36);
    await shown.type('G');
    console.log(shown.screen.join('\n'));
  });
});
