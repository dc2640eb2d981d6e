import { renderToString } from 'ink';
import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../app/commands.ts';
import { KEY_TABLE } from '../app/keys.ts';
import { PaintContext } from '../app/paint-context.ts';
import { press } from '../app/press.ts';
import { Screen } from '../app/Screen.tsx';
import { Session } from '../app/session.ts';
import { initialState, type UiState } from '../app/ui-state.ts';
import { deleteAPod } from '../fixtures/delete-a-pod.ts';
import { cellWidth } from '../text/cells.ts';
import { ASCII_GLYPHS } from '../view/glyphs.ts';
import { helpLines } from '../view/help-view.ts';
import { THEMES } from '../view/theme.ts';
import { EN } from './en.ts';
import { JA } from './ja.ts';
import { LANGUAGES, languageOf, wordsOf } from './words.ts';

/** Names that stay as they are in every language. */
const NAMES = ['kube-apiserver', 'etcd', 'kubectl', 'Pod', 'Service', 'YAML', 'Vitest', 'reconcile', 'watch', 'Enter', 'Esc', 'Tab'];

/** All but how a run is told, which has a test of its own. */
function texts({ telling: _, ...words }: Readonly<Record<string, unknown>>): string[] {
  return Object.values(words).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value];
    if (typeof value === 'function') return [String((value as (...words: unknown[]) => unknown)('A', 1, 2))];
    return typeof value === 'object' && value !== null ? texts(value as Readonly<Record<string, unknown>>) : [];
  });
}

function draw(state: UiState, size: { columns: number; rows: number }): string[] {
  const session = new Session({ run: deleteAPod(), title: 'Delete a pod' });
  const words = wordsOf(state.lang);
  const screen = createElement(Screen, { session, state, ...size });
  const value = { theme: THEMES.mono, depth: 0 as const, glyphs: ASCII_GLYPHS, words };
  return renderToString(createElement(PaintContext, { value }, screen), { columns: size.columns }).split('\n');
}

describe('the words of both languages', () => {
  test('say as much: no text is missing or empty', () => {
    expect(texts(JA).length).toBe(texts(EN).length);
    expect(texts(JA).filter((text) => text.trim() === '')).toEqual([]);
  });

  test('Japanese follows kubernetes.io/ja: no full-width letters or digits, no blank between Latin and kana, long marks', () => {
    const all = texts(JA);
    expect(all.filter((text) => /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/.test(text))).toEqual([]);
    expect(all.filter((text) => /[A-Za-z]{2} [\u3041-\u30FF]|[\u3041-\u30FF] [A-Za-z]{2}/.test(text.replace(/ {2,}/g, '\n')))).toEqual([]);
    expect(all.filter((text) => /コントローラ(?!ー)|スケジューラ(?!ー)|サーバ(?!ー)|クラスタ(?!ー)|コンテナー/.test(text))).toEqual([]);
  });

  test('names are not translated', () => {
    const english = texts(EN).join('\n');
    const japanese = texts(JA).join('\n');
    for (const name of NAMES.filter((each) => english.includes(each))) expect(japanese).toContain(name);
  });

  test.each(LANGUAGES)('%s: every help text and every hint fits 80 columns', (lang) => {
    const words = wordsOf(lang);
    expect(helpLines(78, words).filter((line) => line.reduce((sum, { text }) => sum + cellWidth(text), 0) > 78)).toEqual([]);
    for (const { hint } of KEY_TABLE) if (hint) expect(cellWidth(words.hints[hint.id])).toBeLessThanOrEqual(14);
    for (const { name } of COMMANDS) expect(words.commands[name]).toBeTruthy();
  });

  test.each(LANGUAGES)('%s: at every size and in every view exactly the rows there are, none wider than the terminal', (lang) => {
    const session = new Session({ run: deleteAPod(), title: 'Delete a pod' });
    for (const size of [
      { columns: 80, rows: 24 },
      { columns: 100, rows: 30 },
      { columns: 120, rows: 36 },
    ]) {
      for (const keys of [[], ['w'], ['?'], ['2'], ['3', 'D'], ['5'], ['v'], [':'], ['/'], ['q'], ['y'], ['enter']]) {
        const start = initialState({ cursor: 66, theme: 'mono', lang });
        const lines = draw(
          keys.reduce((state, key) => press(state, key, session).state, start),
          size,
        );
        expect(lines.length).toBe(size.rows);
        expect(lines.filter((line) => cellWidth(line) > size.columns)).toEqual([]);
      }
    }
  });

  test(':lang switches at any moment, and back', () => {
    const session = new Session({ run: deleteAPod(), title: 'Delete a pod' });
    const typed = [':', ...'lang ja'.replace(' ', '_'), 'enter'].map((key) => (key === '_' ? 'space' : key));
    const japanese = typed.reduce((state, key) => press(state, key, session).state, initialState({ cursor: 66, theme: 'mono' }));
    expect(japanese.lang).toBe('ja');
    expect(draw({ ...japanese, notice: '' }, { columns: 120, rows: 36 })[1]).toContain(JA.panes.stage);
    expect(press({ ...japanese, overlay: undefined }, '?', session).state.lang).toBe('ja');
  });

  test('the locale of the terminal decides at first', () => {
    expect([languageOf({ LANG: 'ja_JP.UTF-8' }), languageOf({ LANG: 'ja_JP.UTF-8', LC_ALL: 'C' }), languageOf({})]).toEqual([
      'ja',
      'en',
      'en',
    ]);
  });
});
