import { describe, expect, test } from 'vitest';
import { deleteAPod } from '../fixtures/delete-a-pod.ts';
import { EN } from '../words/en.ts';
import { COMMANDS, runCommand } from './commands.ts';
import { KEY_TABLE } from './keys.ts';
import { press } from './press.ts';
import { Session } from './session.ts';
import { initialState, type UiState } from './ui-state.ts';

const session = new Session({ run: deleteAPod(), title: 'Delete a pod' });
const start = initialState({ cursor: 66, theme: 'dark' });

function type(state: UiState, ...keys: string[]): UiState {
  return keys.reduce((current, key) => press(current, key, session).state, state);
}

describe('keys', () => {
  test('every key of the table does something, in at least one situation', () => {
    const situations: UiState[] = [
      start,
      type(start, 'G'),
      type(start, 'w'),
      type(start, '2'),
      type(start, '/', 'p', 'o', 'd', 'enter'),
      type(start, '+'),
      type(start, 'm', 'x'),
    ];
    const idle = KEY_TABLE.flatMap(({ keys }) => keys).filter(
      (key) =>
        !situations.some(
          (state) => press(state, key, session).state !== state && JSON.stringify(press(state, key, session)) !== JSON.stringify({ state }),
        ),
    );
    expect(idle).toEqual([]);
  });

  test('no key is bound twice', () => {
    const keys = KEY_TABLE.flatMap((binding) => binding.keys);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  test('steps, turns and ends', () => {
    const keys = ['.', '.', '>', '>', '<', ',', 'G', 'g'];
    const cursors = [start.cursor, ...keys.map((_, index) => type(start, ...keys.slice(0, index + 1)).cursor)];
    expect(cursors).toEqual([66, 68, 69, 70, 74, 70, 69, 89, 2]);
  });

  test('leaving asks once; anything else stays', () => {
    expect(press(type(start, 'q'), 'q', session).effect).toBe('quit');
    expect(press(type(start, 'ctrl-c'), 'ctrl-c', session).effect).toBe('quit');
    expect(type(start, 'q', 'j')).toEqual(start);
  });

  test('in text entry all keys are text', () => {
    expect(type(start, ':', 'q', 'space', '?', '1').typed).toBe('q ?1');
    expect(type(start, ':', 'a', 'backspace', 'backspace').mode).toBe('normal');
  });

  test('finds events and objects', () => {
    expect(type(start, '/', 'c', 'r', 'e', 'a', 't', 'e', 'd', 'enter').cursor).toBe(74);
    expect(type(start, '2', '/', 'n', '2', 'enter').selected).toBe('Node//n2');
    expect(type(start, '/', 'x', 'x', 'enter').notice).toBe('no later event has "xx"');
  });

  test('the selection follows the events until a person chooses', () => {
    const at = (state: UiState): string | undefined => session.momentOf(state).tree[session.momentOf(state).selected]?.key;
    expect(at(start)).toBe('Pod/default/web-6f-aaaaa');
    const chosen = type(start, '2', 'j', 'j');
    expect(at(chosen)).toBe('Pod/default/web-6f-ccccc');
    expect(at(type(chosen, 'G'))).toBe('Pod/default/web-6f-ccccc');
    expect(type(chosen, 'esc').selected).toBeUndefined();
  });
});

describe('commands', () => {
  const run = (state: UiState, text: string): UiState =>
    type(state, ':', ...Array.from(text, (letter) => (letter === ' ' ? 'space' : letter)), 'enter');

  test('each of them', () => {
    expect(press(type(start, ':', 'q'), 'enter', session).effect).toBe('quit');
    expect(run(start, 'theme light').theme).toBe('light');
    expect(run(start, 'all').all).toBe(true);
    expect(run(start, 'goto 74').cursor).toBe(74);
    expect(run(start, 'goto 1.0s').cursor).toBe(7);
    expect(run(start, 'find created').cursor).toBe(74);
    expect(run(start, 'help').overlay?.kind).toBe('help');
    expect(run(start, 'truth').notice).toContain('bottleship truth');
    expect(COMMANDS.map(({ name }) => name)).toEqual(Object.keys(EN.commands));
  });

  test('wrong ones say what there is', () => {
    expect(run(start, 'nonsense').notice).toBe(
      `no command :nonsense; there are ${Object.keys(EN.commands)
        .map((name) => `:${name}`)
        .join(' ')}`,
    );
    expect(run(start, 'theme pink').notice).toBe('themes: dark, light, deuter, trit, high, mono');
  });

  test('Tab completes', () => {
    expect(type(start, ':', 't', 'h', 'tab').typed).toBe('theme ');
    expect(type(start, ':', 't', 'h', 'tab', 'm', 'tab').typed).toBe('theme mono');
  });
});

test(':lesson leaves for a lesson that there is; :motion none stops what plays', () => {
  const session = new Session({ run: deleteAPod(), title: 'Delete a pod', lessons: ['4', 'services'] });
  const state = initialState({ cursor: 66, theme: 'mono' });
  expect(runCommand(state, session, 'lesson services')).toMatchObject({ state: { next: 'services' }, effect: 'quit' });
  expect(runCommand(state, session, 'lesson 5')).toMatchObject({ notice: 'lessons: 4, services' });
  expect(runCommand({ ...state, playing: true }, session, 'motion none')).toMatchObject({ motion: 'none', playing: false });
  expect(runCommand(state, session, 'motion fast')).toMatchObject({ motion: 'step', notice: 'motion: none, step, full' });
});
