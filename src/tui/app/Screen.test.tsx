import { renderToString } from 'ink';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/kinds/core-v1.ts';
import { deleteAPod } from '../fixtures/delete-a-pod.ts';
import { RunBuilder } from '../fixtures/run-builder.ts';
import { cellWidth } from '../text/cells.ts';
import { ASCII_GLYPHS } from '../view/glyphs.ts';
import { THEMES } from '../view/theme.ts';
import { wordsOf } from '../words/words.ts';
import { PaintContext } from './paint-context.ts';
import { press } from './press.ts';
import { Screen } from './Screen.tsx';
import { Session } from './session.ts';
import { initialState, type UiState } from './ui-state.ts';

const PODS = 1000;
const ENTRIES = 100_000;

function draw(session: Session, state: UiState, size: { columns: number; rows: number }): string[] {
  const screen = (
    <PaintContext value={{ theme: THEMES.mono, depth: 0, glyphs: ASCII_GLYPHS, words: wordsOf(state.lang) }}>
      <Screen session={session} state={state} {...size} />
    </PaintContext>
  );
  return renderToString(screen, { columns: size.columns }).split('\n');
}

/** A thousand pods whose status is written again and again, until the trace has a hundred thousand entries. */
function largeRun(): RunBuilder {
  const builder = new RunBuilder();
  const reference = (index: number) => ({
    group: '',
    resource: 'pods',
    kind: 'Pod',
    namespace: 'default',
    name: `pod-${index}`,
    uid: `uid-${index}`,
  });
  const input = builder.add('', 0, { kind: 'input', input: 'kubectl', text: 'kubectl create -f pods.yaml' });
  for (let round = 0; builder.run.entries.length < ENTRIES; round++) {
    for (let index = 0; index < PODS; index++) {
      const object: Pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `pod-${index}`, namespace: 'default', uid: `uid-${index}` },
        status: { phase: 'Pending', message: `round ${round}` },
      };
      const write = builder.write(
        { actor: 'kubelet/n1', user: 'system:node:n1', cause: input },
        { reference: reference(index), object, subresource: 'status' },
      );
      builder.add('kube-scheduler', builder.watch('kube-scheduler', write), {
        kind: 'decision',
        component: 'kube-scheduler',
        object: reference(index),
        message: `round ${round}`,
      });
    }
  }
  return builder;
}

describe('Screen', () => {
  test('at every size and in every view: exactly its rows, none wider than its columns', () => {
    const session = new Session({ run: deleteAPod(), title: 'ポッドを削除する' });
    for (const [columns, rows] of [
      [80, 24],
      [81, 25],
      [99, 40],
      [100, 30],
      [119, 36],
      [120, 36],
      [200, 70],
    ] as const) {
      for (const keys of [[], ['w'], ['y'], ['?'], ['2'], ['3'], ['5'], ['z'], [':'], ['G'], ['g'], ['a']]) {
        const state = keys.reduce((current, key) => press(current, key, session).state, initialState({ cursor: 78, theme: 'mono' }));
        const lines = draw(session, state, { columns, rows });
        expect(lines.length).toBe(rows);
        expect(lines.filter((line) => cellWidth(line) > columns)).toEqual([]);
      }
    }
  });

  test('an empty run', () => {
    const session = new Session({ run: new RunBuilder().run, title: 'nothing' });
    for (const keys of [[], ['w'], ['y'], ['.'], ['space'], ['>'], ['G'], ['3'], ['5'], ['/', 'x', 'enter']]) {
      const state = keys.reduce((current, key) => press(current, key, session).state, initialState({ cursor: 0, theme: 'mono' }));
      expect(draw(session, state, { columns: 120, rows: 36 }).length).toBe(36);
    }
  });

  test('looking at a moment changes nothing: the same screen comes back, whatever was looked at between', () => {
    const session = new Session({ run: deleteAPod(), title: 'Delete a pod' });
    const size = { columns: 120, rows: 36 };
    const screens = session.timeline.rows.map((cursor) => draw(session, initialState({ cursor, theme: 'mono' }), size).join('\n'));
    const again = [...session.timeline.rows]
      .reverse()
      .map((cursor) => draw(session, initialState({ cursor, theme: 'mono' }), size).join('\n'));
    expect(again.reverse()).toEqual(screens);
    expect(new Set(screens).size).toBe(screens.length);
  });

  test(`a step takes less than 50 ms with ${ENTRIES} entries and ${PODS} objects`, () => {
    const session = new Session({ run: largeRun().run, title: 'large' });
    expect(session.run.entries.length).toBeGreaterThanOrEqual(ENTRIES);
    const times: number[] = [];
    let state = initialState({ cursor: 1, theme: 'mono' });
    for (let step = 0; step < 40; step++) {
      // The processor's time: what else runs on the machine is not our doing.
      const from = process.cpuUsage();
      state = press(step % 2 ? { ...state, cursor: 1 + ((step * 7919) % ENTRIES) } : state, '.', session).state;
      draw(session, state, { columns: 120, rows: 36 });
      const { user, system } = process.cpuUsage(from);
      times.push((user + system) / 1000);
    }
    times.sort((a, b) => a - b);
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(50);
  });
});
