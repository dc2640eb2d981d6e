import { expect, test } from 'vitest';
import { formatProgress, NO_PROGRESS, nextWarmUp, ProgressError, parseProgress, resumable, withSession, withWarmUp } from './progress.ts';
import { parseLesson } from './read-lesson.ts';
import { LessonSession } from './session.ts';
import { startWarmUp } from './warm-up.ts';

const lesson = parseLesson(
  `
apiVersion: lesson/v1
id: one
minutes: 1
cluster: { nodes: 1 }
variants: [{ nodes: 2 }]
steps:
  - { id: intro, narrate: {} }
  - { id: guess, predict: { options: { single: { count: { kind: Node, eq: 1 } }, two: { count: { kind: Node, eq: 2 } } } } }
  - { id: bye, narrate: {} }
`,
  'lesson.yaml',
  () => undefined,
);

async function play(answer: string): Promise<LessonSession> {
  const session = await LessonSession.start(lesson);
  await session.send({ do: 'next' });
  await session.send({ do: 'answer', answer, confidence: 3 });
  return session;
}

test('a run can be taken up where it was left, unless the lesson has changed', async () => {
  const session = await play('single');
  const progress = parseProgress(formatProgress(withSession(NO_PROGRESS, session)));
  expect(progress.lessons['one']).toMatchObject({ state: 'started', step: 'guess', finished: 0 });
  expect(resumable(progress, lesson)).toEqual(session.inputs);
  expect(resumable(progress, { ...lesson, hash: 'other' })).toEqual([]);
});

test('a missed prediction comes back on a variant, until it is got right', async () => {
  const session = await play('two');
  await session.send({ do: 'next' });
  await session.send({ do: 'next' });
  const progress = withSession(NO_PROGRESS, session);
  expect(progress.lessons['one']).toMatchObject({ state: 'done', inputs: [], finished: 1, best: { right: 0, asked: 1 } });
  expect(nextWarmUp(progress, 'one')).toBeUndefined();
  const asked = nextWarmUp(progress, 'another');
  expect(asked).toEqual({ lesson: 'one', step: 'guess', times: 0 });
  if (!asked) return;
  const warmUp = await startWarmUp(lesson, asked);
  expect(warmUp?.question?.options).toEqual(['single', 'two']);
  expect((await warmUp?.truth())?.answer).toBe('two');
  expect(withWarmUp(progress, asked, false).missed).toEqual([{ ...asked, times: 1 }]);
  expect(withWarmUp(progress, asked, true).missed).toEqual([]);
});

test('testing out needs every answer right', async () => {
  for (const [answer, state] of [
    ['single', 'tested-out'],
    ['two', 'started'],
  ] as const) {
    const session = await play(answer);
    await session.send({ do: 'next' });
    await session.send({ do: 'next' });
    expect(withSession(NO_PROGRESS, session, true).lessons['one']?.state).toBe(state);
  }
});

test('what is no progress is told so', () => {
  for (const text of ['{', 'null', '{"version":2}', '{"version":1,"lessons":{"a":1},"missed":[]}'])
    expect(() => parseProgress(text)).toThrow(ProgressError);
});
