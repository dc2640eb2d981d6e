import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLesson } from './lesson-files.ts';
import { LineLesson } from './line-lesson.ts';
import { ProgressFile } from './progress-file.ts';

const POD = 'web-b764f44c8-4728h';

async function play(file: string, lines: readonly string[], how: { testOut?: boolean; again?: boolean } = {}): Promise<string[]> {
  const printed: string[] = [];
  const progress = new ProgressFile(file);
  const options = { lang: 'en', progress, testOut: false, again: false, ...how, print: (line: string) => void printed.push(line) } as const;
  const lesson = new LineLesson(findLesson('delete-a-pod'), options);
  await lesson.start();
  for (const line of lines) {
    printed.push(`> ${line}`);
    if (!(await lesson.take(line))) break;
  }
  return printed;
}

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'bottleship-')), 'progress.json');

test('a lesson is left, taken up again, and finished', async () => {
  const file = newFile();
  const first = await play(file, ['', 'hint', `delete po/${POD}`, '1', '3']);
  expect(first).toContain('Goal: Delete the Pod web-b764f44c8-4728h.');
  expect(first).toContain('How sure are you? 1 guess, 2 think, 3 know');
  expect(first.at(-1)).toBe('Press Enter to go on.');
  const second = await play(file, ['', 'lang ja', 'lang en', '', '2 3 4 5 1', '', 'scale deploy web --replicas=2', '']);
  expect(second).toContain('Taken up where you left.');
  expect(second).toContain(`Not so. You said: when ${POD} is gone`);
  expect(second).toContain('ステップ5/10: 回復を待つ');
  expect(second).toContain('  [x] there are exactly two Pods');
  expect(second.slice(-2)).toEqual(['The lesson is finished.', 'Next: bottleship learn shared-informers']);
  const { progress } = new ProgressFile(file);
  expect(progress.lessons['delete-a-pod']).toMatchObject({ state: 'done', hints: 1, best: { right: 1, asked: 2 } });
  expect(progress.missed).toEqual([{ lesson: 'delete-a-pod', step: 'when-new-pod', times: 0 }]);
});

test('undo takes a command back, and a sandbox leaves the lesson where it is', async () => {
  const lines = await play(newFile(), [
    '',
    'sandbox',
    'scale deployment web --replicas=5',
    'get deployment web',
    'back',
    'get deployment web',
    `delete pod ${POD}`,
    'undo',
  ]);
  const rows = lines.filter((line) => /^ +web +\d\/\d/.test(line)).map((line) => line.trim().split(/\s+/)[1]);
  expect(rows).toEqual(['5/5', '3/3']);
  expect(lines).toContain(`Undone: the run is back to before: delete pod ${POD}`);
  expect(lines.at(-1)).toBe('Type a kubectl command.');
});

test('testing out asks only the questions', async () => {
  const file = newFile();
  const lines = await play(file, ['2', '3', '2 3 4 5 1'], { testOut: true });
  expect(lines.filter((line) => line.startsWith('Goal:'))).toEqual([]);
  expect(lines).toContain('The lesson is finished.');
  expect(new ProgressFile(file).progress.lessons['delete-a-pod']?.state).toBe('tested-out');
});

test('one lesson can be left for another', async () => {
  const lines: string[] = [];
  const options = {
    lang: 'ja',
    progress: new ProgressFile(newFile()),
    testOut: false,
    again: false,
    print: (line: string) => void lines.push(line),
  } as const;
  const lesson = new LineLesson(findLesson('delete-a-pod'), options);
  await lesson.start();
  expect([await lesson.take('lesson 99'), lesson.next]).toEqual([true, undefined]);
  expect(lines.at(-1)).toMatch(/^レッスン: 1, 2, .*extension-quiz$/);
  await lesson.take('lang en');
  expect([await lesson.take('lesson services'), lesson.next?.lesson.id, lesson.lang]).toEqual([false, 'services', 'en']);
});
