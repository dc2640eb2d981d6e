import { expect, test } from 'vitest';
import { findLesson } from '../../cli/lesson-files.ts';
import { LessonRun } from '../lesson-run.ts';
import { ReconcileDraft } from '../reconcile-draft.ts';

/** A cluster with the Database shop, reconciled by these lines. */
async function runOf(...lines: string[]): Promise<LessonRun> {
  const { lesson } = findLesson('your-own-controller');
  const run = await LessonRun.start(lesson.cluster);
  run.type('apply -f manifests/shop.yaml', ['apply', '-f', 'manifests/shop.yaml'], lesson.files);
  await run.follow();
  await release(run, ...lines);
  return run;
}

async function release(run: LessonRun, ...lines: string[]): Promise<void> {
  const draft = new ReconcileDraft();
  for (const line of lines) expect(draft.take(line)).toEqual({ edit: 'changed' });
  const { command, args, files } = draft.release();
  run.type(command, args, files);
  await run.follow();
}

const START = { seq: 0, revision: 1, time: 0, commands: 0 };
const count = (run: LessonRun, kind: string, eq: number, where: Record<string, unknown> = {}): boolean =>
  run.judge({ check: 'count', of: { kind, where }, is: { eq } }, START).ok;

test('lines decide; what they create belongs to the Database, and a fork does the same', async () => {
  const run = await runOf('if services.size() == 0 then create Service', 'if statefulsets.size() == 0 then create StatefulSet');
  const owned = { 'metadata.ownerReferences[kind=Database].name': 'shop' };
  expect([count(run, 'StatefulSet', 1, owned), count(run, 'Pod', 1, { 'status.phase': 'Running' })]).toEqual([true, true]);
  expect((await run.fork()).digest).toBe(run.digest);
});

test('a new release is carried out at once; update writes only what differs', async () => {
  const run = await runOf('always create StatefulSet', 'always update StatefulSet');
  run.type('scale', ['scale', 'statefulset', 'shop', '--replicas=3'], {});
  await run.follow();
  expect(count(run, 'StatefulSet', 1, { 'spec.replicas': 1 })).toBe(true);
  await release(run, 'if statefulsets.size() > 0 then delete StatefulSet');
  expect(count(run, 'StatefulSet', 0)).toBe(true);
});

test('an expression without a value ends the call, and an Event tells the line', async () => {
  const run = await runOf('always create Service', 'if statefulsets[0].spec.replicas == 1 then create Job', 'always create StatefulSet');
  expect([count(run, 'Service', 2), count(run, 'StatefulSet', 0)]).toEqual([true, true]);
  expect(count(run, 'Event', 1, { reason: 'ReconcileError', message: 'line 2: index out of bounds: 0' })).toBe(true);
});

test('a reconcile that answers its own writes is stopped, until another one comes', async () => {
  const run = await runOf('always create Service', 'always delete Service');
  expect(count(run, 'Event', 1, { reason: 'TooManyWrites' })).toBe(true);
  await release(run, 'always create StatefulSet');
  expect(count(run, 'StatefulSet', 1)).toBe(true);
});
