import { expect, test } from 'vitest';
import { editLine, type TypedLine, typedLine } from './line-editor.ts';

function type(start: string, ...keys: string[]): TypedLine {
  return keys.reduce((line, key) => editLine(line, key) ?? line, typedLine(start));
}

test('edits a line as readline does', () => {
  expect(type('get pods', 'home', 'x').typed).toBe('xget pods');
  expect(type('get pods', 'left', 'left', 'backspace').typed).toBe('get pds');
  expect(type('get pods', 'ctrl-w').typed).toBe('get ');
  expect(type('get pods', 'ctrl-a', 'ctrl-k').typed).toBe('');
  expect(type('get pods', 'left', 'ctrl-u').typed).toBe('s');
  expect(type('get', 'space', 'p').typed).toBe('get p');
  expect(type('日本', 'left', 'backspace')).toEqual({ typed: '本', caret: 0 });
});

test('keys that are no text edit nothing', () => {
  expect(editLine(typedLine('a'), 'ctrl-x')).toBeUndefined();
  expect(editLine(typedLine('a'), 'pageup')).toBeUndefined();
});
